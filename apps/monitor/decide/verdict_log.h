// Verdicts as they are told: numbered, each once, also if the monitor is killed in between.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/check.h>
#include <lightcone/computation.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lightcone::service {

/// What a monitor tells of a property.
struct ToldVerdict {
  std::string property = {};
  Verdict verdict = Verdict::unknown;
  std::string execution = {};
  std::string process = {};  ///< with `rank`, the place; empty: no place
  Rank rank = 0;
  std::vector<std::pair<std::string, Rank>> cut = {};  ///< of a global property
  bool needs_all = false;   ///< certain only if no process comes that was not named before
  bool is_again = false;    ///< it was told before, and spans came late
  bool is_final = false;    ///< the execution has ended, and this is about all of it
  std::uint64_t found = 0;  ///< at so many places; where it is final
  std::string why = {};     ///< of `unknown`
  std::vector<std::string> refused = {};  ///< processes of which not all could be used
  std::vector<std::string> labels = {};
};

/// Verdicts come in the order of their numbers. Where they are kept in a file, its last line says
/// which have been told.
class VerdictLog {
 public:
  /// As it is shown: the verdict as JSON text, and as text for people.
  struct Line {
    std::uint64_t number = 0;
    std::string execution, json, words;
  };
  /// Where lines go besides the file.
  using Show = std::function<void(const Line&)>;
  /// Returns the number of a verdict; nothing if it has been told.
  using Number = std::function<std::optional<std::uint64_t>(const ToldVerdict&)>;

  /// Without a file.
  explicit VerdictLog(Show show) : show_(std::move(show)) {}
  /// Goes on after the last whole line of the file.
  [[nodiscard]] static Expected<VerdictLog> open(const std::string& path, Show show);

  /// What is told from now on may be among the verdicts of the file after this one. Those of an
  /// execution come in the same order again, and are not told again.
  [[nodiscard]] Expected<void> repeat_after(std::uint64_t sequence);
  /// All that is in the file has been decided again.
  void end_repetition() { repeats_after_.reset(); }
  /// Numbers are not those of a file, but given by somebody else.
  void number_by(Number number) { number_ = std::move(number); }
  /// Numbers it, and tells it if that has not been done.
  void tell(const ToldVerdict& verdict);
  /// Writes what was told since the last call. A file is on the disk before others see it.
  [[nodiscard]] Expected<void> flush();
  /// Returns whether each flush waits for the disk.
  [[nodiscard]] bool waits_for_disk() const { return file_.has_value(); }
  /// Verdicts of executions that begin now have greater numbers.
  [[nodiscard]] std::uint64_t sequence() const { return repeats_after_.value_or(told_); }
  /// The number of the last one.
  [[nodiscard]] std::uint64_t told() const { return told_; }

 private:
  Show show_;
  Number number_;
  std::optional<AppendedFile> file_;
  std::string path_;        // of the file
  std::uint64_t told_ = 0;  // the last number
  std::optional<std::uint64_t> repeats_after_;
  std::map<std::string, std::uint64_t, std::less<>> repeated_;  // that will come again
  std::vector<Line> unwritten_;
};

/// Which verdict a line is.
struct VerdictName {
  std::string execution = {};
  std::uint64_t number = 0;
};
/// Reads a line of a verdict, however many processes it names; nothing if it is none.
[[nodiscard]] std::optional<VerdictName> name_in(std::string_view line);

/// The line of a verdict, as JSON and for people.
[[nodiscard]] Json json_of(const ToldVerdict& verdict);
[[nodiscard]] std::string words_of(const ToldVerdict& verdict);

}  // namespace lightcone::service
