// Keeps what may still be received, and forgets the rest.
#include <lightcone/check/growing/growing_messages.h>

#include <lightcone/causal/message_name.h>

#include <lightcone/error.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// About what is allocated for a message without its tag, for a range and for a prefix.
constexpr std::size_t message_bytes = 580, range_bytes = 48, prefix_bytes = 160;

/// Short names are in the bytes of a message.
[[nodiscard]] std::size_t long_bytes(std::string_view name) {
  constexpr std::size_t longest_short = 64;
  return name.size() > longest_short ? name.size() : 0;
}

/// Of vectors that tags of one sender share, each counts all: it is not known who else has them.
[[nodiscard]] std::size_t bytes_of(const GrowingTag& tag) {
  constexpr std::size_t entry = 4, of_vector = 64, of_letter = 32, of_value = 128;
  std::size_t bytes = tag.clock.size() * entry;
  for (const LongestFlowTag& one : tag.longest) {
    bytes += of_vector + (one.others.get() != nullptr ? one.others->size() * entry : 0);
  }
  for (const TimedFlowTag& one : tag.timed) {
    bytes += of_vector + (one.letters ? one.letters->size() * of_letter : 0);
  }
  for (const SlicedTag& one : tag.sliced) {
    bytes += 2 * of_value + (one.values ? one.values->size() * of_value : 0);
  }
  return bytes;
}

}  // namespace

void NumberRanges::add(std::uint64_t number) {
  auto next = last_.upper_bound(number);
  if (next != last_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= number) return;
    if (before->second + 1 == number) {
      before->second = number;
      if (next != last_.end() && next->first == number + 1) {
        before->second = next->second;
        last_.erase(next);
      }
      return;
    }
  }
  std::uint64_t last = number;
  if (next != last_.end() && number != UINT64_MAX && next->first == number + 1) {
    last = next->second;
    last_.erase(next);
  }
  last_.emplace(number, last);
}

bool NumberRanges::contains(std::uint64_t number) const {
  const auto next = last_.upper_bound(number);
  return next != last_.begin() && std::prev(next)->second >= number;
}

GrowingMessages::Key GrowingMessages::key_of(std::string_view name) {
  const SplitName split = split_name(name);
  const auto prefix = static_cast<std::uint32_t>(prefixes_.intern(split.prefix));
  if (prefix >= forgotten_.size()) {
    forgotten_.resize(prefix + 1);
    name_bytes_ += long_bytes(split.prefix);
  }
  return {prefix, split.number};
}

GrowingMessages::Index GrowingMessages::find_or_add(std::string_view name) {
  const Key key = key_of(name);
  if (const auto found = index_.find(key); found != index_.end()) return found->second;
  const Forgotten& gone = forgotten_[key.first];
  const bool is_gone =
      key.second == SplitName::no_number ? gone.itself : gone.numbers.contains(key.second);
  if (is_gone) return forgotten;
  Index index = 0;
  if (free_.empty()) {
    index = static_cast<Index>(messages_.size());
    messages_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  messages_[index].name = name;
  name_bytes_ += long_bytes(name);
  index_.emplace(key, index);
  return index;
}

void GrowingMessages::release(Index index) {
  GrowingMessage& message = messages_[index];
  LIGHTCONE_ASSERT(message.uses > 0);
  if (--message.uses > 0 || !message.is_sent) return;
  if (!message.names_receivers || !message.awaited.empty()) return;
  complete_.push_back(index);
  ++message.ended;
  while (complete_.size() > most_complete_ ||
         (complete_.size() > least_complete && bytes() > most_bytes_)) {
    forget_oldest();
  }
}

void GrowingMessages::set_tag(Index index, GrowingTag tag) {
  GrowingMessage& message = messages_[index];
  message.tag = std::move(tag);
  message.tag_bytes =
      static_cast<std::uint32_t>(std::min<std::size_t>(bytes_of(message.tag), UINT32_MAX));
  tag_bytes_ += message.tag_bytes;
}

std::size_t GrowingMessages::bytes() const {
  return kept() * message_bytes + tag_bytes_ + name_bytes_ + ranges_ * range_bytes +
         forgotten_.size() * prefix_bytes;
}

void GrowingMessages::forget_oldest() {
  const Index index = complete_.front();
  complete_.pop_front();
  GrowingMessage& message = messages_[index];
  // It was received again meanwhile: it stands behind, too, or will once it is released.
  if (--message.ended > 0 || message.uses > 0) return;
  const Key key = key_of(message.name);
  Forgotten& gone = forgotten_[key.first];
  if (key.second == SplitName::no_number) {
    gone.itself = true;
  } else {
    ranges_ -= gone.numbers.ranges();
    gone.numbers.add(key.second);
    ranges_ += gone.numbers.ranges();
  }
  index_.erase(key);
  tag_bytes_ -= message.tag_bytes;
  name_bytes_ -= long_bytes(message.name);
  message = {};
  free_.push_back(index);
}

}  // namespace lightcone
