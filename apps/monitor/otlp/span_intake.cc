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
  explicit RequestSource(std::string name) {
    client = std::move(name);
    wants_answers = true;
  }
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    changed_.notify_all();
  }
  void refused(const std::string& why) override {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    refusal_ = why;
    changed_.notify_all();
  }
  [[nodiscard]] Expected<void> wait() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, longest_wait, [&] { return is_done_; })) {
      return failure("the spans could not be stored in time; send them again");
    }
    if (!refusal_.empty()) return failure(refusal_);
    return {};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::string refusal_;
};

}  // namespace

Expected<void> take_spans(ArrivalTaker& monitor, const std::string& client,
                          SpanBatch::Encoding encoding, std::string bytes) {
  auto batch = std::make_shared<SpanBatch>();
  batch->encoding = encoding;
  batch->bytes = std::move(bytes);
  if (auto read = read_batch(*batch); !read) return read;
  if (batch->traces.empty()) return {};
  auto source = std::make_shared<RequestSource>(client);
  monitor.offer({source, std::move(batch), std::chrono::steady_clock::now()});
  return source->wait();
}

SpanDeciderMaker span_decider(SpanMemory most) {
  return [most](const PropertyFile& properties, SpanCallbacks callbacks) {
    return std::make_unique<SpanTraces>(properties, std::move(callbacks), most);
  };
}

}  // namespace lightcone::service
