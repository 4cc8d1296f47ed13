// Sends spans to a monitor over gRPC or HTTP, at a rate or as fast as it takes them.
#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <lightcone/base/wire.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "started_monitor.h"
#include "trace_service.grpc.pb.h"

namespace lightcone::load {
namespace {

using Clock = std::chrono::steady_clock;
namespace otlp = opentelemetry::proto::collector::trace::v1;

constexpr std::string_view properties =
    "require authorised : every longest flow at charge contains authorise\n"
    "forbid both : possibly count(busy == 1) >= 4\n";
constexpr std::uint64_t per_trace = 5, one_bad_in = 100;

struct LoadOptions {
  std::string program;
  std::uint64_t spans = 200'000, rate = 0, batch = 500;
  std::uint32_t clients = 4;
  double most_memory = 0;
  bool by_grpc = false;
};

/// A message of protocol buffers.
class Message {
 public:
  Message& number(std::uint32_t field, std::uint64_t value) {
    writer_.number(field << 3);
    writer_.number(value);
    return *this;
  }
  Message& fixed(std::uint32_t field, std::uint64_t value) {
    writer_.number(field << 3 | 1);
    writer_.fixed(value, 8);
    return *this;
  }
  Message& bytes(std::uint32_t field, std::string_view value) {
    writer_.number(field << 3 | 2);
    writer_.text(value);
    return *this;
  }
  [[nodiscard]] const std::string& text() { return writer_.bytes(); }

 private:
  WireWriter writer_;
};

[[nodiscard]] std::string id_of(std::uint64_t number, std::size_t size) {
  std::string id(size, '\1');
  for (std::size_t i = 0; i < 8; ++i) id[size - 1 - i] = static_cast<char>(number >> (8 * i));
  return id;
}

struct SpanWords {
  std::uint64_t id, parent;
  std::string_view name;
  std::uint64_t kind, start, duration;
};

[[nodiscard]] std::string span_of(std::uint64_t trace, const SpanWords& words) {
  Message span;
  span.bytes(1, id_of(trace, 16)).bytes(2, id_of(words.id, 8));
  if (words.parent != 0) span.bytes(4, id_of(words.parent, 8));
  const std::string busy = Message().number(3, 1).text();
  const std::string attribute = Message().bytes(1, "busy").bytes(2, busy).text();
  return span.bytes(5, words.name)
      .number(6, words.kind)
      .fixed(7, 1'000'000 * trace + words.start)
      .fixed(8, 1'000'000 * trace + words.start + words.duration)
      .bytes(9, attribute)
      .text();
}

[[nodiscard]] std::string resource_of(std::string_view service, const std::string& scope) {
  const std::string name = Message().bytes(1, service).text();
  const std::string attribute = Message().bytes(1, "service.name").bytes(2, name).text();
  return Message().bytes(1, Message().bytes(1, attribute).text()).bytes(2, scope).text();
}

/// The traces from `first` on: a shop authorises, and lets its bank charge. One in a hundred does
/// not authorise.
[[nodiscard]] std::string request_of(std::uint64_t first, std::uint64_t count) {
  Message shop, bank;
  for (std::uint64_t trace = first; trace < first + count; ++trace) {
    const bool is_bad = trace % one_bad_in == 0;
    shop.bytes(2, span_of(trace, {1, 0, "order", 2, 100, 800}));
    shop.bytes(2, span_of(trace, {2, 1, is_bad ? "forget" : "authorise", 1, 200, 50}));
    shop.bytes(2, span_of(trace, {3, 1, "pay", 3, 300, 500}));
    bank.bytes(2, span_of(trace, {4, 3, "charge", 2, 400, 300}));
    bank.bytes(2, span_of(trace, {5, 4, "book", 1, 500, 100}));
  }
  return Message()
      .bytes(1, resource_of("shop", shop.text()))
      .bytes(1, resource_of("bank", bank.text()))
      .text();
}

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "{}\n", why);
  std::exit(1);
}

/// One connection over HTTP, which stays open.
class Poster {
 public:
  explicit Poster(std::uint16_t port) : socket_(connected_socket(port)) {}
  Poster(const Poster&) = delete;
  Poster& operator=(const Poster&) = delete;
  ~Poster() { ::close(socket_); }
  void send(const std::string& body) {
    send_all(socket_, fmt::format("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                  "application/x-protobuf\r\nContent-Length: {}\r\n\r\n",
                                  body.size()) +
                          body);
    char buffer[4096];
    std::string answer;
    while (answer.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
      if (size <= 0) give_up("the monitor is gone");
      answer.append(buffer, static_cast<std::size_t>(size));
    }
    if (!answer.starts_with("HTTP/1.1 200")) give_up(answer);
  }

