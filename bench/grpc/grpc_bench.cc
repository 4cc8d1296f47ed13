// What tags cost unary calls of gRPC on loopback: watched and plain calls in turns, in one run.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "tests/echo_server.h"

namespace lightcone::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int calls = 100;  // of each kind, one after the other
constexpr const char* one_property = "forbid never : some flow contains Once -> Once -> Never\n";

[[nodiscard]] std::unique_ptr<Process> watched(const std::string& name, bool has_property) {
  ProcessOptions options;
  options.name = name;
  options.members = {"client", "server"};
  if (has_property) options.properties = one_property;
  return std::move(Process::start(std::move(options)).value());
}

/// What the calls without Lightcone have.
enum class Rival { plain, idle_interceptors, metadata };

/// What gRPC itself takes for interceptors, and for an entry of metadata in both directions.
class RivalInterceptor final : public ::grpc::experimental::Interceptor {
 public:
  using Point = ::grpc::experimental::InterceptionHookPoints;
  using Methods = ::grpc::experimental::InterceptorBatchMethods;

  RivalInterceptor(Rival rival, bool is_client) : rival_(rival), is_client_(is_client) {}
  void Intercept(Methods* methods) override {
    if (rival_ == Rival::metadata) is_client_ ? ask(*methods) : answer(*methods);
    methods->Proceed();
  }

 private:
  static constexpr const char* key = "rivals-data-bin";
  static constexpr std::size_t bytes = 16;  // as a tag without properties

  static void ask(Methods& methods) {
    if (methods.QueryInterceptionHookPoint(Point::PRE_SEND_INITIAL_METADATA)) {
      methods.GetSendInitialMetadata()->emplace(key, std::string(bytes, '\xC1'));
    }
    if (methods.QueryInterceptionHookPoint(Point::POST_RECV_STATUS)) {
      if (!methods.GetRecvTrailingMetadata()->contains(key)) std::abort();
    }
  }
  static void answer(Methods& methods) {
    if (methods.QueryInterceptionHookPoint(Point::POST_RECV_INITIAL_METADATA)) {
      if (!methods.GetRecvInitialMetadata()->contains(key)) std::abort();
    }
    if (methods.QueryInterceptionHookPoint(Point::PRE_SEND_STATUS)) {
      methods.GetSendTrailingMetadata()->emplace(key, std::string(bytes, '\xC1'));
    }
  }

  Rival rival_;
  bool is_client_;
};
class RivalFactory final : public ::grpc::experimental::ClientInterceptorFactoryInterface,
                           public ::grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit RivalFactory(Rival rival) : rival_(rival) {}
  ::grpc::experimental::Interceptor* CreateClientInterceptor(
      ::grpc::experimental::ClientRpcInfo*) override {
    return new RivalInterceptor(rival_, true);
  }
  ::grpc::experimental::Interceptor* CreateServerInterceptor(
      ::grpc::experimental::ServerRpcInfo*) override {
    return new RivalInterceptor(rival_, false);
  }

 private:
  Rival rival_;
};
template <class Interceptors>
[[nodiscard]] Interceptors interceptors_of(Rival rival) {
  Interceptors all;
  if (rival != Rival::plain) all.push_back(std::make_unique<RivalFactory>(rival));
  return all;
}

/// Of this whole program, which is client and server.
[[nodiscard]] double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

/// What calls of one kind have cost.
struct CallCosts {
  std::vector<double> times = {};
  double processor = 0;

  void call(tests::Echo::Stub& stub, const std::string& text) {
    const double before = processor_seconds();
    const auto begin = Clock::now();
    if (asked_once(stub, text) != text) std::abort();
    times.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    processor += processor_seconds() - before;
  }
  [[nodiscard]] double median() {
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
  }
};

/// Each call makes four events, and carries two tags. Arguments: bytes of a message, whether a
/// property is watched, and what the rival has.
void tagged_unary_calls(benchmark::State& state) {
  const bool has_property = state.range(1) != 0;
  const auto client = watched("client", has_property), server = watched("server", has_property);
  const auto rival = static_cast<Rival>(state.range(2));
  const EchoServer plain_server(interceptors_of<grpc::ServerInterceptors>(rival));
  const EchoServer tagged_server(grpc::server_interceptors(*server));
  const auto plain_stub = plain_server.stub(interceptors_of<grpc::ClientInterceptors>(rival));
  const auto tagged_stub = tagged_server.stub(grpc::client_interceptors(*client));
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  CallCosts plain, tagged;
  for (auto _ : state) {
    for (int i = 0; i < calls; ++i) {
      plain.call(*plain_stub, text);
      tagged.call(*tagged_stub, text);
    }
  }
  state.counters["ours_us"] = tagged.median() * 1e6;
  state.counters["rival_us"] = plain.median() * 1e6;
  state.counters["ratio"] = tagged.median() / plain.median();
  state.counters["processor_ratio"] = tagged.processor / plain.processor;
  state.counters["at_most"] = 1.10;
}
BENCHMARK(tagged_unary_calls)
    ->Args({16, 0, 0})
    ->Args({16, 1, 0})
    ->Args({1024, 1, 0})
    ->Args({16, 1, 1})
    ->Args({16, 1, 2})
    ->Iterations(50);

}  // namespace
}  // namespace lightcone::bench
