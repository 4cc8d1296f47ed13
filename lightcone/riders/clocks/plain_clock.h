// A vector of ranks that a process and the tags of its messages share until it changes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lightcone {

/// entries[k] = the greater of entries[k] and others[k], for each k below `count`.
void raise(std::uint32_t* entries, const std::uint32_t* others, std::size_t count);

/// Entries only grow; those beyond the end are 0.
class PlainClock {
 public:
  [[nodiscard]] std::uint32_t at(std::uint32_t process) const {
    return process < entries_->size() ? (*entries_)[process] : 0;
  }
  void set(std::uint32_t process, std::uint32_t value) {
    std::vector<std::uint32_t>& entries = writable();
    if (process >= entries.size()) entries.resize(process + 1, 0);
    entries[process] = value;
  }
  /// Entry by entry the greater one.
  void join(const PlainClock& other);

 private:
  [[nodiscard]] std::vector<std::uint32_t>& writable() {
    if (entries_.use_count() > 1)
      entries_ = std::make_shared<std::vector<std::uint32_t>>(*entries_);
    return *entries_;
  }

  std::shared_ptr<std::vector<std::uint32_t>> entries_ =
      std::make_shared<std::vector<std::uint32_t>>();
};

}  // namespace lightcone
