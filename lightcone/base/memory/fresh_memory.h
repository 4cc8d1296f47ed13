// Memory that is about to be filled, fetched from the system in one go.
#pragma once

#include <cstddef>
#include <vector>

namespace lightcone {

/// Tells the system that all of this memory is about to be written. It then comes in large pages
/// where these fit, and without one interrupt per page. The contents stay as they are. Systems that
/// cannot do so do nothing.
void fetch_memory(void* begin, std::size_t bytes);

/// Makes room for `count` entries. The memory of many entries is fetched.
template <class T>
void make_room(std::vector<T>& column, std::size_t count) {
  if (count <= column.capacity()) return;
  column.reserve(count);
  fetch_memory(column.data(), column.capacity() * sizeof(T));
}

}  // namespace lightcone
