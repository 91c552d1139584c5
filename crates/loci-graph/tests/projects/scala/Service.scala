package shop

import shop.model._
import shop.store.{OrderStore, BaseStore => Base}

@deprecated("old", "1")
class OrderService(store: OrderStore) {
  private val fallback: Base[Order] = OrderStore("fallback")

  def place(order: Order): Int = {
    if (!store.save(order)) fallback.save(order)
    store.close()
    order.total
  }

  def first(): Order = Order(1, List(Line(2)))
}
