#pragma once
#include "store.hpp"

#define SHOP_INLINE inline

namespace shop {

class [[nodiscard]] __declspec(dllexport) Shelf final {
public:
    explicit Shelf(Store *store);
    SHOP_API Store *store() const;

private:
    Base *base_;
};

SHOP_INLINE Shelf::Shelf(Store *store)
    : base_(new Store()) {
#ifdef SHOP_COUNTED
    count_all();
#endif
}

SHOP_INLINE Store *Shelf::store() const {
    return nullptr;
}

using Rack = Shelf;

int stock(Rack *rack) {
    return rack->store()->total();
}

}  // namespace shop
