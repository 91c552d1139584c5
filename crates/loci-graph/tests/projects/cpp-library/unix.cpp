#include "store.hpp"

namespace shop {

int platform() {
    return 1;
}

}  // namespace shop
