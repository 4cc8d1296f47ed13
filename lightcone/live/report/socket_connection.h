// Connections to a monitor over sockets: plain, or with TLS.
#pragma once

#include <lightcone/error.h>
#include <lightcone/transport.h>

#include <memory>
#include <string>

namespace lightcone {

/// Where a monitor listens for lines.
struct MonitorAddress {
  std::string host = {}, port = {};
  bool is_safe = false;  ///< with TLS
};
/// Reads `HOST:PORT`, `tcp://HOST:PORT` or `tls://HOST:PORT`; `[::1]:PORT` for IPv6.
[[nodiscard]] Expected<MonitorAddress> monitor_address(const std::string& text);

/// A way to the address. With TLS the monitor must show a certificate for the host which one of
/// those in the file has signed; without a file, one of those that the system trusts.
[[nodiscard]] Expected<ConnectToMonitor> connect_by_socket(const MonitorAddress& address,
                                                           const std::string& certificates);

}  // namespace lightcone
