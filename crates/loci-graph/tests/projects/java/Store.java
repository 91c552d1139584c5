package shop.store;

import shop.model.Order;

public interface Store<T> {
    boolean save(T item);

    default void close() {
        log("closed");
    }

    static void log(String text) {
    }
}

abstract class BaseStore<T> implements Store<T> {
    protected final String name;

    BaseStore(String name) {
        this.name = name;
    }

    protected void check(T item) {
    }
}

class OrderStore extends BaseStore<Order> {
    OrderStore(String name) {
        super(name);
    }

    @Override
    public boolean save(Order item) {
        check(item);
        super.check(item);
        Store.log(item.label());
        return true;
    }

    static OrderStore open(String name) {
        return new OrderStore(name);
    }
}
