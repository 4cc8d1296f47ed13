// Makes events of calls, puts tags into metadata and takes them out again.
#include <lightcone/grpc/interceptors.h>
#include <lightcone/transport.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

/// What the events of a method say. It is made once, not at each call.
struct MethodWords {
  /// `called` is `/package.Service/Method`.
  MethodWords(std::string_view called, std::string_view before_begin, std::string_view before_end)
      : method(called) {
    const std::string_view name = called.substr(called.rfind('/') + 1);
    begin.append(before_begin).append(name);
    end.append(before_end).append(name);
  }

  std::string method, begin, end;
  const MethodWords* next = nullptr;  // of those that are known
};

/// The methods that were called so far. Calls of several threads look them up without a lock.
class KnownMethods {
 public:
  KnownMethods(std::string_view before_begin, std::string_view before_end)
      : before_begin_(before_begin), before_end_(before_end) {}
  KnownMethods(const KnownMethods&) = delete;
  KnownMethods& operator=(const KnownMethods&) = delete;
  ~KnownMethods() {
    for (const MethodWords* known = first_.load(); known != nullptr;) {
      delete std::exchange(known, known->next);
    }
  }

  /// Returns the words of a method. If there are too many methods to know, `own` keeps them.
  [[nodiscard]] const MethodWords& find(std::string_view method,
                                        std::unique_ptr<MethodWords>& own) {
    for (auto* known = first_.load(std::memory_order_acquire); known != nullptr;
         known = known->next) {
      if (known->method == method) return *known;
    }
    own = std::make_unique<MethodWords>(method, before_begin_, before_end_);
    if (count_.load() >= most) return *own;
    ++count_;
    MethodWords* const added = own.release();
    added->next = first_.load();
    while (!first_.compare_exchange_weak(added->next, added)) {
    }
    return *added;
  }

 private:
  static constexpr int most = 64;  // since they are looked at one after the other

  std::string_view before_begin_, before_end_;
  std::atomic<const MethodWords*> first_ = nullptr;
  std::atomic<int> count_ = 0;
};

/// One call, as one side of it sees it.
class WatchedCall : public Interceptor {
 public:
  WatchedCall(Process& process, const InterceptorOptions& options, KnownMethods& methods,
              std::string_view method)
      : process_(process), options_(options), words_(methods.find(method, own_words_)) {}

 protected:
  /// What an event says: its labels, and where it comes from.
  template <class Act>
  auto with_state(std::string_view label, bool is_error, const Act& act) const {
    const std::array<std::string_view, 2> labels{label, "error"};
    const std::size_t count = options_.labels ? (is_error ? 2 : 1) : 0;
    LiveState state;
    state.labels = std::span<const std::string_view>(labels.data(), count);
    state.source = words_.method;
    return act(state);
  }
  [[nodiscard]] const MethodWords& words() const { return words_; }
  void attach(std::string tag, SentMetadata& metadata) const {
    if (tag.size() > options_.most_tag_bytes) tag = unusable_tag();
    metadata.emplace(metadata_key, std::move(tag));
  }
  [[nodiscard]] const InterceptorOptions& options() const { return options_; }

  Process& process_;

 private:
  const InterceptorOptions& options_;
  std::unique_ptr<MethodWords> own_words_;
  const MethodWords& words_;
};

class ClientCall final : public WatchedCall {
 public:
  ClientCall(Process& process, const InterceptorOptions& options, KnownMethods& methods,
             const ClientRpcInfo& call)
      : WatchedCall(process, options, methods, call.method()),
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
    attach(with_state(words().begin, false,
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
    with_state(words().end, !ok, [&](auto& state) {
      if (tag.empty()) return process_.event(state);  // no server of ours has answered
      process_.receive(tag, state);
    });
  }

  bool is_unary_;
};

class ServerCall final : public WatchedCall {
 public:
  ServerCall(Process& process, const InterceptorOptions& options, KnownMethods& methods,
             const ServerRpcInfo& call)
      : WatchedCall(process, options, methods, call.method()),
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
    caller_ = with_state(words().begin, false,
                         [&](auto& state) { return process_.receive(tag_in(metadata), state); });
  }
  void send_beginning(SentMetadata& metadata) {
    if (!caller_.empty()) attach(process_.send(caller_), metadata);
  }
  void send_end(SentMetadata& metadata, bool ok) {
    with_state(words().end, !ok, [&](auto& state) {
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
    return new ClientCall(process_, options_, methods_, *call);  // gRPC deletes it
  }

 private:
  Process& process_;
  InterceptorOptions options_;
  KnownMethods methods_{"call ", "return "};
};

class ServerFactory final : public ::grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  ServerFactory(Process& process, const InterceptorOptions& options)
      : process_(process), options_(options) {}
  Interceptor* CreateServerInterceptor(ServerRpcInfo* call) override {
    return new ServerCall(process_, options_, methods_, *call);  // gRPC deletes it
  }

 private:
  Process& process_;
  InterceptorOptions options_;
  KnownMethods methods_{"", "end "};
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
