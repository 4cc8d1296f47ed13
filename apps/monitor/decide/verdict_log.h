// Verdicts as they are told: numbered, each once, also if the monitor is killed in between.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/check.h>
#include <lightcone/computation.h>

#include <cstdint>
#include <functional>
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

  /// So many verdicts were told before what will be decided again.
  void start_after(std::uint64_t sequence) { sequence_ = sequence; }
  /// Numbers are not those of a file, but given by somebody else.
  void number_by(Number number) { number_ = std::move(number); }
  /// Numbers it, and tells it if that has not been done.
  void tell(const ToldVerdict& verdict);
  /// Writes what was told since the last call.
  [[nodiscard]] Expected<void> flush();
  [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
  /// The number of the last one that is in the file.
  [[nodiscard]] std::uint64_t told() const { return told_; }

 private:
  Show show_;
  Number number_;
  std::optional<AppendedFile> file_;
  std::uint64_t sequence_ = 0, told_ = 0;
  std::vector<Line> unwritten_;
};

/// The line of a verdict, as JSON and for people.
[[nodiscard]] Json json_of(const ToldVerdict& verdict);
[[nodiscard]] std::string words_of(const ToldVerdict& verdict);

}  // namespace lightcone::service
