#pragma once
#include <string>

namespace shop {

int rounded(int value);

struct Line {
  int price;
  int cost() const { return rounded(price); }
};

class Order {
 public:
  std::string label() const;
  int total() const;

 private:
  Line first_;
};

}  // namespace shop
