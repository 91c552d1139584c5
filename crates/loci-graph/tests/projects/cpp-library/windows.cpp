#include "store.hpp"

namespace shop {

int platform() {
    return 2;
}

int shown_to_nobody() {
    return 3;
}

}  // namespace shop

namespace other {

int count_all() {
    return 4;
}

class Store {
public:
    void flush() {}
};

}  // namespace other
