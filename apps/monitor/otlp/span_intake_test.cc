// What a request with spans is answered.
#include "otlp/span_intake.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "monitor/shop_trace.h"

namespace lightcone::service {
namespace {

/// Does with an arrival what a test says.
class TestedTaker final : public ArrivalTaker {
 public:
  explicit TestedTaker(std::function<void(const Arrival&)> take) : take_(std::move(take)) {}
  void offer(Arrival arrival) override { take_(arrival); }
  void settle() override {}

 private:
  std::function<void(const Arrival&)> take_;
};

[[nodiscard]] SpanAnswer answer_of(std::function<void(const Arrival&)> take,
                                   std::string bytes = ShopTrace().request()) {
  TestedTaker taker(std::move(take));
  return take_spans(taker, "anyone", SpanBatch::Encoding::protobuf, std::move(bytes),
                    std::chrono::milliseconds(20));
}

TEST(SpanIntake, WhatCannotBeStoredNowIsNotBad) {
  const auto lost = answer_of([](const Arrival&) {});
  EXPECT_EQ(lost.what, SpanAnswer::What::not_stored);
  EXPECT_NE(lost.why, "");
  const auto stored = answer_of([](const Arrival& arrival) { arrival.source->stored("", {}); });
  EXPECT_EQ(stored.what, SpanAnswer::What::stored);
  const auto refused = answer_of([](const Arrival& arrival) { arrival.source->refused("no"); });
  EXPECT_EQ(refused.what, SpanAnswer::What::bad);
  EXPECT_EQ(refused.why, "no");
  EXPECT_EQ(answer_of([](const Arrival&) {}, "\x0a\xff\xff").what, SpanAnswer::What::bad);
}

}  // namespace
}  // namespace lightcone::service
