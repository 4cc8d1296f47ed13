// A partition of the stream that one monitor after the other decides.
#pragma once

#include "monitor/told_verdicts.h"

#include <rapidcheck.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nats/partition.h"

namespace lightcone {

/// The stream of a partition, its verdicts, and whoever decides it now.
class TakenOverPartition {
 public:
  explicit TakenOverPartition(PropertyFile properties, service::PartitionOptions options = {})
      : properties_(std::move(properties)), options_(std::move(options)) {
    take_up();
  }

  void publish(std::string bytes, bool is_spans = false) {
    stream_.push_back({stream_.size() + 1, "", std::move(bytes), is_spans});
    if (partition_) decide(stream_.back());
  }
  void save() {
    const service::PartitionState state = partition_->state(verdicts_.size());
    saved_ = service::bytes_of(state);
    saved_next_ = state.next;
  }
  /// Another one goes on with what was saved last.
  void take_up() {
    service::PartitionState state;
    if (saved_) {
      const auto read = service::partition_state_of(*saved_);
      if (!read) RC_FAIL("the state cannot be read");
      state = *read;
    }
    service::Partition::Told told;
    for (std::size_t i = state.verdicts; i < verdicts_.size(); ++i) ++told[verdicts_[i].execution];
    partition_ = std::make_unique<service::Partition>(properties_, options_, state, told);
    const std::uint64_t first = partition_->first_needed();
    for (const service::StreamMessage& message : stream_) {
      if (partition_ && message.sequence >= first) decide(message);
    }
  }
  [[nodiscard]] ToldVerdicts told_of(const std::string& execution) const {
    ToldVerdicts told;
    for (const auto& line : verdicts_) {
      if (line.execution == execution) told.add(line.json);
    }
    return told;
  }
  [[nodiscard]] const std::vector<service::VerdictLog::Line>& verdicts() const { return verdicts_; }
  [[nodiscard]] const service::Partition& partition() const { return *partition_; }

  /// False: it has died.
  [[nodiscard]] bool is_there() const { return partition_ != nullptr; }

  bool dies_when_it_gives_up = false;

 private:
  void decide(const service::StreamMessage& message) {
    const bool is_again = message.sequence < saved_next_;
    partition_->take(message);
    tell();
    if (is_again || !partition_->plan_to_give_up()) return;
    save();
    // Whoever decides it may die here.
    if (dies_when_it_gives_up) return partition_.reset();
    partition_->give_up();
    tell();
  }
  void tell() {
    for (auto& line : partition_->verdicts()) verdicts_.push_back(std::move(line));
  }

  PropertyFile properties_;
  service::PartitionOptions options_;
  std::vector<service::StreamMessage> stream_;
  std::vector<service::VerdictLog::Line> verdicts_;
  std::optional<std::string> saved_;
  std::uint64_t saved_next_ = 1;  // messages before it had been decided then
  std::unique_ptr<service::Partition> partition_;
};

}  // namespace lightcone
