// However a text is laid out and arrives, its units are the same values.
#include <lightcone/trace/spans/json_units.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace lightcone {
namespace {

struct Units {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> lines;
  std::string error;
};

Units units_of(std::string_view text, std::size_t piece_bytes) {
  std::size_t done = 0;
  const auto source = [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
    const std::size_t count = text.copy(buffer, size, done);
    done += count;
    return count;
  };
  JsonUnitReader reader(source, "text", {"list", "other_list"}, piece_bytes);
  Units units;
  for (JsonPiece piece;;) {
    if (auto ok = reader.next(piece); !ok) {
      units.error = ok.error().text();
      return units;
    }
    if (piece.units.empty()) return units;
    for (const JsonUnit& unit : piece.units) {
      const char* kinds = "dox";
      units.texts.push_back(kinds[static_cast<int>(unit.kind)] + std::string(piece[unit]));
      units.lines.push_back(unit.line);
    }
  }
}

using Texts = std::vector<std::string>;

TEST(JsonUnits, OfLinesAreLines) {
  for (const std::size_t piece : {3U, 7U, 64U, 4096U}) {
    const Units units = units_of("\n{\"a\": 1}\r\n\n {\"list\": [{}]}\n[2]", piece);
    if (piece < 64) {  // then the first line does not show that it ends
      EXPECT_EQ(units.texts, (Texts{"o{\"a\": 1}", "x{}", "o{\"list\": [0]}", "o[2]"}));
    } else {
      EXPECT_EQ(units.texts, (Texts{"d{\"a\": 1}", "d{\"list\": [{}]}", "d[2]"}));
      EXPECT_EQ(units.lines, (std::vector<std::uint64_t>{2, 4, 5}));
    }
    EXPECT_EQ(units.error, "");
  }
}

TEST(JsonUnits, OfADocumentAreTheItemsOfItsLongLists) {
  const std::string text =
      "{\"x\": [{\"list\": [1]}],\n \"list\": [\n{\"a\": \"}]\\\"{\"},\n[1, [2]], 3\n], "
      "\"other_list\":[{}]}";
  for (std::size_t piece = 1; piece < 100; ++piece) {
    const Units units = units_of(text, piece);
    EXPECT_EQ(units.texts, (Texts{"x{\"a\": \"}]\\\"{\"}", "x[1, [2]]", "x{}",
                                  "o{\"x\": [{\"list\": [1]}],\n \"list\": [\n0,\n0, 3\n], "
                                  "\"other_list\":[0]}"}))
        << piece;
    EXPECT_EQ(units.lines, (std::vector<std::uint64_t>{3, 4, 5, 1})) << piece;
    EXPECT_EQ(units.error, "");
  }
}

TEST(JsonUnits, OfAListAreItsItems) {
  for (const std::size_t piece : {1U, 5U, 1000U}) {
    const Units units = units_of("[{\"a\":\n1},\n{\"b\":2}]\n", piece);
    EXPECT_EQ(units.texts, (Texts{"x{\"a\":\n1}", "x{\"b\":2}", "o[0,\n0]"}));
  }
}

TEST(JsonUnits, MustBeWhole) {
  EXPECT_NE(units_of("{\"list\": [\n{\"a\": 1", 1000).error.find("ends in the middle"),
            std::string::npos);
  EXPECT_NE(units_of("{\n} x", 1000).error.find("text:2: is not JSON"), std::string::npos);
  EXPECT_NE(units_of("]", 1000).error.find("is not JSON"), std::string::npos);
  EXPECT_EQ(units_of("", 1000).error, "");
  EXPECT_EQ(units_of(" \n\n", 1).texts.size(), 0U);
}

}  // namespace
}  // namespace lightcone
