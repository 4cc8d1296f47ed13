// Members that Lightcone does not know survive from OTLP to OTLP, also by way of other formats.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/base/random.h>
#include <lightcone/trace.h>
#include <lightcone/trace/otlp/otlp_members.h>
#include <simdjson.h>

#include <array>
#include <fstream>
#include <iterator>
#include <map>

namespace lightcone {
namespace {
namespace dom = simdjson::dom;

using Members = std::map<std::string, std::string>;  // names, and values as JSON

/// Random documents of one trace, and what each thing in them has besides what Lightcone knows.
class RandomSpans {
 public:
  explicit RandomSpans(std::uint64_t seed) : random_(seed) {
    std::string resources;
    for (std::uint32_t r = 1 + random_.below(3); r > 0; --r) {
      if (!resources.empty()) resources += ',';
      resources += resource();
    }
    text_ = R"({"resourceSpans":[)" + resources + "]}";
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  std::map<std::string, Members> spans, scopes, resources, statuses, links;  // by name

 private:
  [[nodiscard]] Members members() {
    static constexpr std::array<std::string_view, 7> names{
        "traceState", "flags", "droppedAttributesCount", "vendor.a", "a\"b", "span", "otlp"};
    Members all;
    for (const std::string_view name : names) {
      if (random_.below(3) == 0) all.emplace(name, value(2));
    }
    return all;
  }

  [[nodiscard]] std::string value(std::uint32_t levels) {
    const std::uint32_t unique = ++last_;
    switch (random_.below(levels == 0 ? 4 : 6)) {
      case 0: return std::to_string(unique);
      case 1: return fmt::format("\"text {}\"", unique);
      case 2: return fmt::format("{}.5", unique);
      case 3: return "true";
      case 4: return fmt::format("[{},{}]", value(levels - 1), unique);
      default: return fmt::format(R"({{"x":{},"y":{}}})", value(levels - 1), unique);
    }
  }

  [[nodiscard]] static std::string with(std::string object, const Members& members) {
    object.pop_back();
    for (const auto& [key, json] : members) {
      if (!object.ends_with('{')) object += ',';
      object += key == "a\"b" ? R"("a\"b":)" : '"' + key + "\":";
      object += json;
    }
    return object + "}";
  }

  [[nodiscard]] std::string resource() {
    const std::string service = "s" + std::to_string(++last_);
    const Members of_resource = members();
    const std::string resource = with(
        fmt::format(R"({{"attributes":[{{"key":"service.name","value":{{"stringValue":"{}"}}}}]}})",
                    service),
        of_resource);
    std::string scopes;
    for (std::uint32_t s = 1 + random_.below(3); s > 0; --s) {
      if (!scopes.empty()) scopes += ',';
      scopes += scope();
    }
    Members of_item = members();
    const std::string item =
        with(R"({"resource":)" + resource + R"(,"scopeSpans":[)" + scopes + "]}", of_item);
    for (const auto& [key, json] : of_resource) of_item["resource." + key] = json;
    resources[service] = of_item;
    return item;
  }

  [[nodiscard]] std::string scope() {
    Members of_scope = members();
    if (random_.below(2) == 0) {
      of_scope["scope"] = fmt::format(R"({{"name":"n","version":"{}"}})", ++last_);
    }
    std::string list;
    for (std::uint32_t s = random_.below(4); s > 0; --s) {
      if (!list.empty()) list += ',';
      list += span(of_scope);
    }
    return with(R"({"spans":[)" + list + "]}", of_scope);
  }

