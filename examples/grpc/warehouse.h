// Five services on loopback, each watched, and an order that is cancelled.
#pragma once

#include <lightcone/process.h>

#include <functional>
#include <string>

namespace examples {

/// How to run it.
struct WarehouseRun {
  /// Orders are recalled from the stock before they are refunded.
  bool careful = false;
  std::string traces = {};     ///< the directory where each process leaves its trace
  std::string report_to = {};  ///< the address of a monitor; empty: none
  std::string execution = {};  ///< what the monitor calls it
  /// Called with what the services log, in the order of the clock.
  std::function<void(const std::string&)> log = {};
};

/// Runs the services until the order is refunded.
[[nodiscard]] lightcone::Expected<void> handle_order(const WarehouseRun& run);

}  // namespace examples
