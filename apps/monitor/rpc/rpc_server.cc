// Passes calls of gRPC to the service.
#include "rpc/rpc_server.h"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <lightcone/base/json.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "lightcone_monitor.grpc.pb.h"
#include "trace_service.grpc.pb.h"

namespace lightcone::service {
namespace {

using TraceRequest = opentelemetry::proto::collector::trace::v1::ExportTraceServiceRequest;
using TraceResponse = opentelemetry::proto::collector::trace::v1::ExportTraceServiceResponse;
using TraceService = opentelemetry::proto::collector::trace::v1::TraceService;
using EventStream = grpc::ServerReaderWriter<v1::EventAnswer, v1::EventBatch>;

/// The client of a call; nothing: its token is not known.
[[nodiscard]] std::optional<std::string> client_of(const grpc::ServerContext& context,
                                                   const Tokens& tokens) {
  if (tokens.empty()) return "anyone";
  constexpr std::string_view scheme = "Bearer ";
  const auto found = context.client_metadata().find("authorization");
  if (found == context.client_metadata().end()) return std::nullopt;
  const std::string_view value(found->second.data(), found->second.size());
  return value.starts_with(scheme) ? tokens.client_of(value.substr(scheme.size())) : std::nullopt;
}

[[nodiscard]] grpc::Status unknown_token() {
  return {grpc::StatusCode::UNAUTHENTICATED, "the token is missing or not known"};
}

/// A client's stream. Answers are written by a thread of its own: a client that does not read them
/// holds up nobody else. What was not written when the next answer comes is joined with it.
class StreamSource final : public LineSource {
 public:
  explicit StreamSource(EventStream& stream)
      : stream_(stream), thread_([this] { write_answers(); }) {}
  ~StreamSource() override { join(); }

  void stored(const std::string& execution,
              const std::map<std::string, std::uint64_t>& events) override {
    constexpr std::size_t most = 10'000;
    const std::lock_guard lock(mutex_);
    // Whoever is not answered sends it again.
    if (leaves_ || (answers_.size() >= most && !answers_.contains(execution))) return;
    for (const auto& [process, count] : events) answers_[execution][process] = count;
    changed_.notify_all();
  }
  void ended(const std::string& execution) override {
    ask(Json{{"execution", execution}, {"ended", true}}.dump());
  }
  void refused(const std::string& why) override {
    refuse({grpc::StatusCode::PERMISSION_DENIED, why}, Json{{"refused", why}}.dump());
  }
  void refused_for_now(const std::string& why) override {
    refuse({grpc::StatusCode::RESOURCE_EXHAUSTED, why},
           Json{{"refused", why}, {"again", true}}.dump());
  }
  void ask(const std::string& line) override {
    constexpr std::size_t most = 1'000;
    const std::lock_guard lock(mutex_);
    // Whoever asks notices that no answer comes.
    if (leaves_ || questions_.size() >= most) return;
    questions_.push_back(line);
    changed_.notify_all();
  }
  /// OK: it is not refused.
  [[nodiscard]] grpc::Status refusal() const {
    const std::lock_guard lock(mutex_);
    return refusal_;
  }
  /// The stream may be gone after that.
  void join() {
    leave();
    if (thread_.joinable()) thread_.join();
  }
  /// No answer follows. False: those that there were could not be written in this time.
  bool leave(std::chrono::milliseconds patience = {}) {
    std::unique_lock lock(mutex_);
    leaves_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [&] { return is_done_; });
  }

 private:
  void refuse(grpc::Status status, std::string line) {
    const std::lock_guard lock(mutex_);
    refusal_ = std::move(status);
    refusal_line_ = std::move(line);
    changed_.notify_all();
  }

  void write_answers() {
    std::unique_lock lock(mutex_);
    for (bool is_told = false; !is_done_;) {
      const auto has_refusal = [&] { return !refusal_line_.empty() && !is_told; };
      changed_.wait(lock, [&] {
        return leaves_ || has_refusal() || !questions_.empty() || !answers_.empty();
      });
      std::vector<std::string> lines;
      for (const auto& [execution, events] : std::exchange(answers_, {})) {
        lines.push_back(Json{{"execution", execution}, {"stored", events}}.dump());
      }
      for (std::string& question : std::exchange(questions_, {})) {
        lines.push_back(std::move(question));
      }
      if (has_refusal()) lines.push_back(refusal_line_);
      is_told = !refusal_line_.empty();
      is_done_ = leaves_ && lines.empty();
      lock.unlock();
      for (const std::string& line : lines) {
        v1::EventAnswer answer;
        answer.set_line(line);
        stream_.Write(answer);
      }
      lock.lock();
    }
    changed_.notify_all();
  }

  EventStream& stream_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::map<std::string, std::map<std::string, std::uint64_t>> answers_;
  std::vector<std::string> questions_;
  grpc::Status refusal_;
  std::string refusal_line_;
  bool leaves_ = false, is_done_ = false;
  std::thread thread_;
};

class EventService final : public v1::Monitor::Service {
 public:
  EventService(ArrivalTaker& service, const RpcServerOptions& options)
      : service_(service), options_(options) {}

