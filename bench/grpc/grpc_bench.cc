// What tags cost unary calls of gRPC on loopback: watched and plain calls in turns, in one run.
#include "ratio.h"

#include "tests/echo_server.h"

namespace lightcone::bench {
namespace {

constexpr int calls = 500;

[[nodiscard]] std::unique_ptr<Process> watched(const std::string& name) {
  ProcessOptions options;
  options.name = name;
  options.properties = "forbid twice : some flow contains Once -> Once -> Never\n";
  return std::move(Process::start(std::move(options)).value());
}

void call(tests::Echo::Stub& stub, const std::string& text) {
  for (int i = 0; i < calls; ++i) {
    if (asked_once(stub, text) != text) std::abort();
  }
}

/// Each call makes four events, and carries two tags.
void tagged_unary_calls(benchmark::State& state) {
  const auto client = watched("client"), server = watched("server");
  const EchoServer plain, tagged(grpc::server_interceptors(*server));
  const auto plain_stub = plain.stub();
  const auto tagged_stub = tagged.stub(grpc::client_interceptors(*client));
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  call(*plain_stub, text);
  call(*tagged_stub, text);
  compare(
      state, [&] { call(*tagged_stub, text); }, [&] { call(*plain_stub, text); }, 1.10);
}
BENCHMARK(tagged_unary_calls)->Arg(16)->Arg(1024)->UseManualTime()->Iterations(20);

}  // namespace
}  // namespace lightcone::bench
