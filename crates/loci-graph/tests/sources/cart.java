package a.b;
import java.util.List;
import static a.C.*;
/** Doc. More. */
@Service(x = 1)
public class Cart<T> extends Base implements Shop, x.Other<T> {
  private final Client client = new Client();
  static int a, b = 2;
  @Inject public Cart(Client c) { super(c); this.client = c; }
  @Override protected List<Item> total(int x, Handler h) throws E { Item it = find(x); it.go(); h.run(this::foo, Cart::bar); client.get().send(MAX); for (Item i : items) { i.z(); } return new Foo<>(x).build(); }
  enum Color { RED, GREEN(1); int q; }
  interface In extends Other { int k(); }
  @Test void works() { assertEquals(1, total(2, x -> x.foo())); }
  record P(int a, String b) {}
}
