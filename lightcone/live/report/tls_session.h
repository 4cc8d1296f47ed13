// TLS over a socket, by OpenSSL; nothing of OpenSSL is seen here.
#pragma once

#include <lightcone/error.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lightcone {

/// One connection's keys.
class TlsSession {
 public:
  /// What became of a call. Nothing here waits.
  struct TlsProgress {
    std::size_t bytes = 0;   ///< that were read or written
    short waits_for = 0;     ///< what to poll for before the call is tried again
    bool is_broken = false;  ///< the connection has ended
  };

  TlsSession() = default;
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;
  virtual ~TlsSession() = default;

  /// Agrees on keys, and checks the certificate of the other end. One byte: it has.
  [[nodiscard]] virtual TlsProgress begin() = 0;
  [[nodiscard]] virtual TlsProgress write(std::string_view bytes) = 0;
  [[nodiscard]] virtual TlsProgress read(char* buffer, std::size_t size) = 0;
  /// Something has come that the socket does not show.
  [[nodiscard]] virtual bool has_read() const = 0;
  /// Why it could not begin.
  [[nodiscard]] virtual std::string trouble() const = 0;
};

/// Whose signatures of certificates are trusted.
class TlsTrust {
 public:
  /// Those of a PEM file; without one, those of the system. An error if the library was built
  /// without OpenSSL.
  [[nodiscard]] static Expected<std::shared_ptr<TlsTrust>> of(const std::string& certificates);

  TlsTrust() = default;
  TlsTrust(const TlsTrust&) = delete;
  TlsTrust& operator=(const TlsTrust&) = delete;
  virtual ~TlsTrust() = default;

  /// For a socket that does not block. The other end must be this host.
  [[nodiscard]] virtual std::unique_ptr<TlsSession> session(int socket,
                                                            const std::string& host) = 0;
};

}  // namespace lightcone
