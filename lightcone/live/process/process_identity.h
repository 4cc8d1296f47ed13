// Which incarnation of a process this is: by what the program says, or by the files that are there.
#pragma once

#include <lightcone/process.h>
#include <lightcone/recording.h>

#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// The name of a process with its incarnation, and the files that were made for it alone. They are
/// removed again unless they are kept.
class ProcessIdentity {
 public:
  /// Finds the first incarnation that no file is there of, in the directory for traces and in the
  /// recording. Files are made so that no two processes can make the same one.
  [[nodiscard]] static Expected<ProcessIdentity> claim(const ProcessOptions& options,
                                                       const std::optional<RunOrders>& orders);
  ProcessIdentity(ProcessIdentity&& other) noexcept;
  ProcessIdentity& operator=(ProcessIdentity&&) = delete;
  ~ProcessIdentity();

  /// What the process is called in tags, traces and journals.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The process has begun, and fills its files.
  void keep() { files_.clear(); }

 private:
  explicit ProcessIdentity(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] Expected<bool> make(const std::vector<std::string>& paths);

  std::string name_;
  std::vector<std::string> files_;
};

}  // namespace lightcone
