// Passes calls of gRPC to the service.
#include "rpc/rpc_server.h"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <lightcone/base/json.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>

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

/// A client's stream. It is answered as long as the call lasts.
class StreamSource final : public LineSource {
 public:
  explicit StreamSource(EventStream& stream) : stream_(&stream) {}

  void stored(const std::string& execution,
              const std::map<std::string, std::uint64_t>& events) override {
    write(Json{{"execution", execution}, {"stored", events}}.dump());
  }
  void refused(const std::string& why) override {
    write(Json{{"refused", why}}.dump());
    const std::lock_guard lock(mutex_);
    refusal_ = why;
  }
  void ask(const std::string& line) override { write(line); }
  void leave() {
    const std::lock_guard lock(mutex_);
    stream_ = nullptr;
  }
  [[nodiscard]] std::string refusal() const {
    const std::lock_guard lock(mutex_);
    return refusal_;
  }

 private:
  void write(std::string line) {
    const std::lock_guard lock(mutex_);
    if (stream_ == nullptr) return;
    v1::EventAnswer answer;
    answer.set_line(std::move(line));
    stream_->Write(answer);
  }

  mutable std::mutex mutex_;
  EventStream* stream_;
  std::string refusal_;
};

class EventService final : public v1::Monitor::Service {
 public:
  EventService(ArrivalTaker& service, const RpcServerOptions& options)
      : service_(service), options_(options) {}

  grpc::Status Report(grpc::ServerContext* context, EventStream* stream) override {
    const auto client = client_of(*context, options_.tokens);
    if (!client) return unknown_token();
    auto source = std::make_shared<StreamSource>(*stream);
    source->client = *client;
    const grpc::Status status = read_all(*stream, source);
    service_.settle();  // so that the last answers are sent
    source->leave();
    return status;
  }

 private:
  [[nodiscard]] grpc::Status read_all(EventStream& stream,
                                      const std::shared_ptr<StreamSource>& source) {
    LineCutter cutter(source, options_.execution, options_.limits);
    const auto take = [this](Arrival arrival) { service_.offer(std::move(arrival)); };
    v1::EventBatch batch;
    while (stream.Read(&batch)) {
      const auto cut = cutter.add(batch.lines(), take);
      if (!cut) return {grpc::StatusCode::INVALID_ARGUMENT, cut.error().text()};
      const std::string refusal = source->refusal();
      if (!refusal.empty()) return {grpc::StatusCode::PERMISSION_DENIED, refusal};
    }
    const auto cut = cutter.finish(take);
    if (!cut) return {grpc::StatusCode::INVALID_ARGUMENT, cut.error().text()};
    return grpc::Status::OK;
  }

  ArrivalTaker& service_;
  const RpcServerOptions& options_;
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
    if (!taken) return {grpc::StatusCode::INVALID_ARGUMENT, taken.error().text()};
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
