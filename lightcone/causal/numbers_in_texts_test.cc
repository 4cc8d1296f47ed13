// Which texts are numbers, and of which variables they are read as such.
#include <gtest/gtest.h>
#include <lightcone/causal/builder.h>
#include <lightcone/causal/numbers_in_texts.h>

namespace lightcone {
namespace {

TEST(NumbersInTexts, AreSpelledAsInJson) {
  EXPECT_EQ(number_in("7"), Value(std::int64_t{7}));
  EXPECT_EQ(number_in("-0"), Value(std::int64_t{0}));
  EXPECT_EQ(number_in("2.50"), Value(2.5));
  EXPECT_EQ(number_in("1e3"), Value(1000.0));
  EXPECT_EQ(number_in("9223372036854775807"), Value(std::int64_t{INT64_MAX}));
  for (const char* text : {"", "-", "007", "+7", " 7", "7 ", "0x7", "1.", ".5", "1e", "1e999",
                           "9223372036854775808", "NaN", "seven", "1,5"}) {
    EXPECT_FALSE(number_in(text)) << text;
  }
}

/// The value that the only event of a process gives to `x`, after another gave it `other`.
[[nodiscard]] Value value_beside(const Value& other) {
  Builder builder;
  const NameIndex x = builder.name("x");
  builder.add({.process = builder.process("p")});
  builder.assign(x, builder.name("7"));
  builder.add({.process = builder.process("p")});
  builder.assign(x, other);
  builder.read_numbers();
  const Computation built = *builder.build();
  return built.assignments(0)[0].value;
}

TEST(NumbersInTexts, AreReadOnlyIfAllValuesAreNumbers) {
  EXPECT_EQ(value_beside(std::int64_t{1}), Value(std::int64_t{7}));
  EXPECT_EQ(value_beside(1.5), Value(std::int64_t{7}));
  EXPECT_TRUE(std::holds_alternative<NameIndex>(value_beside(true)));
  Builder names;
  const NameIndex text = names.name("text");
  EXPECT_TRUE(std::holds_alternative<NameIndex>(value_beside(text)));
}

}  // namespace
}  // namespace lightcone
