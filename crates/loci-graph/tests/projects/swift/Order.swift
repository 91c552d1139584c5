struct Order {
    struct Line {
        let price: Int
        func cost() -> Int { return rounded(price) }
    }

    let lines: [Line]
    var first: Line { lines[0] }
    func label() -> String { return "order" }
}

extension Order {
    func total() -> Int { return first.cost() }
}

func rounded(_ value: Int) -> Int { return value }

class OrderService {
    private let store: OrderStore
    weak var delegate: OrderServiceDelegate?

    init(store: OrderStore) { self.store = store }

    @discardableResult
    func place(_ order: Order) -> Int {
        guard store.save(order) else { return 0 }
        BaseStore.shared().open()
        delegate?.placed(order)
        let line = Order.Line(price: 1)
        return order.total() + line.cost()
    }
}

protocol OrderServiceDelegate: AnyObject {
    func placed(_ order: Order)
}
