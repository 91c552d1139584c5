import Foundation

protocol Store {
    associatedtype Item
    func save(_ item: Item) -> Bool
    func close()
}

extension Store {
    func close() { log("closed") }
}

func log(_ text: String) { print(text) }

class BaseStore {
    let name: String
    init(name: String) { self.name = name }
    func open() { log(name) }
    static func shared() -> BaseStore { return BaseStore(name: "shared") }
}

final class OrderStore: BaseStore, Store {
    private var saved: [Order] = []

    func save(_ item: Order) -> Bool {
        saved.append(item)
        log(item.label())
        return true
    }

    override func open() {
        super.open()
        close()
    }
}
