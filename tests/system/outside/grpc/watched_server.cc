// A server and a channel that are watched, built against the installed adapter.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <lightcone/grpc/interceptors.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

int main() {
  lightcone::ProcessOptions options;
  options.name = "mine";
  const auto process = lightcone::Process::start(options).value();
  int port = 0;
  grpc::CallbackGenericService service;  // refuses all calls
  grpc::ServerBuilder builder;
  builder.RegisterCallbackGenericService(&service);
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.experimental().SetInterceptorCreators(lightcone::grpc::server_interceptors(*process));
  const auto server = builder.BuildAndStart();
  const auto channel = grpc::experimental::CreateCustomChannelWithInterceptors(
      "127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(), {},
      lightcone::grpc::client_interceptors(*process));
  const bool is_connected =
      channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(20));
  server->Shutdown();
  std::printf("%s\n", is_connected ? "connected" : "not connected");
  return is_connected ? 0 : 1;
}
