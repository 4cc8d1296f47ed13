// Makes events of calls, puts tags into metadata and takes them out again.
#include <lightcone/grpc/interceptors.h>
#include <lightcone/transport.h>

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace lightcone::grpc {
namespace {

using ::grpc::experimental::ClientRpcInfo;
using ::grpc::experimental::InterceptionHookPoints;
using ::grpc::experimental::Interceptor;
using ::grpc::experimental::InterceptorBatchMethods;
using ::grpc::experimental::ServerRpcInfo;

using SentMetadata = std::multimap<std::string, std::string>;
using ReceivedMetadata = std::multimap<::grpc::string_ref, ::grpc::string_ref>;

/// Returns the tag, or an empty text: gRPC's own metadata stay where they are.
[[nodiscard]] std::string_view tag_in(const ReceivedMetadata& metadata) {
  const auto found = metadata.find(metadata_key);
  if (found == metadata.end()) return {};
  return {found->second.data(), found->second.size()};
}

/// One call, as one side of it sees it.
class WatchedCall : public Interceptor {
 public:
  /// `method` is `/package.Service/Method`.
  WatchedCall(Process& process, const InterceptorOptions& options, std::string_view method)
      : process_(process),
        options_(options),
        method_(method),
        name_begin_(method_.rfind('/') + 1) {}

 protected:
  /// What an event says: whose label it has, and where it comes from.
  template <class Act>
  auto with_state(std::string_view before_name, bool is_error, const Act& act) const {
    const std::string label = std::string(before_name).append(method_, name_begin_);
    const std::array<std::string_view, 2> labels{label, "error"};
    const std::size_t count = options_.labels ? (is_error ? 2 : 1) : 0;
    LiveState state;
    state.labels = std::span<const std::string_view>(labels.data(), count);
    state.source = method_;
    return act(state);
  }
  void attach(std::string tag, SentMetadata& metadata) const {
    if (tag.size() > options_.most_tag_bytes) tag = unusable_tag();
    metadata.emplace(metadata_key, std::move(tag));
  }
  [[nodiscard]] const InterceptorOptions& options() const { return options_; }

  Process& process_;

 private:
  const InterceptorOptions& options_;
  std::string method_;  // gRPC's own may end before the call does
  std::size_t name_begin_;
};

class ClientCall final : public WatchedCall {
 public:
  ClientCall(Process& process, const InterceptorOptions& options, const ClientRpcInfo& call)
      : WatchedCall(process, options, call.method()),
        is_unary_(call.type() == ClientRpcInfo::Type::UNARY) {}

  void Intercept(InterceptorBatchMethods* methods) override {
    const auto is_at = [&](InterceptionHookPoints point) {
      return methods->QueryInterceptionHookPoint(point);
    };
    if (is_at(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      send(*methods->GetSendInitialMetadata());
    }
    // Only streams have a tag there, and to ask for these metadata makes gRPC copy them.
    if (is_at(InterceptionHookPoints::POST_RECV_INITIAL_METADATA) && !is_unary_) {
      take_beginning(*methods->GetRecvInitialMetadata());
    }
    if (is_at(InterceptionHookPoints::POST_RECV_STATUS)) {
      take_end(*methods->GetRecvTrailingMetadata(), methods->GetRecvStatus()->ok());
    }
    methods->Proceed();
  }

 private:
  void send(SentMetadata& metadata) {
    const std::string& server = options().server;
    attach(with_state("call ", false,
                      [&](auto& state) {
                        return server.empty() ? process_.send_to_anyone(state)
                                              : process_.send(server, state);
                      }),
           metadata);
  }
  void take_beginning(const ReceivedMetadata& metadata) {
    if (const std::string_view tag = tag_in(metadata); !tag.empty()) process_.receive(tag);
  }
  void take_end(const ReceivedMetadata& metadata, bool ok) {
    const std::string_view tag = tag_in(metadata);
    with_state("return ", !ok, [&](auto& state) {
      if (tag.empty()) return process_.event(state);  // no server of ours has answered
      process_.receive(tag, state);
    });
  }

  bool is_unary_;
};

class ServerCall final : public WatchedCall {
 public:
  ServerCall(Process& process, const InterceptorOptions& options, const ServerRpcInfo& call)
      : WatchedCall(process, options, call.method()),
        is_unary_(call.type() == ServerRpcInfo::Type::UNARY) {}

  void Intercept(InterceptorBatchMethods* methods) override {
    const auto is_at = [&](InterceptionHookPoints point) {
      return methods->QueryInterceptionHookPoint(point);
    };
    if (is_at(InterceptionHookPoints::POST_RECV_INITIAL_METADATA)) {
      take(*methods->GetRecvInitialMetadata());
    }
    if (is_at(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA) && !is_unary_) {
      send_beginning(*methods->GetSendInitialMetadata());
    }
    if (is_at(InterceptionHookPoints::PRE_SEND_STATUS)) {
      send_end(*methods->GetSendTrailingMetadata(), methods->GetSendStatus().ok());
    }
    methods->Proceed();
  }

 private:
  void take(const ReceivedMetadata& metadata) {
    caller_ = with_state("", false,
                         [&](auto& state) { return process_.receive(tag_in(metadata), state); });
  }
  void send_beginning(SentMetadata& metadata) {
    if (!caller_.empty()) attach(process_.send(caller_), metadata);
  }
  void send_end(SentMetadata& metadata, bool ok) {
    with_state("end ", !ok, [&](auto& state) {
      if (caller_.empty()) return process_.event(state);  // who asked does not know of tags
      attach(process_.send(caller_, state), metadata);
    });
  }

  bool is_unary_;
  std::string caller_;  // empty: it has sent no tag
};

class ClientFactory final : public ::grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  ClientFactory(Process& process, const InterceptorOptions& options)
      : process_(process), options_(options) {}
  Interceptor* CreateClientInterceptor(ClientRpcInfo* call) override {
    return new ClientCall(process_, options_, *call);  // gRPC deletes it
  }

 private:
  Process& process_;
  InterceptorOptions options_;
};

class ServerFactory final : public ::grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  ServerFactory(Process& process, const InterceptorOptions& options)
      : process_(process), options_(options) {}
  Interceptor* CreateServerInterceptor(ServerRpcInfo* call) override {
    return new ServerCall(process_, options_, *call);  // gRPC deletes it
  }

 private:
  Process& process_;
  InterceptorOptions options_;
};

}  // namespace

ClientInterceptors client_interceptors(Process& process, const InterceptorOptions& options) {
  ClientInterceptors all;
  all.push_back(std::make_unique<ClientFactory>(process, options));
  return all;
}

ServerInterceptors server_interceptors(Process& process, const InterceptorOptions& options) {
  ServerInterceptors all;
  all.push_back(std::make_unique<ServerFactory>(process, options));
  return all;
}

}  // namespace lightcone::grpc
