// Starts the service and its inputs, and waits for a signal or for the end of standard input.
#include "monitor_program.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <lightcone/monitor.h>
#include <lightcone/property/language/syntax.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>

#include "accept/line_cutter.h"
#include "monitor_options.h"
#include "monitor_service.h"
#include "nats/nats_monitor.h"
#include "otlp/span_intake.h"
#include "pages/monitor_pages.h"
#include "rpc/rpc_server.h"
#include "serve/line_server.h"
#include "serve/verdict_post.h"
#include "serve/web_server.h"
#include "snapshot/snapshot_command.h"
#include "snapshot/snapshot_question.h"

namespace lightcone::service {
namespace {

enum ExitStatus : int { ok = 0, bad_input = 2, internal_limit = 3 };

void say(const std::string& text) {
  fmt::print(stderr, "lightcone-monitor: {}\n", text);
  std::fflush(stderr);
}

int report_error(const Error& error) {
  say(error.text());
  return bad_input;
}

/// Standard input as a client.
class InputSource final : public LineSource {
 public:
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
  void refused(const std::string& why) override { say("standard input: " + why); }
};

/// SIGINT and SIGTERM, as something to wait for.
class EndSignals {
 public:
  EndSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals() { ::close(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// What runs, from the inputs down to the service.
class RunningMonitor {
 public:
  RunningMonitor(MonitorArguments arguments, PropertyTexts properties)
      : arguments_(std::move(arguments)), properties_(std::move(properties)) {}

  [[nodiscard]] Expected<void> start() {
    if (auto read = read_access(); !read) return read;
    if (!arguments_.post.empty()) {
      poster_ = std::make_unique<VerdictPost>(arguments_.post, say);
    }
    auto decides = arguments_.nats.empty() ? start_service() : start_sharing();
    if (!decides) return decides;
    snapshots_ = std::make_unique<SnapshotIntake>(
        taker(), SnapshotIntake::Executions{
                     [this](const std::string& execution) { return processes_of(execution); },
                     [this](const std::string& execution) { return is_open(execution); }});
    snapshots_->count_memory_in(service_ ? service_->memory() : shared_->memory());
    if (shared_) {
      auto exchange = shared_->share_snapshots(*snapshots_);
      if (!exchange) return failure(exchange.error());
      exchange_ = std::move(*exchange);
    }
    if (auto web = start_web(); !web) return web;
    if (auto spans = start_spans(); !spans) return spans;
    if (auto streams = start_streams(); !streams) return streams;
    return start_lines();
  }

  /// Returns the exit status, after a signal or the end of the input.
  [[nodiscard]] int run(const EndSignals& signals) {
    const bool has_ended = arguments_.reads_standard_input() ? read_input(signals) : wait(signals);
    snapshots_->stop();
    if (shared_) shared_->intake().end_soon();
    if (service_) service_->hold_nobody();
    lines_.reset();
    streams_.reset();
    span_calls_.reset();
    span_posts_.reset();
    // Where nothing is stored, nobody can go on with the executions.
    const bool ends_all = has_ended || arguments_.state.empty();
    const auto stopped = service_ ? service_->stop(ends_all) : Expected<void>();
    web_.reset();
    exchange_.reset();
    shared_.reset();
    poster_.reset();
    if (!stopped) return report_error(stopped.error());
    return is_bad_ ? bad_input : ok;
  }

 private:
  [[nodiscard]] Expected<void> read_access() {
    tls_ = {arguments_.certificate, arguments_.key};
    if (tls_.certificate.empty() != tls_.key.empty()) {
      return failure("--tls-certificate and --tls-key go together");
    }
    if (arguments_.tokens.empty()) return {};
    auto tokens = Tokens::read(arguments_.tokens);
    if (!tokens) return failure(tokens.error());
    tokens_ = std::move(*tokens);
    return {};
  }

  [[nodiscard]] Expected<void> start_service() {
    auto service = MonitorService::start(properties_.properties, service_options());
    if (!service) return failure(service.error());
    service_ = std::move(*service);
    return {};
  }

  /// With other monitors, over a stream.
  [[nodiscard]] Expected<void> start_sharing() {
    constexpr std::size_t kept_spans = 20'000;  // of each partition
    const ServiceOptions common = service_options();
    NatsMonitorOptions options;
    options.url = arguments_.nats;
    options.names = StreamNames(arguments_.nats_name);
    options.partitions = arguments_.partitions;
    options.identity = common.identity;
    options.takeover = milliseconds(arguments_.takeover);
    options.execution_bytes = common.execution_bytes;
    PartitionOptions& partition = options.worker.partition;
    partition.acceptance = common.acceptance;
    partition.execution = common.execution;
    partition.keep = common.keep;
    partition.keep_bytes = common.keep_bytes;
    partition.silent = common.silent;
    partition.note = common.note;
    // What is remembered must follow from the messages, whoever reads them.
    partition.span_decider =
        span_decider({.spans = kept_spans, .traces = 0}, common.execution.decision);
    options.worker.quiet = common.quiet;
    options.worker.quiet_trace = common.quiet_trace;
    options.worker.show = [show = common.show,
                           mutex = std::make_shared<std::mutex>()](const VerdictLog::Line& line) {
      const std::lock_guard lock(*mutex);
      show(line);
    };
    auto shared = NatsMonitor::start(properties_.properties, std::move(options));
    if (!shared) return failure(shared.error());
    shared_ = std::move(*shared);
    arguments_.longest_line = std::min<std::size_t>(arguments_.longest_line, 700 << 10);
    say("shares the stream at " + arguments_.nats);
    return {};
  }

  [[nodiscard]] ArrivalTaker& taker() {
    if (service_) return *service_;
    return shared_->intake();
  }
  [[nodiscard]] std::string trouble() const {
    return service_ ? service_->trouble() : shared_->trouble();
  }

  [[nodiscard]] Expected<SnapshotIntake::Owners> processes_of(const std::string& execution) const {
    if (exchange_) return exchange_->processes_of(execution);
    const auto open = service_->open_executions();
    const auto found = open.find(execution);
    SnapshotIntake::Owners owners;
    if (found == open.end()) return owners;
    for (const auto& [process, summary] : found->second) owners[process] = summary.owner;
    return owners;
  }
  [[nodiscard]] bool is_open(const std::string& execution) const {
    return service_ ? service_->open_executions().contains(execution) : shared_->decides(execution);
  }

  /// Of a stream that is shared, only what is kept is shown.
  [[nodiscard]] PageSources page_sources() {
    PageSources sources{arguments_.keep, properties_.texts, {}, {}};
    if (!service_) return sources;
    sources.write_open = [this](const std::string& name) { service_->write_open(name); };
    sources.open = [this] {
      std::vector<OpenExecutionSummary> all;
      for (const auto& [execution, processes] : service_->open_executions()) {
        OpenExecutionSummary& one = all.emplace_back();
        one.execution = execution;
        if (!arguments_.keep.empty()) one.name = KeptExecutions::file_name(execution);
        one.processes = processes.size();
        for (const auto& [process, summary] : processes) one.events += summary.events;
      }
      return all;
    };
    return sources;
  }

  [[nodiscard]] WebAnswer take_snapshot(const WebRequest& request) {
    const auto executions = [this]() -> Expected<std::vector<std::string>> {
      if (exchange_) return exchange_->open_executions();
      std::vector<std::string> names;
      for (const auto& [name, processes] : service_->open_executions()) names.push_back(name);
      return names;
    };
    return answer_question(*snapshots_, executions, request);
  }

  [[nodiscard]] ServiceOptions service_options() {
    ServiceOptions options;
    options.state = arguments_.state;
    options.output = arguments_.output;
    options.identity = properties_.texts;
    options.acceptance.executions = arguments_.executions;
    options.acceptance.processes = arguments_.processes;
    options.execution.waiting = arguments_.waiting;
    options.execution.decision.states = arguments_.limit_states;
    options.execution.decision.bytes = static_cast<std::size_t>(arguments_.limit_memory * 1e6);
    options.execution_bytes = static_cast<std::size_t>(arguments_.memory * 1e6);
    options.keep = arguments_.keep;
    options.keep_bytes = static_cast<std::uint64_t>(arguments_.keep_megabytes * 1e6);
    options.quiet = milliseconds(arguments_.quiet);
    if (arguments_.quiet > 0) options.quiet_trace = options.quiet;
    options.span_decider = span_decider({}, options.execution.decision);
    options.read_batch = [](SpanBatch& batch) { return read_batch(batch); };
    options.silent = milliseconds(arguments_.silent);
    options.note = say;
    options.show = [this](const VerdictLog::Line& line) {
      if (arguments_.output.empty()) {
        fmt::print("{}\n", arguments_.json ? line.json : line.words);
        std::fflush(stdout);
      }
      if (poster_) poster_->add(line.number, line.json);
    };
    return options;
  }

  [[nodiscard]] static std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  }

  [[nodiscard]] Expected<ListenAddress> usable_address(const std::string& text,
                                                       std::uint16_t port) const {
    auto address = address_of(text, port);
    if (!address) return address;
    if (auto known = check_host(*address); !known) return failure(known.error());
    if (auto safe = check_exposure(*address, tls_, arguments_.insecure); !safe) {
      return failure(safe.error());
    }
    return address;
  }

  [[nodiscard]] Expected<void> start_web() {
    if (arguments_.http.empty()) return {};
    const auto address = usable_address(arguments_.http, 9464);
    if (!address) return failure(address.error());
    web_ = std::make_unique<WebServer>(WebServerOptions{*address, tokens_, tls_});
    web_->on_get("/metrics", [this](const WebRequest&) {
      return WebAnswer{200, "text/plain; version=0.0.4; charset=utf-8",
                       service_ ? service_->metrics() : shared_->metrics()};
    });
    web_->on_get("/status", [this](const WebRequest&) {
      return WebAnswer{200, "application/json",
                       (service_ ? service_->status() : shared_->status()) + "\n"};
    });
    web_->on_post("/snapshot",
                  [this](const WebRequest& request) { return take_snapshot(request); });
    web_->on_get("/healthz", [this](const WebRequest&) {
      const std::string why = trouble();
      return why.empty() ? WebAnswer{200, "text/plain", "ok\n"}
                         : WebAnswer{503, "text/plain", why + "\n"};
    });
    pages_ = std::make_unique<MonitorPages>(page_sources());
    pages_->add_to(*web_);
    if (auto started = web_->start(); !started) return started;
    say("serves metrics at " + web_->address().text());
    return {};
  }

  [[nodiscard]] Expected<void> start_lines() {
    if (arguments_.listen.empty()) return {};
    const auto address = usable_address(arguments_.listen, 4316);
    if (!address) return failure(address.error());
    LineServerOptions options;
    options.address = *address;
    options.tokens = tokens_;
    const auto tls = tls_context(tls_);
    if (!tls) return failure(tls.error());
    options.tls = *tls;
    options.limits.longest_line = arguments_.longest_line;
    options.execution = arguments_.execution;
    options.clients = arguments_.clients;
    options.rate = arguments_.rate;
    auto server = LineServer::start(*snapshots_, std::move(options));
    if (!server) return failure(server.error());
    lines_ = std::move(*server);
    say("listens at " + lines_->address().text());
    return {};
  }

  [[nodiscard]] Expected<void> start_streams() {
    if (arguments_.grpc.empty()) return {};
    const auto address = usable_address(arguments_.grpc, 4315);
    if (!address) return failure(address.error());
    RpcServerOptions options;
    options.address = *address;
    options.tokens = tokens_;
    options.tls = tls_;
    options.limits.longest_line = arguments_.longest_line;
    options.execution = arguments_.execution;
    options.clients = arguments_.clients;
    options.rate = arguments_.rate;
    auto server = RpcServer::start(*snapshots_, std::move(options));
    if (!server) return failure(server.error());
    streams_ = std::move(*server);
    say("takes event streams at " + streams_->address().text());
    return {};
  }

  /// Spans over gRPC on the port, over HTTP on the one after it.
  [[nodiscard]] Expected<void> start_spans() {
    if (arguments_.otlp.empty()) return {};
    auto address = usable_address(arguments_.otlp, 4317);
    if (!address) return failure(address.error());
    RpcServerOptions calls;
    calls.address = *address;
    calls.tokens = tokens_;
    calls.tls = tls_;
    calls.takes_events = false;
    calls.take_spans = [this](const std::string& client, std::string bytes) {
      return take_spans(taker(), client, SpanBatch::Encoding::protobuf, std::move(bytes));
    };
    auto server = RpcServer::start(taker(), std::move(calls));
    if (!server) return failure(server.error());
    span_calls_ = std::move(*server);
    if (address->port != 0) ++address->port;
    span_posts_ = std::make_unique<WebServer>(WebServerOptions{*address, tokens_, tls_});
    span_posts_->on_post("/v1/traces",
                         [this](const WebRequest& request) { return take_post(request); });
    if (auto started = span_posts_->start(); !started) return started;
    say("takes spans over gRPC at " + span_calls_->address().text());
    say("takes spans over HTTP at " + span_posts_->address().text());
    return {};
  }

  [[nodiscard]] WebAnswer take_post(const WebRequest& request) {
    const bool is_json = request.type.starts_with("application/json");
    if (!is_json && !request.type.starts_with("application/x-protobuf")) {
      return {415, "text/plain", "spans come as application/x-protobuf or application/json\n"};
    }
    const auto taken = take_spans(
        taker(), request.client,
        is_json ? SpanBatch::Encoding::json : SpanBatch::Encoding::protobuf, request.body);
    if (taken.what == SpanAnswer::What::bad) return {400, "text/plain", taken.why + "\n"};
    if (taken.what == SpanAnswer::What::not_stored) return {503, "text/plain", taken.why + "\n"};
    return is_json ? WebAnswer{200, "application/json", "{}"}
                   : WebAnswer{200, "application/x-protobuf", ""};
  }

  /// Returns false: a signal came.
  [[nodiscard]] bool wait(const EndSignals& signals) const {
    constexpr int look_up_every = 200;
    // A stream that is gone comes back.
    while (shared_ || service_->trouble().empty()) {
      pollfd waits{signals.descriptor(), POLLIN, 0};
      if (::poll(&waits, 1, look_up_every) > 0) break;
    }
    return false;
  }

  /// Returns true if the input has ended.
  [[nodiscard]] bool read_input(const EndSignals& signals) {
    LineLimits limits;
    limits.longest_line = arguments_.longest_line;
    LineCutter cutter(std::make_shared<InputSource>(), arguments_.execution, limits);
    const auto take = [this](Arrival arrival) { service_->offer(std::move(arrival)); };
    std::vector<char> buffer(1 << 18);
    for (;;) {
      pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {signals.descriptor(), POLLIN, 0}};
      if (::poll(waits, 2, -1) < 0) continue;
      if (waits[1].revents != 0 || !service_->trouble().empty()) return false;
      const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (size < 0) {
        say(fmt::format("standard input cannot be read: {}", std::strerror(errno)));
        is_bad_ = true;
        return true;
      }
      const auto cut = size > 0 ? cutter.add({buffer.data(), static_cast<std::size_t>(size)}, take)
                                : cutter.finish(take);
      if (!cut) {
        Error error = cut.error();
        error.file = "standard input";
        say(error.text());
        is_bad_ = true;
      }
      if (size == 0 || !cut) return true;
    }
  }

  MonitorArguments arguments_;
  PropertyTexts properties_;
  Tokens tokens_;
  TlsFiles tls_;
  std::unique_ptr<VerdictPost> poster_;
  std::unique_ptr<MonitorService> service_;  // null: it shares a stream
  std::unique_ptr<NatsMonitor> shared_;      // null: it decides alone
  std::unique_ptr<SnapshotIntake> snapshots_;
  std::unique_ptr<SnapshotExchange> exchange_;  // null: it decides alone
  std::unique_ptr<MonitorPages> pages_;
  std::unique_ptr<WebServer> web_;
  std::unique_ptr<LineServer> lines_;
  std::unique_ptr<RpcServer> streams_, span_calls_;
  std::unique_ptr<WebServer> span_posts_;
  bool is_bad_ = false;
};

/// What cannot be decided before the end of an execution is said at the start.
void tell_of_undecidable(const PropertyFile& properties) {
  for (const Property& property : properties.syntax().properties) {
    if (Monitor::can_check(properties.syntax(), property)) continue;
    say(fmt::format("property `{}` needs the whole trace: the monitor says `unknown`",
                    property.name));
  }
}

[[nodiscard]] int run_parsed(MonitorArguments arguments) {
  if (auto checked = arguments.check(); !checked) return report_error(checked.error());
  auto properties = read_property_files(arguments.properties);
  if (!properties) return report_error(properties.error());
  tell_of_undecidable(properties->properties);
  const EndSignals signals;  // before any thread, so that all of them leave these alone
  RunningMonitor monitor(std::move(arguments), std::move(*properties));
  if (auto started = monitor.start(); !started) return report_error(started.error());
  return monitor.run(signals);
}

}  // namespace

int run_monitor(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "snapshot") {
    return run_snapshot({arguments.begin() + 1, arguments.end()});
  }
  CLI::App app(
      "Decides properties of programs while they run: reads events as JSON Lines, and "
      "tells each verdict as soon as it is certain.",
      "lightcone-monitor");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", std::string("lightcone-monitor " LIGHTCONE_VERSION),
                       "print the version and exit");
  MonitorArguments parsed;
  parsed.define(app);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    return run_parsed(std::move(parsed));
  } catch (const CLI::Success& success) {
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    say(fmt::format("{}; see `lightcone-monitor --help`", error.what()));
    return bad_input;
  } catch (const std::bad_alloc&) {
    say("not enough memory");
    return internal_limit;
  }
}

}  // namespace lightcone::service
