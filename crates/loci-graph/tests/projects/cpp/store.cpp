#include "store.hpp"

#include <memory>

namespace shop {

int rounded(int value) { return value; }

std::string Order::label() const { return "order"; }

int Order::total() const { return first_.cost(); }

OrderStore::OrderStore(std::string name) : name_(name) {}

bool OrderStore::save(const Order& item) {
  log(item.label());
  return first_.cost() > 0;
}

OrderStore OrderStore::open(const std::string& name) { return OrderStore(name); }

int place(const Order& order) {
  auto store = std::make_unique<OrderStore>("orders");
  store->save(order);
  OrderStore other = OrderStore::open("other");
  other.close();
  Line line{2};
  auto* heap = new OrderStore("heap");
  heap->close();
  return line.cost() + order.total();
}

}  // namespace shop
