// Sets of patterns get numbers, so that what a process waits for is small and quick to compare.
#include <lightcone/explore/search/filters.h>

#include <algorithm>
#include <utility>

namespace lightcone {

Filters& Filters::operator=(const Filters& other) {
  if (this == &other) return *this;
  indices_ = other.indices_;
  sets_.resize(indices_.size());
  for (const auto& [patterns, index] : indices_) sets_[index - 1] = &patterns;
  return *this;
}

std::uint32_t Filters::index_of(std::vector<MessagePattern> patterns) {
  std::ranges::sort(patterns);
  const auto repeated = std::ranges::unique(patterns);
  patterns.erase(repeated.begin(), repeated.end());
  const auto next = static_cast<std::uint32_t>(sets_.size() + 1);
  const auto [place, is_new] = indices_.try_emplace(std::move(patterns), next);
  if (is_new) sets_.push_back(&place->first);
  return place->second;
}

}  // namespace lightcone