  [[nodiscard]] std::string span(const Members& of_scope) {
    const std::uint32_t id = ++last_;
    const std::string name = "span " + std::to_string(id);
    const std::uint32_t kind = random_.below(6);
    Members all = members();
    std::string text = fmt::format(
        R"({{"traceId":"1","spanId":"{:x}","name":"{}","startTimeUnixNano":{},"kind":{})", id, name,
        id, kind);
    if (random_.below(3) == 0) {
      statuses["end " + name]["status"] = fmt::format(R"({{"code":2,"message":"{}"}})", ++last_);
      text += R"(,"status":)" + statuses["end " + name]["status"];
    }
    if (before_ != 0 && random_.below(2) == 0) {
      links[name] = members();
      const std::string link = fmt::format(R"({{"traceId":"1","spanId":"{:x}"}})", before_);
      text += R"(,"links":[)" + with(link, links[name]) + "]";
    }
    if (random_.below(2) == 0) {
      const std::string moment = "event " + std::to_string(++last_);
      spans[moment] = members();
      const std::string event = fmt::format(R"({{"timeUnixNano":{},"name":"{}"}})", id, moment);
      text += R"(,"events":[)" + with(event, spans[moment]) + "]";
    }
    text = with(text + "}", all);
    all["kind"] = std::to_string(kind == 0 ? 1 : kind);
    spans[name] = all;
    scopes[name] = of_scope;
    before_ = id;
    return text;
  }

  PortableRandom random_;
  std::string text_;
  std::uint32_t last_ = 0, before_ = 0;
};

[[nodiscard]] std::string json_of(const dom::element& value) {
  return std::string(simdjson::minify(value));
}

/// Checks that an object has all these members.
void expect_members(const dom::object& object, const Members& members, const std::string& where) {
  Members found;
  for (const auto field : object) found.emplace(field.key, json_of(field.value));
  for (const auto& [key, json] : members) EXPECT_EQ(found[key], json) << where << ": " << key;
}

/// Looks for all that was kept in what was written, by the names of spans.
class Written {
 public:
  Written(const RandomSpans& wanted, const std::string& text) : wanted_(wanted) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      dom::parser parser;
      const dom::element document = parser.parse(line);
      for (const dom::element item : document["resourceSpans"].get_array()) resource(item);
    }
  }
  std::size_t seen = 0, seen_links = 0;

 private:
  void resource(const dom::element& item) {
    const dom::element attributes = item["resource"]["attributes"];
    const std::string_view service = attributes.at(0)["value"]["stringValue"];
    Members of_item;
    Members of_resource;
    const std::string name(service.substr(0, service.find('/')));
    for (const auto& [key, json] : wanted_.resources.at(name)) {
      const bool is_inner = key.starts_with("resource.");
      (is_inner ? of_resource[key.substr(9)] : of_item[key]) = json;
    }
    expect_members(item.get_object(), of_item, "item");
    expect_members(item["resource"].get_object(), of_resource, "resource");
    for (const dom::element scope : item["scopeSpans"].get_array()) {
      for (const dom::element one : scope["spans"].get_array()) span(scope, one);
    }
  }

  void span(const dom::element& scope, const dom::element& span) {
    const std::string name{std::string_view(span["name"])};
    const auto check = [&](const auto& all, const dom::element& object) {
      const auto found = all.find(name);
      if (found != all.end()) expect_members(object.get_object(), found->second, name);
    };
    seen += wanted_.spans.count(name);
    check(wanted_.spans, span);
    check(wanted_.scopes, scope);
    check(wanted_.statuses, span);
    // The only message that such a start takes is the one of its link.
    dom::array links;
    if (span["links"].get_array().get(links)) return;
    for (const dom::element link : links) check(wanted_.links, link);
    seen_links += links.size();
  }

  const RandomSpans& wanted_;
};

