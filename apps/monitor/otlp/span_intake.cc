// Waits for the disk on behalf of a client.
#include "otlp/span_intake.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "otlp/span_traces.h"

namespace lightcone::service {
namespace {

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
  [[nodiscard]] SpanAnswer wait(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [&] { return is_done_; })) {
      return {SpanAnswer::What::not_stored,
              "the spans could not be stored in time; send them again"};
    }
    if (!refusal_.empty()) return {SpanAnswer::What::bad, refusal_};
    return {};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::string refusal_;
};

}  // namespace

SpanAnswer take_spans(ArrivalTaker& monitor, const std::string& client,
                      SpanBatch::Encoding encoding, std::string bytes,
                      std::chrono::milliseconds patience) {
  auto batch = std::make_shared<SpanBatch>();
  batch->encoding = encoding;
  batch->bytes = std::move(bytes);
  if (auto read = read_batch(*batch); !read) return {SpanAnswer::What::bad, read.error().text()};
  if (batch->traces.empty()) return {};
  auto source = std::make_shared<RequestSource>(client);
  monitor.offer({source, std::move(batch), std::chrono::steady_clock::now()});
  return source->wait(patience);
}

SpanDeciderMaker span_decider(SpanMemory most, Limits limits) {
  return [most, limits](const PropertyFile& properties, SpanCallbacks callbacks) {
    return std::make_unique<SpanTraces>(properties, std::move(callbacks), most, limits);
  };
}

}  // namespace lightcone::service
