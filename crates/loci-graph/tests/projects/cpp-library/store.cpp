#include "store.hpp"

namespace shop {

int count_all() {
    return detail::round_up(1);
}

void Store::flush() {
    count_all();
}

int Store::total() const {
    return platform();
}

Store &store() {
    static Store one;
    return one;
}

}  // namespace shop

int shop::detail::round_up(int value) {
    return value;
}
