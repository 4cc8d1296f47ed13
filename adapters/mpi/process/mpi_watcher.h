// The riders of an MPI process: its properties are decided at its events, while it runs.
#pragma once

#include <lightcone/live/watch/watcher.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "process/mpi_trace.h"
#include "tags/tag_carrier.h"

namespace lightcone::mpi {

/// Watches the properties of a file. What is found is printed to standard error, at the event.
class MpiWatcher {
 public:
  /// All ranks make theirs together, of the same file.
  [[nodiscard]] static Expected<std::unique_ptr<MpiWatcher>> make(const std::string& properties,
                                                                  int rank, int size);
  /// Before a send goes to the MPI, and after a receive has come from it.
  void event(const MpiEvent& event);
  /// The last event was a send of a collective operation that failed.
  void withdraw() const;
  /// All ranks end together.
  void end() { carrier_.end(); }

 private:
  MpiWatcher(WatchedProperties properties, const ProcessOptions& options, int rank);
  [[nodiscard]] const std::vector<std::string_view>& labels_of(const MpiEvent& event);
  [[nodiscard]] std::vector<Envelope> taken_by(const MpiEvent& event);
  void give(const MpiEvent& event);
  void print(const std::vector<std::string_view>& labels);
  void complain(const MessageName& message, const std::string& what) const;

  std::vector<std::string> ranks_;  // their names
  int rank_;
  Watcher watcher_;
  TagCarrier carrier_;
  std::uint64_t events_ = 0, sent_ = 0;
  std::map<CallLabels, std::vector<std::string>> label_texts_;
  std::vector<std::string_view> labels_, receivers_;  // of the event at hand
  std::vector<std::pair<std::string_view, LiveValue>> variables_;
};

}  // namespace lightcone::mpi
