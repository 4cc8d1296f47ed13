// JSON Lines over TCP: a thread per client.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "accept/arrival_taker.h"
#include "accept/line_cutter.h"
#include "serve/access.h"

namespace lightcone::service {

struct LineServerOptions {
  ListenAddress address = {};
  Tokens tokens = {};
  TlsContext tls = {};
  LineLimits limits = {};
  std::string execution = "default";           ///< of lines that do not say it
  std::size_t clients = 256;                   ///< at a time
  std::size_t rate = 0;                        ///< bytes per second and client; 0: no limit
  std::chrono::milliseconds patience{10'000};  ///< for the token and for TLS
};

/// Serves until it is gone. The service must outlive it.
class LineServer {
 public:
  [[nodiscard]] static Expected<std::unique_ptr<LineServer>> start(ArrivalTaker& service,
                                                                   LineServerOptions options);
  LineServer(const LineServer&) = delete;
  LineServer& operator=(const LineServer&) = delete;
  ~LineServer();

  [[nodiscard]] const ListenAddress& address() const { return options_.address; }

 private:
  class Client;
  LineServer(ArrivalTaker& service, LineServerOptions options, int listening);
  void serve();
  void remove_gone();

  ArrivalTaker& service_;
  LineServerOptions options_;
  int listening_;
  std::atomic<bool> stops_ = false;
  std::list<std::unique_ptr<Client>> clients_;
  std::thread thread_;
};

}  // namespace lightcone::service
