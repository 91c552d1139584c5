package shop;

import static shop.tools.Checks.require;

import shop.model.Order;
import shop.model.Order.Line;
import shop.store.Store;

@Service
public class OrderService {
    private final Store<Order> store;

    public OrderService(Store<Order> store) {
        this.store = require(store);
    }

    public int place(Order order) {
        if (!store.save(order)) {
            this.store.close();
        }
        var line = new Line(2);
        Runnable later = () -> report(order);
        return line.cost() + order.total();
    }

    private void report(Order order) {
        Store.log(order.label());
    }
}
