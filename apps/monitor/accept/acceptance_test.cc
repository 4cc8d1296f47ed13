// What becomes of single arrivals, and what their clients are told.
#include "accept/acceptance.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accept/line_cutter.h"

namespace lightcone::service {
namespace {

/// A client that writes down what it is told.
class TellingSource final : public LineSource {
 public:
  void stored(const std::string& execution,
              const std::map<std::string, std::uint64_t>& events) override {
    for (const auto& [process, count] : events) {
      told.push_back(execution + '/' + process + ' ' + std::to_string(count));
    }
  }
  void refused(const std::string& why) override { refusal = why; }
  std::vector<std::string> told;
  std::string refusal;
};

class AcceptanceOfLines : public testing::Test {
 protected:
  void send(const std::string& text) {
    LineCutter cutter(source_, "default", {});
    const auto cut = cutter.add(text, [&](const Arrival& arrival) {
      acceptance_.accept(arrival, [&](const AcceptedItem& item) { items_.push_back(item); });
    });
    EXPECT_TRUE(cut) << cut.error().text();
  }

  std::shared_ptr<TellingSource> source_ = std::make_shared<TellingSource>();
  Acceptance acceptance_{{}};
  std::vector<AcceptedItem> items_;
};

[[nodiscard]] std::string heading_of_execution(const std::string& execution,
                                               const std::string& more = {}) {
  return "{\"lightcone\": 1, \"execution\": \"" + execution + "\"" + more + "}\n";
}

/// Processes of executions that ended leave room for others, which are answered as well.
TEST_F(AcceptanceOfLines, ProcessesAfterThoseThatEndedAreAnswered) {
  constexpr int executions = 100;
  for (int i = 0; i < executions; ++i) {
    const std::string name = "e" + std::to_string(i);
    send(heading_of_execution(name, ", \"answers\": true") +
         "{\"process\": \"p\", \"kind\": \"internal\"}\n" +
         heading_of_execution(name, ", \"end\": true"));
  }
  acceptance_.tell_clients();
  EXPECT_EQ(source_->told.size(), std::size_t{executions});
}

/// Ranks are natural numbers. Others are as none.
TEST_F(AcceptanceOfLines, RanksThatAreNoNaturalNumbersAreNotRead) {
  send("{\"process\": \"p\", \"kind\": \"internal\", \"rank\": 1}\n");
  for (const char* rank : {"1.9", "1e3", "\"1\""}) {
    send(std::string("{\"process\": \"p\", \"kind\": \"internal\", \"rank\": ") + rank + "}\n");
  }
  EXPECT_EQ(acceptance_.counts().duplicates, 0U);
  EXPECT_EQ(acceptance_.counts().accepted, 4U);
}

/// Names are kept for long, and are in verdicts.
TEST_F(AcceptanceOfLines, LongNamesAreRefused) {
  const std::string name(5000, 'n');
  const auto is_taken = [&](const std::string& text) {
    LineCutter cutter(source_, "default", {});
    return cutter.add(text, [](const Arrival&) {}).has_value();
  };
  EXPECT_TRUE(
      is_taken("{\"process\": \"p\", \"kind\": \"send\", \"message\": \"" + name + "\"}\n"));
  EXPECT_FALSE(is_taken("{\"process\": \"" + name + "\", \"kind\": \"internal\"}\n"));
  EXPECT_FALSE(is_taken("{\"process\": \"p\", \"kind\": \"send\", \"message\": \"m\", \"to\": \"" +
                        name + "\"}\n"));
  EXPECT_FALSE(
      is_taken("{\"process\": \"p\", \"kind\": \"internal\", \"execution\": \"" + name + "\"}\n"));
  EXPECT_FALSE(is_taken("{\"lightcone\": 1, \"process\": \"" + name + "\", \"from\": 1}\n"));
  EXPECT_FALSE(is_taken("{\"lightcone\": 1, \"processes\": [\"p\", \"" + name + "\"]}\n"));
}

/// A client may report any number of executions over one connection.
TEST_F(AcceptanceOfLines, NothingIsKeptOfCountsInExecutionsThatEnded) {
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "e" + std::to_string(i);
    send(heading_of_execution(name, ", \"process\": \"p\", \"from\": 1") +
         "{\"process\": \"p\", \"kind\": \"internal\"}\n");
    send(heading_of_execution(name, ", \"process\": \"q\", \"from\": 1"));
    if (i % 2 == 0) send(heading_of_execution(name, ", \"end\": true"));
  }
  EXPECT_EQ(acceptance_.counts().accepted, 1000U);
  EXPECT_EQ(source_->cursors.size(), 1000U);  // two of each that is open
  acceptance_.end_quiet(std::chrono::steady_clock::now(), {}, [](const AcceptedItem&) {});
  EXPECT_EQ(source_->cursors.size(), 0U);
}

}  // namespace
}  // namespace lightcone::service
