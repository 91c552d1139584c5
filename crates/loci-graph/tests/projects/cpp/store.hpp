#pragma once
#include <string>
#include "order.hpp"

namespace shop {

template <typename T>
class Store {
 public:
  virtual ~Store() = default;
  virtual bool save(const T& item) = 0;
  void close() { log("closed"); }

 protected:
  static void log(const std::string& text);
};

class OrderStore final : public Store<Order> {
 public:
  explicit OrderStore(std::string name);
  bool save(const Order& item) override;
  static OrderStore open(const std::string& name);

 private:
  std::string name_;
  Line first_;
};

}  // namespace shop
