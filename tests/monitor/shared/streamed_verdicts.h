// The verdicts that monitors have put into a stream of NATS.
#pragma once

#include "monitor/told_verdicts.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "nats/nats_link.h"

namespace lightcone {

/// The verdicts of all partitions, of each execution.
class StreamedVerdicts {
 public:
  StreamedVerdicts(const std::string& url, const std::string& name, std::uint32_t partitions)
      : partitions_(partitions) {
    auto link = service::NatsLink::connect(url, service::StreamNames(name));
    if (link) link_ = std::move(*link);
  }
  /// Reads those that came since. Returns false if they cannot be read.
  [[nodiscard]] bool read() {
    for (std::uint32_t p = 0; p < partitions_ && link_; ++p) {
      const std::string stream = link_->names().verdicts(), subject = link_->names().verdicts_of(p);
      const auto last = link_->last_of(stream, subject);
      if (!last) return false;
      if (*last <= read_[p]) continue;
      const auto done = link_->read(stream, subject, read_[p] + 1, *last, [&](const auto& message) {
        told[nlohmann::json::parse(message.bytes)["execution"]].add(message.bytes);
        read_[p] = message.sequence;
      });
      if (!done) return false;
    }
    return link_ != nullptr;
  }
  /// Waits until the execution has this many final verdicts.
  [[nodiscard]] bool wait_for_end(const std::string& execution, std::size_t finals) {
    for (int i = 0; i < 3000; ++i) {
      if (read() && told[execution].finals.size() >= finals) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  std::map<std::string, ToldVerdicts> told;

 private:
  std::uint32_t partitions_;
  std::unique_ptr<service::NatsLink> link_;
  std::map<std::uint32_t, std::uint64_t> read_;
};

}  // namespace lightcone
