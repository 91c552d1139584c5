#pragma once
#include "export.hpp"

namespace shop {

int count_all();
int platform();

namespace detail {
int round_up(int value);
}

class SHOP_API Base {
public:
    virtual ~Base() = default;
    virtual void flush() = 0;
};

class SHOP_API Store final : public Base {
public:
    void flush() override;
    int total() const;
};

Store &store();

}  // namespace shop
