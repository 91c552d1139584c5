package shop.store

import shop.model.Order

interface Store<T> {
    fun save(item: T): Boolean
    fun close() {}
}

abstract class BaseStore<T>(protected val name: String) : Store<T> {
    override fun close() = log("closed")
    protected fun log(text: String) = println(text)
}

class OrderStore(name: String) : BaseStore<Order>(name) {
    private val saved = mutableListOf<Order>()

    override fun save(item: Order): Boolean {
        log(item.label())
        return saved.add(item)
    }

    companion object {
        fun open(name: String): OrderStore = OrderStore(name)
    }
}

object Registry {
    fun register(store: Store<*>) = store.close()
}
