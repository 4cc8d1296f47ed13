// Tags of properties with `for each` and `within` come from the network: whatever they say, a
// process goes on.
#include <gtest/gtest.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/property/language/parser.h>

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {
namespace {

constexpr std::uint64_t agreement = 7;

constexpr const char* watched_text = R"(clocks within 1 s
forbid  a for each id : some flow contains ask -> answer
require b for each id : every longest flow at answer contains ask
watch   c for each id : logic {
  x := ask or any x
}
forbid  d : some flow contains ask -> answer within 2 s
require e : every longest flow at answer contains ask -> answer within 2 s
forbid  f for each id : some longest flow contains ask -> answer within 2 s
)";

[[nodiscard]] std::unique_ptr<Watcher> watcher(const std::string& name) {
  ProcessOptions options;
  options.name = name;
  options.members = {"p", "q"};
  options.most_values = 8;
  auto parsed = parse_property_syntax(watched_text, "p");
  auto one = std::make_unique<Watcher>(CompiledProperties::compile(std::move(*parsed)), agreement,
                                       options);
  one->start({});
  return one;
}

/// A tag with a checksum that fits it.
void repair(std::string& tag) {
  const auto sum =
      static_cast<std::uint32_t>(XXH3_64bits_withSeed(tag.data() + 6, tag.size() - 6, agreement));
  for (int i = 0; i < 4; ++i) tag[2 + i] = static_cast<char>(sum >> (8 * i));
}

TEST(PropertyWatch, ForgedTagsAreReadWithCare) {
  std::mt19937_64 random(3);
  const auto p = watcher("p"), q = watcher("q"), r = watcher("r");
  std::uint64_t number = 0;
  std::size_t refused = 0, taken = 0;
  for (int step = 0; step < 1000; ++step) {
    Watcher& from = *(step % 2 == 0 ? p : r);
    const std::vector<std::string_view> labels{random() % 2 == 0 ? "ask" : "answer"};
    const std::vector<std::pair<std::string_view, LiveValue>> variables{
        {"id", static_cast<std::int64_t>(random() % 6)}};
    const LiveState state{.labels = std::span(labels),
                          .variables = std::span(variables),
                          .time = static_cast<double>(step) / 3};
    from.event(Kind::send, state);
    std::string tag = from.send({}, number++);
    const std::size_t changes = random() % 4;
    for (std::size_t i = 0; i < changes; ++i) {
      tag[6 + random() % (tag.size() - 6)] = static_cast<char>(random());
    }
    const bool is_cut = random() % 8 == 0;
    if (is_cut) tag.resize(6 + random() % (tag.size() - 6));
    repair(tag);
    auto envelope = q->open(tag);
    ++(envelope ? taken : refused);
    if (changes == 0 && !is_cut && !envelope) ADD_FAILURE() << envelope.error().text();
    if (!envelope) continue;
    const std::vector<Envelope> envelopes{std::move(*envelope)};
    q->receive(envelopes, state);
    q->detections().clear();
    q->errors().clear();
    EXPECT_FALSE(q->send({}, number++).empty());
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(taken, 100U);
}

}  // namespace
}  // namespace lightcone
