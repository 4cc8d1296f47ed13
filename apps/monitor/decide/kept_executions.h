// Failing executions, kept as traces within a limit of space.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::service {

/// In a folder: `ID.lct` and, with its verdicts, `ID.verdicts.jsonl`. The oldest go first when
/// there is no room. The lines of an execution that may still fail are in `ID.part`.
class KeptExecutions {
 public:
  using Note = std::function<void(const std::string&)>;

  KeptExecutions(std::string folder, std::uint64_t most_bytes, Note note);

  /// The next lines of an execution. More than a quarter of the room is not kept of one.
  void add(const std::string& execution, std::string_view lines);
  /// A verdict of it.
  void tell(const std::string& execution, const std::string& verdict);
  /// The execution has ended. Keeps it if it has failed.
  void end(const std::string& execution, bool has_failed);
  /// Keeps a computation.
  void keep(const std::string& execution, const Computation& computation);
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  /// The files of an execution are named so.
  [[nodiscard]] static std::string file_name(const std::string& execution);
  /// Writes what came of an open execution to its file, by the name of its files.
  void write_open(const std::string& name);

 private:
  struct Part {
    std::uint64_t bytes = 0;
    bool is_cut = false;
    std::string unwritten = {}, verdicts = {};
  };
  [[nodiscard]] std::string path_of(const std::string& execution, std::string_view ending) const;
  void flush(const std::string& execution, Part& part);
  void make_room() const;

  std::string folder_;
  std::uint64_t most_bytes_;
  Note note_;
  std::map<std::string, Part, std::less<>> parts_;
  std::size_t unwritten_ = 0, verdict_bytes_ = 0;  // of all parts
  std::uint64_t kept_ = 0;
};

}  // namespace lightcone::service
