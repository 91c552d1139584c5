#include <utility>

class Buffer {
public:
  void move_all() {}
  void close_buffer() {}
};

void take(Buffer &from) {
  Buffer to = std::move_all(from);
  from.close_buffer();
}
