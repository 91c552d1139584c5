package a.b
import x.y.{Z, W => V}
import q._
/** Doc. */
case class Cart[T](items: List[Item], n: Int) extends Base(n) with Shop[T] {
  private val client: Client = new Client()
  def total(x: Int)(h: Int => Int): Item = { val it = find(x); it.go(); h(1); client.get(x).send(max); items.map(i => i.z()); a foo b; new Foo(x).build() }
}
trait Shop { def k(): Int }
object Cart { val Max = 3; def make = new Cart() }
enum Color { case Red, Green }
type A = Map[String, Int]