  grpc::Status Report(grpc::ServerContext* context, EventStream* stream) override {
    const auto client = client_of(*context, options_.tokens);
    if (!client) return unknown_token();
    const OpenStream open(streams_);
    if (streams_ > options_.clients) {
      return {grpc::StatusCode::RESOURCE_EXHAUSTED,
              fmt::format("more than {} clients", options_.clients)};
    }
    auto source = std::make_shared<StreamSource>(*stream);
    source->client = *client;
    const grpc::Status status = read_all(*context, *stream, source);
    service_.settle();  // so that the last answers are there
    constexpr std::chrono::seconds patience{10};
    if (!source->leave(patience)) context->TryCancel();
    source->join();
    return status;
  }

 private:
  /// Counts a stream as long as it is open.
  class OpenStream {
   public:
    explicit OpenStream(std::atomic<std::size_t>& streams) : streams_(streams) { ++streams_; }
    OpenStream(const OpenStream&) = delete;
    OpenStream& operator=(const OpenStream&) = delete;
    ~OpenStream() { --streams_; }

   private:
    std::atomic<std::size_t>& streams_;
  };

  [[nodiscard]] grpc::Status read_all(const grpc::ServerContext& context, EventStream& stream,
                                      const std::shared_ptr<StreamSource>& source) {
    LineCutter cutter(source, options_.execution, options_.limits);
    const auto take = [this](Arrival arrival) { service_.offer(std::move(arrival)); };
    v1::EventBatch batch;
    while (stream.Read(&batch)) {
      const auto cut = cutter.add(batch.lines(), take);
      if (!cut) return {grpc::StatusCode::INVALID_ARGUMENT, cut.error().text()};
      if (const grpc::Status refusal = source->refusal(); !refusal.ok()) return refusal;
      slow_down(context, batch.lines().size());
    }
    const auto cut = cutter.finish(take);
    if (!cut) return {grpc::StatusCode::INVALID_ARGUMENT, cut.error().text()};
    return grpc::Status::OK;
  }

  /// Lets a client that sends too much wait.
  void slow_down(const grpc::ServerContext& context, std::size_t bytes) const {
    if (options_.rate == 0) return;
    constexpr std::chrono::milliseconds longest_nap{100};
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() +
                     std::chrono::nanoseconds(std::uint64_t{bytes} * 1'000'000'000 / options_.rate);
    while (!context.IsCancelled() && Clock::now() < end) {
      std::this_thread::sleep_for(std::min<Clock::duration>(longest_nap, end - Clock::now()));
    }
  }

  ArrivalTaker& service_;
  const RpcServerOptions& options_;
  std::atomic<std::size_t> streams_ = 0;
};

class SpanService final : public TraceService::Service {
 public:
  explicit SpanService(const RpcServerOptions& options) : options_(options) {}

  grpc::Status Export(grpc::ServerContext* context, const TraceRequest* request,
                      TraceResponse*) override {
    const auto client = client_of(*context, options_.tokens);
    if (!client) return unknown_token();
    // All its fields are unknown to the empty message, which keeps them.
    const auto taken = options_.take_spans(*client, request->SerializeAsString());
    switch (taken.what) {
      case SpanAnswer::What::stored: break;
      case SpanAnswer::What::bad: return {grpc::StatusCode::INVALID_ARGUMENT, taken.why};
      // Of the two only this one tells an exporter to send it again.
      case SpanAnswer::What::not_stored: return {grpc::StatusCode::UNAVAILABLE, taken.why};
    }
    return grpc::Status::OK;
  }

 private:
  const RpcServerOptions& options_;
};

[[nodiscard]] std::string whole_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

[[nodiscard]] std::shared_ptr<grpc::ServerCredentials> credentials_of(const TlsFiles& tls) {
  if (tls.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back({whole_file(tls.key), whole_file(tls.certificate)});
  return grpc::SslServerCredentials(options);
}

}  // namespace

class RpcServer::Core {
 public:
  Core(ArrivalTaker& service, RpcServerOptions given)
      : options(std::move(given)), events(service, options), spans(options) {}

  RpcServerOptions options;
  EventService events;
  SpanService spans;
  std::unique_ptr<grpc::Server> server;
};

RpcServer::RpcServer(std::unique_ptr<Core> core) : core_(std::move(core)) {}

RpcServer::~RpcServer() {
  if (core_->server) core_->server->Shutdown(std::chrono::system_clock::now());
}

const ListenAddress& RpcServer::address() const { return core_->options.address; }

Expected<std::unique_ptr<RpcServer>> RpcServer::start(ArrivalTaker& service,
                                                      RpcServerOptions options) {
  auto core = std::make_unique<Core>(service, std::move(options));
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(core->options.address.text(), credentials_of(core->options.tls), &port);
  builder.SetMaxReceiveMessageSize(core->options.largest_message);
  // Each call has a thread.
  constexpr int threads_beside_streams = 64;
  grpc::ResourceQuota quota("lightcone-monitor");
  const auto streams = std::min<std::size_t>(core->options.clients, 1 << 16);
  quota.SetMaxThreads(static_cast<int>(streams) + threads_beside_streams);
  builder.SetResourceQuota(quota);
  // A client whose machine is gone does not count for long.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  // Another program that has the port is not to be joined.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  if (core->options.takes_events) builder.RegisterService(&core->events);
  if (core->options.take_spans) builder.RegisterService(&core->spans);
  core->server = builder.BuildAndStart();
  if (!core->server || port == 0) {
    return failure(fmt::format("{} cannot be used for gRPC", core->options.address.text()), {}, 0,
                   "another program may use it; choose another port");
  }
  core->options.address.port = static_cast<std::uint16_t>(port);
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(core)));
}

}  // namespace lightcone::service
