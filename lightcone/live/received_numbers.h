// Which messages of a sender have come already, in little memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace lightcone {

/// Numbers seen, as ranges: where few messages are overtaken or lost there are few of them.
class ReceivedNumbers {
 public:
  /// Whether the number is new.
  bool add(std::uint64_t number) {
    auto after = ranges_.upper_bound(number);
    if (after != ranges_.begin()) {
      const auto before = std::prev(after);
      if (number < before->second) return false;
      if (number == before->second) {
        ++before->second;
        if (after != ranges_.end() && after->first == before->second) {
          before->second = after->second;
          ranges_.erase(after);
        }
        return true;
      }
    }
    if (after != ranges_.end() && after->first == number + 1) {
      const std::uint64_t end = after->second;
      ranges_.erase(after);
      ranges_[number] = end;
    } else {
      ranges_[number] = number + 1;
    }
    return true;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // first, end
};

}  // namespace lightcone
