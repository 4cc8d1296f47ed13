// A watched service with a server of its own, on loopback.
#pragma once

#include <grpcpp/grpcpp.h>
#include <lightcone/grpc/interceptors.h>
#include <lightcone/process.h>

#include <chrono>
#include <memory>
#include <string>

namespace examples {

/// Serves until its end.
class Served {
 public:
  Served(grpc::Service& service, lightcone::Process& process) : name_(process.name()) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&service);
    builder.experimental().SetInterceptorCreators(lightcone::grpc::server_interceptors(process));
    server_ = builder.BuildAndStart();
  }
  ~Served() { server_->Shutdown(std::chrono::system_clock::now()); }

  /// A channel to it, for this process.
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel_of(lightcone::Process& process) const {
    return grpc::experimental::CreateCustomChannelWithInterceptors(
        "127.0.0.1:" + std::to_string(port_), grpc::InsecureChannelCredentials(), {},
        lightcone::grpc::client_interceptors(process, {.server = name_}));
  }

 private:
  std::string name_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace examples