TEST(OtlpMembers, SurviveFromOtlpToOtlp) {
  std::size_t links = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomSpans spans(seed);
    for (const ProcessBy by : {ProcessBy::instance, ProcessBy::span}) {
      ReadOptions options;
      options.process_by = by;
      const auto reading = read_trace_text(spans.text(), "spans", Format::otlp, options);
      ASSERT_TRUE(reading) << reading.error().text() << spans.text();
      const std::string written = write_trace_text(reading->computation, Format::otlp);
      const Written found(spans, written);
      EXPECT_EQ(found.seen, spans.spans.size()) << spans.text();
      links += found.seen_links;
      for (const Format other : {Format::jsonl, Format::lct}) {
        const std::string between = write_trace_text(reading->computation, other);
        const auto again = read_trace_text(between, "again", other);
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(write_trace_text(again->computation, Format::otlp), written) << spans.text();
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(links, 100U);
}

/// All but the status, which is always that of the end of a span.
TEST(OtlpMembers, StayTheSameHoweverOftenTheyAreConverted) {
  RandomSpans spans(7);
  spans.statuses.clear();
  std::string text = spans.text();
  for (int i = 0; i < 3; ++i) {
    const auto reading = read_trace_text(text, "spans", Format::otlp);
    ASSERT_TRUE(reading) << reading.error().text();
    text = write_trace_text(reading->computation, Format::otlp);
    EXPECT_EQ(Written(spans, text).seen, spans.spans.size()) << text;
  }
}

[[nodiscard]] std::string as_otlp(const std::string& members) {
  const auto reading = read_trace_text(
      "{\"process\": \"p\", \"kind\": \"internal\", " + members + "}", "trace", Format::jsonl);
  EXPECT_TRUE(reading) << reading.error().text();
  const std::string text = write_trace_text(reading->computation, Format::otlp);
  EXPECT_TRUE(read_trace_text(text, "written", Format::otlp)) << text;
  const auto begin = text.find("\"endTimeUnixNano\":\"1\"") + 21;
  return text.substr(begin, text.rfind("}]}]}]}") - begin);
}

TEST(OtlpMembers, OfOtherFormatsStandTogether) {
  EXPECT_EQ(as_otlp(R"("colour": "red", "n": [1, {}])"),
            R"(,"lightcone": {"colour": "red", "n": [1,{}]})");
  EXPECT_EQ(as_otlp(R"("b": 2, "otlp": {"span": {"flags": 1, "lightcone": {"a": 1}}})"),
            R"(,"flags": 1, "lightcone": {"b": 2, "a": 1})");
  EXPECT_EQ(as_otlp(R"("otlp": 5)"), R"(,"lightcone": {"otlp": 5})");
}

TEST(OtlpMembers, DoNotReplaceWhatIsKnown) {
  EXPECT_EQ(as_otlp(R"("otlp": {"span": {"traceId": "?", "name": 5, "links": [], "kind": 77}})"),
            "");
  EXPECT_EQ(as_otlp(R"("otlp": {"resourceSpans": {"resource": 5, "scopeSpans": [1]}, "x": 1})"),
            "");
}

TEST(OtlpMembers, ThatCannotBeReadAgainAreLeftOut) {
  EXPECT_EQ(as_otlp(R"("deep": )" + std::string(500, '[') + std::string(500, ']')), "");
  EXPECT_EQ(as_otlp(R"("large": 123456789012345678901234567890)"), "");
  EXPECT_EQ(as_otlp(R"("long": ")" + std::string(2 << 20, 'x') + '"'), "");
  EXPECT_FALSE(otlp_members(R"("large": 123456789012345678901234567890)").is_whole);
}

TEST(OtlpMembers, AreWrittenWhereTheyStood) {
  const std::string folder = LIGHTCONE_TEST_DATA "/data/spans/";
  const auto reading = read_trace(folder + "kept.otlp.json", Format::otlp);
  ASSERT_TRUE(reading) << reading.error().text();
  std::ifstream expected(folder + "kept_again.otlp.json");
  EXPECT_EQ(write_trace_text(reading->computation, Format::otlp),
            std::string(std::istreambuf_iterator<char>(expected), {}));
}

TEST(OtlpMembers, ThatSayNothingAreLeftOut) {
  const auto reading = read_trace_text(
      R"({"resourceSpans":[{"schemaUrl":"","resource":{"droppedAttributesCount":0},"scopeSpans":[
      {"scope":{},"schemaUrl":"","spans":[{"traceId":"1","spanId":"2","startTimeUnixNano":1,
      "flags":0,"traceState":"","vendor":null,"kind":1,"status":{"code":0,"message":""},
      "droppedEventsCount":0}]}]}]})",
      "spans", Format::otlp);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_TRUE(reading->computation.attributes().extra.empty());
}

}  // namespace
}  // namespace lightcone
