package a.b
import x.y.Z
import x.w as q
/** Doc. */
data class Cart<T>(val items: List<Item>, n: Int) : Base(n), Shop<T> {
  private val client: Client = Client()
  val size: Int
    get() = items.size
  companion object {
    const val MAX = 3
    fun make(): Cart = Cart()
  }
  @Test fun total(x: Int): Item { val it = find(x); it.go(); client.get(x).send { a -> a.foo() }; run(::handler); return it }
}
interface Shop {
  fun k(): Int
}
enum class Color { RED, GREEN }
object Single {
  fun f() {}
}
fun Cart.ext(b: Bar) = b.go()
typealias A = Map<String, Int>
