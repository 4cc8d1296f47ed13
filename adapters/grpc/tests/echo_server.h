// Serves echo.proto on loopback, with or without interceptors.
#pragma once

#include <grpcpp/grpcpp.h>
#include <lightcone/grpc/interceptors.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "echo.grpc.pb.h"

namespace lightcone {

/// Says what it is told. `Once` refuses an empty text.
class EchoService final : public tests::Echo::Service {
 public:
  ::grpc::Status Once(::grpc::ServerContext*, const tests::Text* asked,
                      tests::Text* answer) override {
    if (asked->text().empty()) return {::grpc::StatusCode::INVALID_ARGUMENT, "there is no text"};
    *answer = *asked;
    return ::grpc::Status::OK;
  }
  ::grpc::Status Join(::grpc::ServerContext*, ::grpc::ServerReader<tests::Text>* asked,
                      tests::Text* answer) override {
    for (tests::Text text; asked->Read(&text);) answer->set_text(answer->text() + text.text());
    return ::grpc::Status::OK;
  }
  ::grpc::Status Split(::grpc::ServerContext*, const tests::Text* asked,
                       ::grpc::ServerWriter<tests::Text>* answers) override {
    for (const char letter : asked->text()) {
      tests::Text text;
      text.set_text(std::string(1, letter));
      answers->Write(text);
    }
    return ::grpc::Status::OK;
  }
  ::grpc::Status Each(::grpc::ServerContext*,
                      ::grpc::ServerReaderWriter<tests::Text, tests::Text>* both) override {
    for (tests::Text text; both->Read(&text);) both->Write(text);
    return ::grpc::Status::OK;
  }
};

/// Serves from its construction to its end. A port is chosen.
class EchoServer {
 public:
  explicit EchoServer(grpc::ServerInterceptors interceptors = {}) {
    ::grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", ::grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&service_);
    builder.experimental().SetInterceptorCreators(std::move(interceptors));
    server_ = builder.BuildAndStart();
  }
  ~EchoServer() { server_->Shutdown(std::chrono::system_clock::now()); }

  [[nodiscard]] std::unique_ptr<tests::Echo::Stub> stub(
      grpc::ClientInterceptors interceptors = {}) const {
    return tests::Echo::NewStub(::grpc::experimental::CreateCustomChannelWithInterceptors(
        "127.0.0.1:" + std::to_string(port_), ::grpc::InsecureChannelCredentials(), {},
        std::move(interceptors)));
  }

 private:
  EchoService service_;
  int port_ = 0;
  std::unique_ptr<::grpc::Server> server_;
};

/// Returns the answer, or nothing if the call failed.
[[nodiscard]] inline std::string asked_once(tests::Echo::Stub& stub, const std::string& said) {
  ::grpc::ClientContext context;
  tests::Text text, answer;
  text.set_text(said);
  return stub.Once(&context, text, &answer).ok() ? answer.text() : std::string();
}

}  // namespace lightcone
