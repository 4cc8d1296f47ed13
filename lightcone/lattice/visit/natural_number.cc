// Natural numbers by GMP, which its users need not know.
#include <lightcone/lattice/visit/natural_number.h>

#include <gmp.h>

#include <algorithm>

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
  if (other.limbs_.empty()) return *this;
  limbs_.resize(std::max(limbs_.size(), other.limbs_.size()), 0);
  const mp_limb_t carry =
      mpn_add(limbs_.data(), limbs_.data(), size(limbs_), other.limbs_.data(), size(other.limbs_));
  if (carry != 0) limbs_.push_back(carry);
  return *this;
}

NaturalNumber& NaturalNumber::operator-=(const NaturalNumber& other) {
  if (other.limbs_.empty()) return *this;
  mpn_sub(limbs_.data(), limbs_.data(), size(limbs_), other.limbs_.data(), size(other.limbs_));
  trim();
  return *this;
}

NaturalNumber& NaturalNumber::operator*=(const NaturalNumber& other) {
  if (limbs_.empty() || other.limbs_.empty()) {
    limbs_.clear();
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
