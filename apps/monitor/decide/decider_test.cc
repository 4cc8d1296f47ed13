// Where a restart could begin, while executions and traces come and go.
#include "decide/decider.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "monitor/shop_trace.h"
#include "otlp/span_intake.h"

namespace lightcone::service {
namespace {

class DeciderOfFiles : public testing::Test {
 protected:
  DeciderOfFiles()
      : decider_(*parse_properties(shop_rules, "rules"), {}, verdicts_, [](const std::string&) {}) {
    decider_.decide_spans_by(span_decider({.spans = 1}));
  }
  void add_trace(char id, std::uint64_t file) {
    auto batch = std::make_shared<SpanBatch>();
    batch->bytes = ShopTrace{id, true}.request();
    ASSERT_TRUE(read_batch(*batch));
    decider_.decide({.what = AcceptedItem::What::spans, .spans = batch}, file);
  }
  void end_trace(char id, std::uint64_t file) {
    decider_.decide({.what = AcceptedItem::What::quiet, .names = {ShopTrace{id}.hex()}}, file);
  }
  void add_line(const std::string& execution, std::uint64_t file) {
    auto piece = std::make_shared<LinePiece>();
    piece->execution = execution;
    piece->original = "{\"process\": \"p\", \"kind\": \"internal\"}\n";
    piece->parse();
    decider_.decide({.execution = execution, .piece = piece, .lines = {0}}, file);
  }

  VerdictLog verdicts_{VerdictLog::Show()};
  Decider decider_;
};

TEST_F(DeciderOfFiles, SpansThatAreTooLateDoNotHoldTheLog) {
  for (const char id : {'a', 'b'}) {
    add_trace(id, 1);
    end_trace(id, 1);
  }
  add_trace('a', 2);  // it was forgotten
  EXPECT_GT(decider_.span_counts().too_late, 0U);
  for (std::uint64_t file = 3; file < 6; ++file) {
    add_trace('c', file);
    end_trace('c', file);
    EXPECT_EQ(decider_.position_file(), file);
  }
}

/// A trace that is never quiet is decided when it has very many spans.
TEST_F(DeciderOfFiles, ATraceThatIsNeverQuietHasALimit) {
  Decider decider(*parse_properties(shop_rules, "rules"), {}, verdicts_, [](const std::string&) {});
  decider.decide_spans_by(span_decider({.of_trace = 100}));
  for (int i = 0; i < 300; ++i) {
    auto batch = std::make_shared<SpanBatch>();
    const std::string id = "span" + std::to_string(1000 + i);
    const std::string span = ProtoText().bytes(1, ShopTrace{'a'}.trace()).bytes(2, id).text();
    batch->bytes = ProtoText().bytes(1, ShopTrace::resource("shop", {span})).text();
    ASSERT_TRUE(read_batch(*batch));
    decider.decide({.what = AcceptedItem::What::spans, .spans = batch}, 1);
  }
  EXPECT_EQ(decider.span_counts().decided, 1U);
  EXPECT_EQ(decider.span_counts().too_late, 200U);
}

TEST_F(DeciderOfFiles, FewPositionsAreKnownWhileAnExecutionIsOpen) {
  add_line("long", 1);
  for (std::uint64_t file = 2; file < 100; ++file) {
    const std::string name = "short-" + std::to_string(file);
    add_line(name, file);
    decider_.decide({.what = AcceptedItem::What::end, .execution = name, .names = {"end"}}, file);
    EXPECT_LE(decider_.positions(), 3U);
  }
  EXPECT_EQ(decider_.position_file(), 1U);
  decider_.decide({.what = AcceptedItem::What::end, .execution = "long", .names = {"end"}}, 100);
  EXPECT_EQ(decider_.position_file(), 100U);
  EXPECT_EQ(decider_.position().file, 100U);
}

}  // namespace
}  // namespace lightcone::service
