// A connection to a client, plain or with TLS.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string_view>

#include "serve/access.h"

struct ssl_st;

namespace lightcone::service {

/// One thread reads, any thread writes.
class StreamSocket {
 public:
  /// Takes over a connected socket.
  StreamSocket(int descriptor, const TlsContext& tls);
  StreamSocket(const StreamSocket&) = delete;
  StreamSocket& operator=(const StreamSocket&) = delete;
  ~StreamSocket();

  /// Agrees on keys, where there is TLS. False: the client does not speak it, or is too slow.
  [[nodiscard]] bool open(std::chrono::milliseconds patience);
  enum class News { bytes, none, gone };
  /// Waits for bytes; `size` becomes their number.
  [[nodiscard]] News read(char* buffer, std::size_t& size, std::chrono::milliseconds patience);
  /// Writes what the client takes now. False: it did not take all of it.
  bool write(std::string_view bytes);
  /// Whoever reads sees the end.
  void shut();

 private:
  [[nodiscard]] bool wait(short events, std::chrono::milliseconds patience) const;

  int descriptor_;
  TlsContext tls_;
  ssl_st* session_ = nullptr;
  std::mutex mutex_;  // of the session
  std::atomic<bool> is_broken_ = false;
};

/// A socket that listens at the address. Its port is set where it was 0.
[[nodiscard]] Expected<int> listening_socket(ListenAddress& address);

}  // namespace lightcone::service