 private:
  int socket_;
};

class Caller {
 public:
  explicit Caller(std::uint16_t port)
      : stub_(otlp::TraceService::NewStub(grpc::CreateChannel(
            fmt::format("127.0.0.1:{}", port), grpc::InsecureChannelCredentials()))) {}
  void send(const std::string& body) {
    otlp::ExportTraceServiceRequest request;
    if (!request.ParseFromString(body)) give_up("no request");
    otlp::ExportTraceServiceResponse response;
    grpc::ClientContext context;
    const auto status = stub_->Export(&context, request, &response);
    if (!status.ok()) give_up(status.error_message());
  }

 private:
  std::unique_ptr<otlp::TraceService::Stub> stub_;
};

/// Sends its share of the batches.
template <class Sender>
void send_batches(const LoadOptions& options, std::uint16_t port, std::uint32_t client,
                  Clock::time_point began) {
  Sender sender(port);
  const std::uint64_t traces = options.spans / per_trace, at_a_time = options.batch / per_trace;
  const std::uint64_t batches = traces / at_a_time;
  for (std::uint64_t batch = client; batch < batches; batch += options.clients) {
    if (options.rate != 0) {
      const double due =
          static_cast<double>(batch * options.batch) / static_cast<double>(options.rate);
      std::this_thread::sleep_until(
          began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(due)));
    }
    sender.send(request_of(batch * at_a_time, at_a_time));
  }
}

[[nodiscard]] int run_load(const LoadOptions& options) {
  const StartedMonitor monitor(
      options.program, properties,
      {"--otlp", "127.0.0.1:0", "--quiet", "1", "--output", "{}/verdicts"});
  const std::uint16_t port =
      monitor.port_after(options.by_grpc ? "spans over gRPC at" : "spans over HTTP at");
  double most_memory = 0;
  std::atomic<bool> ends = false;
  std::thread watcher([&] {
    while (!ends) {
      most_memory = std::max(most_memory, metric(monitor.metrics(), "lightcone_memory_bytes"));
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  const auto began = Clock::now();
  std::vector<std::thread> threads;
  for (std::uint32_t client = 0; client < options.clients; ++client) {
    threads.emplace_back([&, client] {
      (options.by_grpc ? send_batches<Caller> : send_batches<Poster>)(options, port, client, began);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double sending = std::chrono::duration<double>(Clock::now() - began).count();
  const double traces =
      static_cast<double>(options.spans / options.batch * (options.batch / per_trace));
  std::string text;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    text = monitor.metrics();
  } while (metric(text, "lightcone_traces_decided_total") < traces);
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  ends = true;
  watcher.join();
  static_cast<void>(print_row("spans", traces * per_trace, ""));
  static_cast<void>(print_row("spans stored per second", traces * per_trace / sending, ""));
  static_cast<void>(print_row("until all traces were decided", seconds, "s"));
  static_cast<void>(print_row("of this after the last span was stored", seconds - sending, "s"));
  static_cast<void>(
      print_row("traces that fail", metric(text, "lightcone_traces_failing_total"), ""));
  return print_row("most memory", most_memory / 1e6, "MB", options.most_memory) ? 0 : 1;
}

}  // namespace
}  // namespace lightcone::load

int main(int argc, char** argv) {
  lightcone::load::LoadOptions options;
  CLI::App app("Sends spans to a monitor, and measures what it does.");
  app.add_option("PROGRAM", options.program, "lightcone-monitor")->required();
  app.add_option("--spans", options.spans, "how many");
  app.add_option("--rate", options.rate, "spans per second; 0: as fast as the monitor takes them");
  app.add_option("--batch", options.batch, "spans per request");
  app.add_option("--clients", options.clients, "connections");
  app.add_option("--most-memory", options.most_memory, "fail beyond so many MB");
  app.add_flag("--grpc", options.by_grpc, "over gRPC, else over HTTP");
  CLI11_PARSE(app, argc, argv);
  return lightcone::load::run_load(options);
}
