require_relative 'store'

class OrderService
  def initialize
    @store = Shop::OrderStore.new('orders')
  end

  def place(order)
    @store.save(order)
    Shop::OrderStore.open_for('x')
    Shop.rounded(order.total)
    helper
  end

  private

  def helper
    Shop::Order.new.total
  end
end
