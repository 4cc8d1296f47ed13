// The options of `lightcone-monitor`.
#pragma once

#include <lightcone/property.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lightcone::service {

/// As they were typed.
struct MonitorArguments {
  std::vector<std::string> properties;
  std::string listen, grpc, http, otlp, state, output, post, keep, tokens, certificate, key;
  std::string nats, nats_name = "lightcone";
  std::string execution = "default";
  double quiet = 0, quiet_trace = 5, silent = 5, keep_megabytes = 1024, takeover = 6;
  double memory = 1000, limit_memory = 500;  // megabytes
  std::uint64_t limit_states = 10'000'000;
  bool json = false, insecure = false;
  std::size_t clients = 256, executions = 10'000, processes = 4'096;
  std::size_t longest_line = 1 << 20, rate = 0, waiting = 1'000'000, partitions = 0;

  void define(CLI::App& app);
  /// Says which options do not go together.
  [[nodiscard]] Expected<void> check() const;
  /// Standard input is read where no address is listened at.
  [[nodiscard]] bool reads_standard_input() const {
    return listen.empty() && grpc.empty() && otlp.empty() && nats.empty();
  }
};

/// All properties, and the texts of their files.
struct PropertyTexts {
  PropertyFile properties;
  std::string texts;
};
[[nodiscard]] Expected<PropertyTexts> read_property_files(const std::vector<std::string>& paths);

}  // namespace lightcone::service
