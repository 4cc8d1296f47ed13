// JSON documents: what is read, what is refused, and how they are written.
#include <lightcone/base/json.h>
#include <lightcone/base/json_text.h>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

[[nodiscard]] std::string with_members(std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":1";
  }
  return text + "}";
}

TEST(JsonText, LargeNumbersBecomeTexts) {
  const auto changed = [](std::string_view json) {
    return large_numbers_as_texts(json).value_or("as it was");
  };
  EXPECT_EQ(changed(R"({"a":123456789012345678901234567890,"b":[1e999, -1e999],"c":7})"),
            R"({"a":"123456789012345678901234567890","b":["1e999", "-1e999"],"c":7})");
  EXPECT_EQ(changed("-9223372036854775809"), "\"-9223372036854775809\"");
  EXPECT_EQ(changed("18446744073709551616"), "\"18446744073709551616\"");
  for (const char* fits : {"18446744073709551615", "-9223372036854775808", "1e308", "0.1", "{}", "",
                           R"({"1e999\"1e999": "123456789012345678901234567890"})", "\"\\",
                           "0123456789012345678901234567890", "1e999e999", "-"}) {
    EXPECT_EQ(changed(fits), "as it was") << fits;
  }
}

TEST(Json, ValuesHaveTheirTypes) {
  const auto json = Json::parse(R"({"t": "x", "b": true, "n": 7, "i": -7, "r": 1.5, "a": [1, "y"],
                                    "big": 18446744073709551615, "none": null})");
  ASSERT_TRUE(json.has_value());
  EXPECT_TRUE(json->is_object());
  EXPECT_EQ(*json->find("t")->text(), "x");
  EXPECT_EQ(json->find("b")->truth(), true);
  EXPECT_EQ(json->find("n")->natural(), 7u);
  EXPECT_EQ(json->find("n")->integer(), 7);
  EXPECT_EQ(json->find("i")->integer(), -7);
  EXPECT_EQ(json->find("i")->natural(), std::nullopt);
  EXPECT_EQ(json->find("big")->natural(), 18446744073709551615u);
  EXPECT_EQ(json->find("big")->integer(), std::nullopt);
  EXPECT_TRUE(json->find("big")->is_integer());
  EXPECT_FALSE(json->find("r")->is_integer());
  EXPECT_EQ(json->find("r")->natural(), std::nullopt);
  EXPECT_EQ(json->find("b")->natural(), std::nullopt);
  EXPECT_EQ(json->find("n")->text(), nullptr);
  EXPECT_EQ(json->find("a")->items().size(), 2u);
  EXPECT_TRUE(json->find("t")->items().empty());
  EXPECT_EQ(json->find("no such member"), nullptr);
  EXPECT_EQ(json->find("a")->find("t"), nullptr);
}

TEST(Json, AMemberOfAnotherTypeIsNotRead) {
  const Json json = {{"text", "x"}, {"number", 3}, {"mixed", Json::parse(R"(["a", 1])").value()}};
  std::string text = "before";
  std::uint64_t number = 8;
  std::int64_t integer = 8;
  bool truth = true;
  std::vector<std::string> texts = {"before"};
  EXPECT_FALSE(json.read("number", text));
  EXPECT_FALSE(json.read("text", number));
  EXPECT_FALSE(json.read("text", integer));
  EXPECT_FALSE(json.read("number", truth));
  EXPECT_FALSE(json.read("mixed", texts));
  EXPECT_FALSE(json.read("text", texts));
  EXPECT_TRUE(json.read("missing", text) && json.read("missing", number) &&
              json.read("missing", integer) && json.read("missing", truth) &&
              json.read("missing", texts));
  EXPECT_EQ(text, "before");
  EXPECT_EQ(number, 8u);
  EXPECT_EQ(integer, 8);
  EXPECT_TRUE(truth);
  EXPECT_EQ(texts, std::vector<std::string>{"before"});
  EXPECT_TRUE(json.read("text", text) && json.read("number", number));
  EXPECT_EQ(text, "x");
  EXPECT_EQ(number, 3u);
}

TEST(Json, WhatIsNotJsonIsRefused) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "1 2", "nul", "\"\xff\"", "{\"a\":1}}"}) {
    EXPECT_FALSE(Json::parse(text).has_value()) << text;
  }
}

TEST(Json, LimitsAreKept) {
  EXPECT_TRUE(Json::parse(nested(Json::deepest_nesting)).has_value());
  EXPECT_FALSE(Json::parse(nested(Json::deepest_nesting + 1)).has_value());
  EXPECT_FALSE(Json::parse(std::string(1 << 20, '[')).has_value());
  EXPECT_TRUE(Json::parse(with_members(Json::most_members)).has_value());
  EXPECT_FALSE(Json::parse(with_members(Json::most_members + 1)).has_value());
}

TEST(Json, TheLastOfEqualMembersCounts) {
  const auto json = Json::parse(R"({"a": {"x": 1}, "b": 2, "a": 3})");
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ(json->dump(), R"({"a":3,"b":2})");
}

TEST(Json, DocumentsAreWrittenInTheirOrder) {
  Json json = {{"z", 1}, {"list", std::vector<std::string>{"a", "b"}}};
  json["a"] = Json::array();
  json["a"].push_back({{"event", std::uint32_t{4}}, {"holds", false}});
  json["a"].back()["real"] = 0.5;
  json["nothing"] = nullptr;
  json["map"] = std::map<std::string, int>{{"b", 1}, {"a", 2}};
  json.update({{"z", -1}, {"text", std::string("\xc3\xa4\xff")}});
  EXPECT_EQ(json.dump(),
            R"({"z":-1,"list":["a","b"],"a":[{"event":4,"holds":false,"real":0.5}],)"
            "\"nothing\":null,\"map\":{\"a\":2,\"b\":1},\"text\":\"\xc3\xa4\xef\xbf\xbd\"}");
  const Json text = {{"text", "\xc3\xa4"}}, number = {{"a", 1}};
  EXPECT_EQ(text.dump(Json::Layout::ascii_line), R"({"text":"\u00e4"})");
  EXPECT_EQ(number.dump(Json::Layout::indented), "{\n  \"a\": 1\n}");
  EXPECT_EQ(Json::object().dump() + Json::array().dump() + Json().dump(), "{}[]null");
  EXPECT_EQ(Json::parse(json.dump())->dump(), json.dump());
}

}  // namespace
}  // namespace lightcone
