// Waits for the disk on behalf of a client.
#include "otlp/span_intake.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "otlp/span_traces.h"

namespace lightcone::service {
namespace {

constexpr std::chrono::seconds longest_wait{10};

/// One request.
class RequestSource final : public LineSource {
 public:
  explicit RequestSource(std::string name) { client = std::move(name); }
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {
    const std::lock_guard lock(mutex_);
    is_stored_ = true;
    changed_.notify_all();
  }
  void refused(const std::string&) override {}
  [[nodiscard]] bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, longest_wait, [&] { return is_stored_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stored_ = false;
};

}  // namespace

Expected<void> take_spans(MonitorService& service, const std::string& client,
                          SpanBatch::Encoding encoding, std::string bytes) {
  auto batch = std::make_shared<SpanBatch>();
  batch->encoding = encoding;
  batch->bytes = std::move(bytes);
  if (auto read = read_batch(*batch); !read) return read;
  if (batch->traces.empty()) return {};
  auto source = std::make_shared<RequestSource>(client);
  service.offer({source, std::move(batch), std::chrono::steady_clock::now()});
  if (!source->wait()) return failure("the spans could not be stored in time; send them again");
  return {};
}

SpanDeciderMaker span_decider() {
  return [](const PropertyFile& properties, SpanCallbacks callbacks) {
    return std::make_unique<SpanTraces>(properties, std::move(callbacks));
  };
}

}  // namespace lightcone::service
