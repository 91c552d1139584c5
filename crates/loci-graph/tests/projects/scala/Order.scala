package shop.model

case class Order(id: Int, lines: List[Line]) {
  def label: String = s"order $id"
  def total: Int = lines.map(_.cost()).sum
}

case class Line(price: Int) {
  def cost(): Int = Rounding.rounded(price)
}

object Rounding {
  def rounded(value: Int): Int = value
}
