// A shop of three services on loopback, each watched, and a customer who places orders.
#pragma once

#include <lightcone/process.h>

#include <functional>
#include <string>

namespace examples {

/// How to run it.
struct ShopRun {
  /// The shop asks for the authorisation and does not wait for the answer before it charges.
  bool bug = false;
  int orders = 3;
  std::string properties = {};  ///< the text of a property file
  std::string traces = {};      ///< the directory where each process leaves its trace
  std::function<void(const lightcone::Detection&)> on_detection = {};
};

/// Runs the services and places the orders. Returns how many were accepted, or an error.
[[nodiscard]] lightcone::Expected<int> accepted_orders(const ShopRun& run);

}  // namespace examples
