// Event streams and spans over gRPC; what it needs of gRPC is in its source alone.
#pragma once

#include <lightcone/error.h>

#include <functional>
#include <memory>
#include <string>

#include "accept/arrival_taker.h"
#include "accept/line_cutter.h"
#include "serve/access.h"

namespace lightcone::service {

struct RpcServerOptions {
  ListenAddress address = {};
  Tokens tokens = {};
  TlsFiles tls = {};
  LineLimits limits = {};
  std::string execution = "default";
  int largest_message = 16 << 20;
  std::size_t clients = 256;  ///< streams of events at a time
  std::size_t rate = 0;       ///< bytes per second that a stream may send; 0: no limit
  bool takes_events = true;
  /// Stores the bytes of a request with spans. Nothing: spans are not taken.
  std::function<SpanAnswer(const std::string& client, std::string bytes)> take_spans = {};
};

/// Serves until it is gone. The service must outlive it. A call needs a token, if there are any:
/// the metadata `authorization: Bearer TOKEN`.
class RpcServer {
 public:
  [[nodiscard]] static Expected<std::unique_ptr<RpcServer>> start(ArrivalTaker& service,
                                                                  RpcServerOptions options);
  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;
  ~RpcServer();

  [[nodiscard]] const ListenAddress& address() const;

 private:
  class Core;
  explicit RpcServer(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone::service
