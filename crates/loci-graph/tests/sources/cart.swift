import Foundation
/// Doc. More.
class Cart: Base, Shop {
  private let client: Client = Client()
  var size: Int { return items.count }
  init(c: Client) { self.client = c; super.init(c) }
  func total(from x: Int, h: (Int) -> Void) -> Item { let it = find(x); it.go(); h(1); client.get().send(max); for i in items { i.z() }; return Foo(x).build { $0.q() } }
}
protocol Shop { func k() -> Int; var p: Int { get } }
enum Color { case red, green(Int) }
struct S { var a: Int }
extension Cart { func more() {} }
func top(_ a: Int) {}
