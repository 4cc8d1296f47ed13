// Natural numbers by GMP, which its users need not know.
#include <lightcone/lattice/eliminate/natural_number.h>

#include <gmp.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lightcone {

static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && GMP_NAIL_BITS == 0);

namespace {

[[nodiscard]] mp_size_t size(const std::vector<std::uint64_t>& limbs) {
  return static_cast<mp_size_t>(limbs.size());
}

}  // namespace

NaturalNumber::NaturalNumber(std::uint64_t value) {
  if (value != 0) limbs_.push_back(value);
}

NaturalNumber::NaturalNumber(std::vector<std::uint64_t> limbs) : limbs_(std::move(limbs)) {
  trim();
}

NaturalNumber NaturalNumber::binomial(std::uint64_t n, std::uint64_t k) {
  mpz_t value;
  mpz_init(value);
  mpz_bin_uiui(value, n, k);
  NaturalNumber result;
  result.limbs_.assign(mpz_limbs_read(value), mpz_limbs_read(value) + mpz_size(value));
  mpz_clear(value);
  return result;
}

NaturalNumber& NaturalNumber::operator+=(const NaturalNumber& other) {
  return add_shifted(other, 0);
}

NaturalNumber& NaturalNumber::operator-=(const NaturalNumber& other) {
  return subtract_shifted(other, 0);
}

NaturalNumber& NaturalNumber::add_shifted(const NaturalNumber& other, std::size_t limbs) {
  if (other.limbs_.empty()) return *this;
  limbs_.resize(std::max(limbs_.size(), limbs + other.limbs_.size()), 0);
  std::uint64_t* const at = limbs_.data() + limbs;
  const auto length = static_cast<mp_size_t>(limbs_.size() - limbs);
  const mp_limb_t carry = mpn_add(at, at, length, other.limbs_.data(), size(other.limbs_));
  if (carry != 0) limbs_.push_back(carry);
  return *this;
}

NaturalNumber& NaturalNumber::subtract_shifted(const NaturalNumber& other, std::size_t limbs) {
  if (other.limbs_.empty()) return *this;
  std::uint64_t* const at = limbs_.data() + limbs;
  const auto length = static_cast<mp_size_t>(limbs_.size() - limbs);
  mpn_sub(at, at, length, other.limbs_.data(), size(other.limbs_));
  trim();
  return *this;
}

NaturalNumber& NaturalNumber::operator*=(const NaturalNumber& other) {
  if (limbs_.empty() || other.limbs_.empty()) {
    limbs_.clear();
    return *this;
  }
  if (other.limbs_.size() == 1) {
    const mp_limb_t carry = mpn_mul_1(limbs_.data(), limbs_.data(), size(limbs_), other.limbs_[0]);
    if (carry != 0) limbs_.push_back(carry);
    return *this;
  }
  const bool longer = limbs_.size() >= other.limbs_.size();
  const auto& a = longer ? limbs_ : other.limbs_;
  const auto& b = longer ? other.limbs_ : limbs_;
  std::vector<std::uint64_t> product(a.size() + b.size());
  mpn_mul(product.data(), a.data(), size(a), b.data(), size(b));
  limbs_ = std::move(product);
  trim();
  return *this;
}

NaturalNumber& NaturalNumber::shift_limbs(std::size_t limbs) {
  if (!limbs_.empty()) limbs_.insert(limbs_.begin(), limbs, 0);
  return *this;
}

std::size_t NaturalNumber::drop_low_zeros() {
  const auto first =
      std::find_if(limbs_.begin(), limbs_.end(), [](auto limb) { return limb != 0; });
  const auto zeros = static_cast<std::size_t>(first - limbs_.begin());
  limbs_.erase(limbs_.begin(), first);
  return zeros;
}

bool NaturalNumber::operator<(const NaturalNumber& other) const {
  if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size();
  return std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                      other.limbs_.rend());
}

double NaturalNumber::log10() const {
  double leading = 0;  // the two highest limbs hold more than a double can
  const std::size_t used = std::min<std::size_t>(limbs_.size(), 2);
  for (std::size_t i = 0; i < used; ++i) {
    leading = std::ldexp(leading, 64) + static_cast<double>(limbs_[limbs_.size() - 1 - i]);
  }
  return std::log10(leading) + static_cast<double>(limbs_.size() - used) * 64 * std::log10(2.0);
}

std::string NaturalNumber::decimal() const {
  mpz_t view;
  const auto* value = mpz_roinit_n(view, limbs_.data(), size(limbs_));
  std::string text(mpz_sizeinbase(value, 10) + 2, '\0');
  mpz_get_str(text.data(), 10, value);
  text.resize(text.find('\0'));
  return text;
}

std::optional<std::uint64_t> NaturalNumber::small() const {
  if (limbs_.size() > 1) return std::nullopt;
  return limbs_.empty() ? 0 : limbs_[0];
}

void NaturalNumber::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

}  // namespace lightcone
