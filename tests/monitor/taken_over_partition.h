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
  void save() { saved_ = service::bytes_of(partition_->state(verdicts_.size())); }
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
    for (const service::StreamMessage& message : stream_) {
      if (message.sequence >= partition_->first_needed()) decide(message);
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

 private:
  void decide(const service::StreamMessage& message) {
    partition_->take(message);
    for (auto& line : partition_->verdicts()) verdicts_.push_back(std::move(line));
  }

  PropertyFile properties_;
  service::PartitionOptions options_;
  std::vector<service::StreamMessage> stream_;
  std::vector<service::VerdictLog::Line> verdicts_;
  std::optional<std::string> saved_;
  std::unique_ptr<service::Partition> partition_;
};

}  // namespace lightcone
