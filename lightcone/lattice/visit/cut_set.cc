// Packing cuts, and finding them again.
#include <lightcone/lattice/visit/cut_set.h>

#include <lightcone/error.h>

#include <xxhash.h>

#include <algorithm>
#include <bit>

namespace lightcone {

CutPacking::CutPacking(std::span<const Rank> lower, std::span<const Rank> upper)
    : lower_(lower.begin(), lower.end()) {
  std::uint32_t used = 0;
  for (std::size_t c = 0; c < lower.size(); ++c) {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(upper[c] - lower[c]));
    if (used + bits > 64) {
      ++words_;
      used = 0;
    }
    bits_.push_back({static_cast<std::uint32_t>(words_ - 1), bits == 0 ? 0 : used,
                     (std::uint64_t{1} << bits) - 1});
    used += bits;
  }
}

void CutPacking::pack(std::span<const Rank> cut, std::uint64_t* words) const {
  std::fill_n(words, words_, 0);
  for (std::size_t c = 0; c < bits_.size(); ++c) {
    words[bits_[c].word] |= std::uint64_t{cut[c] - lower_[c]} << bits_[c].shift;
  }
}

void CutPacking::unpack(const std::uint64_t* words, std::span<Rank> cut) const {
  for (std::size_t c = 0; c < bits_.size(); ++c) {
    const Bits& place = bits_[c];
    cut[c] = lower_[c] + static_cast<Rank>(words[place.word] >> place.shift & place.mask);
  }
}

std::size_t CutSet::slot(const std::uint64_t* words) const {
  const std::size_t width = packing_->words();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = XXH3_64bits(words, width * sizeof *words) & mask;
  while (slots_[at] != 0) {
    const std::uint64_t* known = words_.data() + (slots_[at] - std::size_t{1}) * width;
    if (std::equal(words, words + width, known)) break;
    at = (at + 1) & mask;
  }
  return at;
}

bool CutSet::insert(std::span<const Rank> cut) {
  if ((count_ + 1) * 3 > slots_.size() * 2) grow();
  const std::size_t width = packing_->words();
  words_.resize((count_ + 1) * width);
  std::uint64_t* words = words_.data() + count_ * width;
  packing_->pack(cut, words);
  std::uint32_t& number = slots_[slot(words)];
  if (number != 0) return false;
  LIGHTCONE_ASSERT(count_ < UINT32_MAX - 1);
  number = static_cast<std::uint32_t>(++count_);
  return true;
}

bool CutSet::contains(std::span<const Rank> cut) const {
  std::vector<std::uint64_t> words(packing_->words());
  packing_->pack(cut, words.data());
  return slots_[slot(words.data())] != 0;
}

void CutSet::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < count_; ++i) {
    slots_[slot(words_.data() + i * packing_->words())] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace lightcone
