// What a program may say of itself that no format has words for: its trace can still be read.
#include <gtest/gtest.h>
#include <lightcone/base/utf8.h>
#include <lightcone/live/process/lightcone.h>
#include <lightcone/live/process/process.h>
#include <lightcone/trace.h>

#include <cmath>
#include <limits>

#include "temporary_folder.h"

namespace lightcone {
namespace {

[[nodiscard]] std::unique_ptr<Process> started(const TemporaryFolder& folder, std::string name,
                                               const std::string& file) {
  auto process = Process::start({.name = std::move(name), .trace = folder.path() + "/" + file});
  EXPECT_TRUE(process) << process.error().text();
  return std::move(*process);
}

TEST(LiveBadValues, TwoProcessesWithOddNamesAndTextsLeaveATraceThatCanBeRead) {
  const TemporaryFolder folder;
  {
    const auto a = started(folder, "a\xff", "a.lct");
    const auto b = started(folder, "a\xfe", "b.lct");
    const std::string tag =
        a->send("a\xfe", {.labels = {"l\xff"}, .variables = {{"x", std::nan("")}}, .text = "\xc3"});
    EXPECT_EQ(b->receive(tag, {.variables = {{"x\xff", "caf\xe9"},
                                             {"x\xfe", std::numeric_limits<double>::infinity()}}}),
              as_utf8_name("a\xff"));
  }
  const auto reading = read_trace(folder.path(), Format::lct);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_TRUE(reading->notes.empty());
  const Computation& c = reading->computation;
  ASSERT_EQ(c.process_count(), 2U);
  EXPECT_EQ(c.event_count(), 2U);
  EXPECT_EQ(c.message_count(), 1U);
  EXPECT_EQ(c.process_name(0), as_utf8_name("a\xff"));
  const std::string text = write_trace_text(c, Format::jsonl);
  const auto again = read_trace_text(text, "t", Format::jsonl);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(write_trace_text(again->computation, Format::jsonl), text);
}

TEST(LiveBadValues, ComparisonsTreatThemLikeNull) {
  std::vector<std::string> found;
  ProcessOptions options{.name = "a", .properties = R"(
    label at_most = x <= 1e308
    label more = x > 1e308
    label sum = x + 1 > 0 or x + 1 <= 0
    watch known : some flow at at_most ends with at_most
    watch huge : some flow at more ends with more
    watch summed : some flow at sum ends with sum
  )"};
  options.on_detection = [&](const Detection& d) { found.push_back(d.property); };
  auto process = std::move(*Process::start(std::move(options)));
  for (const double real : {std::nan(""), std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()}) {
    process->event({.variables = {{"x", real}}});
  }
  EXPECT_TRUE(found.empty());
  process->event({.variables = {{"x", 1.0}}});
  EXPECT_EQ(found.size(), 2U);
}

}  // namespace
}  // namespace lightcone
