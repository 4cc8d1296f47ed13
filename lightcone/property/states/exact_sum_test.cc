// Sums are those of exact rational numbers, rounded once, in any order.
#include <gmpxx.h>
#include <gtest/gtest.h>
#include <lightcone/property/states/exact_sum.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] mpq_class power_of_two(unsigned exponent) {
  mpz_class power = 1;
  power <<= exponent;
  return power;
}

[[nodiscard]] mpq_class exact(const Datum& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return mpz_class(*integer);
  if (const auto* real = std::get_if<double>(&number)) return mpq_class(*real);
  const WideInteger wide = std::get<WideInteger>(number);
  return mpz_class(wide.high) * power_of_two(64) + mpz_class(wide.low);
}

/// The nearest real by comparing the two around it; nothing where all are too small.
[[nodiscard]] std::optional<double> nearest(const mpq_class& number) {
  const double toward_zero = number.get_d();  // GMP truncates
  if (std::isinf(toward_zero)) return std::nullopt;
  const double away = std::nextafter(toward_zero, number < 0 ? -INFINITY : INFINITY);
  const mpq_class beyond = std::isinf(away)
                               ? mpq_class(number < 0 ? -power_of_two(1024) : power_of_two(1024))
                               : mpq_class(away);
  const mpq_class to_zero = abs(number - mpq_class(toward_zero));
  const mpq_class to_away = abs(beyond - number);
  const bool even = (std::bit_cast<std::uint64_t>(toward_zero) & 1) == 0;
  const double found = to_zero < to_away || (to_zero == to_away && even) ? toward_zero : away;
  return std::isinf(found) ? std::nullopt : std::optional(found);
}

/// What a sum is by definition.
[[nodiscard]] Datum rounded(const mpq_class& sum) {
  if (sum.get_den() == 1 && abs(sum) < power_of_two(127)) {
    const mpz_class magnitude = abs(sum.get_num());
    const mpz_class high = magnitude >> 64;
    const mpz_class low = magnitude - (high << 64);
    const Integer128 whole = Integer128{high.get_si()} << 64 | Integer128{low.get_ui()};
    return datum_of(sum < 0 ? -whole : whole);
  }
  const std::optional<double> real = nearest(sum);
  return real ? datum_of(*real) : Datum();
}

/// Numbers of all kinds; many are of a similar size, so that they cancel out and end in ties.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Datum next() {
    switch (random_() % 8) {
      case 0: return datum_of(std::bit_cast<double>(random_()));
      case 1: return static_cast<std::int64_t>(random_());
      case 2: return static_cast<std::int64_t>(random_() % 7) - 3;
      case 3:
        return datum_of(Integer128{static_cast<std::int64_t>(random_())} *
                        static_cast<std::int64_t>(random_()));
      case 4: return datum_of(std::ldexp(double(random_() % 5) - 2, int(random_() % 2098) - 1074));
      case 5: return datum_of(std::ldexp(double(random_() >> 11), int(random_() % 8) - 56));
      case 6: return datum_of((double(random_() % 21) - 10) / 10);
      default: return datum_of((random_() % 2 == 0 ? 1 : -1) * 0x1.fffffffffffffp1023);
    }
  }
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return random_() % end; }
  void shuffle(std::vector<Datum>& numbers) {
    std::shuffle(numbers.begin(), numbers.end(), random_);
  }

 private:
  std::mt19937_64 random_;
};

[[nodiscard]] Datum sum_of(const std::vector<Datum>& numbers) {
  ExactSum sum;
  for (const Datum& number : numbers) sum.add(number);
  return sum.value();
}

TEST(ExactSum, IsTheExactSumRoundedOnceInAnyOrder) {
  Numbers random(11);
  std::size_t reals = 0, wide = 0, beyond = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<Datum> numbers;
    mpq_class exactly = 0;
    while (numbers.size() < 1 + random.below(9)) {
      const Datum number = random.next();
      if (is_number(number)) numbers.push_back(number);
    }
    for (const Datum& number : numbers) exactly += exact(number);
    const Datum expected = rounded(exactly);
    for (int order = 0; order < 4; ++order) {
      ASSERT_EQ(sum_of(numbers), expected);
      random.shuffle(numbers);
    }
    reals += std::holds_alternative<double>(expected);
    wide += std::holds_alternative<WideInteger>(expected);
    beyond += std::holds_alternative<std::monostate>(expected);
  }
  EXPECT_GT(reals, 1000U);
  EXPECT_GT(wide, 100U);
  EXPECT_GT(beyond, 10U);
}

TEST(ExactSum, TakesAwayWhatItAdds) {
  Numbers random(12);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Datum> numbers;
    for (int i = 0; i < 6; ++i) {
      const Datum number = random.next();
      if (is_number(number)) numbers.push_back(number);
    }
    ExactSum sum;
    for (const Datum& number : numbers) sum.add(number);
    random.shuffle(numbers);
    sum.add(std::int64_t{5});
    for (const Datum& number : numbers) sum.add(number, true);
    ASSERT_EQ(sum.value(), Datum(std::int64_t{5}));
  }
}

TEST(ExactSum, OfWhatIsNoNumberIsNull) {
  ExactSum sum;
  sum.add(std::int64_t{1});
  sum.add(std::string_view("one"));
  sum.add(std::int64_t{1});
  EXPECT_EQ(sum.value(), Datum());
}

TEST(ExactSum, CarriesWhileItAdds) {  // 2^31 additions would overflow a digit
  const double nearly_two = 0x1.fffffffffffffp0;
  ExactSum sum;
  constexpr std::int64_t count = 1 << 20;
  for (std::int64_t i = 0; i < count; ++i) sum.add(nearly_two);
  EXPECT_EQ(sum.value(), rounded(mpq_class(nearly_two) * mpz_class(count)));
}

TEST(Datum, HasOneFormForEachNumber) {
  EXPECT_EQ(datum_of(1.0), Datum(std::int64_t{1}));
  EXPECT_EQ(datum_of(-0.0), Datum(std::int64_t{0}));
  EXPECT_EQ(datum_of(-0x1p63), Datum(INT64_MIN));
  EXPECT_EQ(datum_of(0x1p63), Datum(WideInteger{0, std::uint64_t{1} << 63}));
  EXPECT_EQ(datum_of(0x1p127), Datum(0x1p127));
  EXPECT_EQ(datum_of(NAN), Datum());
  EXPECT_EQ(datum_of(-INFINITY), Datum());
}

TEST(Datum, ProductsAndQuotientsOfIntegersStayExactBelow128Bits) {
  const Datum most(INT64_MAX), least(INT64_MIN), two(std::int64_t{2});
  EXPECT_EQ(exact(product(most, least)), mpq_class(mpz_class(INT64_MAX) * mpz_class(INT64_MIN)));
  EXPECT_EQ(quotient(product(most, two), two), most);
  EXPECT_EQ(product(product(most, most), most), datum_of(0x1p126 * 0x1p63));
  EXPECT_EQ(quotient(datum_of(1e300), datum_of(1e-300)), Datum());
  EXPECT_EQ(quotient(two, datum_of(0.0)), Datum());
}

}  // namespace
}  // namespace lightcone
