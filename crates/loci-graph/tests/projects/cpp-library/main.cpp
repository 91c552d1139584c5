#include "store.hpp"

int run() {
    shop::store().flush();
    return shop::count_all() + shop::detail::round_up(1) + shop::platform();
}

int blind() {
    return shop::shown_to_nobody();
}

using namespace shop;

int again(Store *one) {
    one->flush();
    return one->total() + count_all();
}
