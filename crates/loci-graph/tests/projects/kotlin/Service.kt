package shop

import shop.model.Order
import shop.model.shout
import shop.store.OrderStore
import shop.store.Registry
import shop.store.Store as Box

@Service
class OrderService(private val store: OrderStore) {
    private val fallback: Box<Order> by lazy { OrderStore.open("fallback") }

    fun place(order: Order): Int {
        if (!store.save(order)) fallback.save(order)
        Registry.register(store)
        store.apply { close() }
        return order.total()
    }

    fun first(): Order = Order(1, listOf(Order.Line(2)))
}
