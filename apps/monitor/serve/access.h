// Who may speak to the monitor, and where: addresses, tokens, certificates.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct ssl_ctx_st;

namespace lightcone::service {

/// Where to listen.
struct ListenAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free

  /// Whether only programs of this machine reach it.
  [[nodiscard]] bool is_loopback() const;
  [[nodiscard]] std::string text() const;
};

/// Reads `HOST:PORT`, `HOST`, `:PORT` or `PORT`; `[::1]:PORT` for IPv6.
[[nodiscard]] Expected<ListenAddress> address_of(std::string_view text, std::uint16_t port);

/// Whether the host is known at all.
[[nodiscard]] Expected<void> check_host(const ListenAddress& address);

/// The tokens of clients, each with the client's name.
class Tokens {
 public:
  /// Reads lines `TOKEN NAME`. `#` starts a comment. The file must not be readable by others.
  [[nodiscard]] static Expected<Tokens> read(const std::string& path);
  void add(std::string token, std::string name);

  /// Whether anyone may speak.
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// The client of a token. Takes as long for every wrong token of a length.
  [[nodiscard]] std::optional<std::string> client_of(std::string_view token) const;

 private:
  struct Entry {
    std::string token, name;
  };
  std::vector<Entry> entries_;
};

/// Certificate and key of the monitor.
struct TlsFiles {
  std::string certificate = {}, key = {};
  [[nodiscard]] bool empty() const { return certificate.empty(); }
};

using TlsContext = std::shared_ptr<ssl_ctx_st>;
/// Reads both files. Nothing without them.
[[nodiscard]] Expected<TlsContext> tls_context(const TlsFiles& files);

/// Refuses an address that others reach, unless what goes over it is protected.
[[nodiscard]] Expected<void> check_exposure(const ListenAddress& address, const TlsFiles& tls,
                                            bool insecure);

/// Refuses the URL of a server on another machine, unless what goes to it is protected by `tls://`.
[[nodiscard]] Expected<void> check_server(std::string_view url, bool insecure);

}  // namespace lightcone::service
