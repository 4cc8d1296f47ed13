// How often a property was asked and found, and the first places of both.
#pragma once

#include <lightcone/computation.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lightcone {

/// The first places of a property, in the order of processes and ranks; at most so many.
class FirstPlaces {
 public:
  explicit FirstPlaces(std::size_t most) : most_(most) {}

  void add(EventPlace place) {
    if (places_.size() < most_) return places_.push_back(place);
    if (most_ == 0) return;
    const auto last = std::ranges::max_element(places_);
    if (place < *last) *last = place;
  }
  [[nodiscard]] std::vector<EventPlace> sorted() const {
    std::vector<EventPlace> places = places_;
    std::ranges::sort(places);
    return places;
  }
  /// Returns them in order; none are left.
  [[nodiscard]] std::vector<EventPlace> take() {
    std::ranges::sort(places_);
    return std::exchange(places_, {});
  }

 private:
  std::size_t most_;
  std::vector<EventPlace> places_;
};

/// What was found of one flow or logic property.
struct FoundPlaces {
  explicit FoundPlaces(std::size_t most) : at(most), missing(most), undecided_at(most) {}
  std::uint64_t asked = 0, found = 0, undecided = 0;
  FirstPlaces at, missing, undecided_at;
};

}  // namespace lightcone
