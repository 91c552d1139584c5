#include <vector>
using namespace std;
namespace shop {
class Base;
// A cart.
template <typename T> class Cart : public Base, private ns::Other<T> {
public:
  Cart(int n) : n_(n) {}
  ~Cart();
  virtual int total(Item* i) const = 0;
  bool operator==(const Cart& o) const { return o.n_ == n_; }
private:
  int n_; std::vector<Item> items;
};
int Cart<int>::total(Item* i) const { auto s = ns::open(i); s->run(); i->go(); auto f = [&](int q) { use(q); }; return new Foo(3)->x(); }
void ns::Deep::m() { this->k(); static_cast<Foo*>(p)->z(); std::make_unique<Bar>(1); }
enum class Color { Red };
using Alias = int;
}
TEST(Suite, Name) { EXPECT_EQ(1, f()); }
