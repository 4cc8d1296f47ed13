// Files with several executions: which there are, and each as a trace of its own.
#pragma once

#include <lightcone/error.h>
#include <lightcone/trace.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Returns whether files of this format may have several executions: spans, whose executions are
/// traces, and ShiViz logs.
[[nodiscard]] bool has_executions(Format format);

/// The executions of a file. Copies share what was read. Any number of threads may use one.
class Executions {
 public:
  /// The number of executions. They are numbered from 0, in the order of the file.
  [[nodiscard]] std::size_t size() const;
  /// What `--execution` and `ReadOptions::execution` call it; empty if a file has only one and
  /// does not name it.
  [[nodiscard]] std::string id(std::size_t execution) const;
  /// Returns the number of an execution, if there is one of this id.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;
  /// Makes one of them into a computation.
  [[nodiscard]] Expected<Reading> read(std::size_t execution) const;
  /// What was ignored in the file, besides what the notes of each execution say.
  [[nodiscard]] const std::vector<std::string>& notes() const;

 private:
  friend class ExecutionsReader;
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

/// Reads the executions of a file, or of standard input for `-`. A file of a format that has only
/// one execution is one, and so is a directory; it is read when it is asked for. The option
/// `execution` is ignored.
[[nodiscard]] Expected<Executions> read_executions(const std::string& path, Format format,
                                                   const ReadOptions& options = {});
/// Reads executions in memory. `name` is used as the file in error messages.
[[nodiscard]] Expected<Executions> read_executions_text(std::string_view bytes,
                                                        const std::string& name, Format format,
                                                        const ReadOptions& options = {});

}  // namespace lightcone
