package shop.store

import shop.model.{Order, Rounding}

trait Store[T] {
  def save(item: T): Boolean
  def close(): Unit = ()
}

trait Logging {
  def log(text: String): Unit = println(text)
}

abstract class BaseStore[T](val name: String) extends Store[T] with Logging {
  override def close(): Unit = log("closed")
}

class OrderStore(name: String) extends BaseStore[Order](name) {
  override def save(item: Order): Boolean = {
    log(item.label)
    Rounding.rounded(item.total) > 0
  }
}

object OrderStore {
  def apply(name: String): OrderStore = new OrderStore(name)
}
