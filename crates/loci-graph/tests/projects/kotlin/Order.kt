package shop.model

data class Order(val id: Int, val lines: List<Line>) {
    class Line(val price: Int) {
        fun cost() = rounded(price)
    }

    fun label(): String = "order $id".shout()
    fun total(): Int = lines.sumOf { it.cost() }
}

fun String.shout(): String = uppercase()

fun rounded(value: Int): Int = value
