// Checks properties on a trace: a verdict for each property, and where it comes from.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/executions.h>
#include <lightcone/progress.h>
#include <lightcone/property.h>
#include <lightcone/states.h>
#include <lightcone/trace.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

enum class Verdict : std::uint8_t { pass, fail, info, unknown };

[[nodiscard]] std::string_view name_of(Verdict verdict);

/// Whether a trace is all that happened.
struct Wholeness {
  /// Of a trace that was cut off: how many events were left out, because they depend on lost ones.
  std::optional<std::uint64_t> left_out = {};
  bool incomplete = false;      ///< something is lost, and what is left is not a prefix
  bool lost_processes = false;  ///< all events of a process may be lost
};

/// A value of a variable: a number or a text. Whole numbers below 2^63 are integers.
using ReportedValue = std::variant<std::int64_t, double, std::string>;

/// `17`, `"a"`
[[nodiscard]] std::string value_words(const ReportedValue& value);

/// What became of one property.
struct PropertyReport {
  std::string name;
  Verb verb = Verb::watch;
  Verdict verdict = Verdict::unknown;
  bool found = false;
  bool is_global = false;
  /// Of a trace that was cut off: true of the part that was kept, and perhaps not of the execution.
  bool of_kept_part = false;
  bool lost = false;  ///< not known, because what is lost could decide it

  // Of a flow or logic property.
  std::uint64_t asked_count = 0;
  std::uint64_t found_count = 0;
  std::uint64_t undecided_count = 0;  ///< where clocks cannot tell: see `within`
  /// Where it was found, and for a `require` that failed, where it is missing. Ordered by process
  /// and rank, at most `CheckOptions::most_places` of each.
  std::vector<EventPlace> at = {};
  std::vector<EventPlace> missing = {};
  std::vector<EventPlace> undecided = {};  ///< where clocks cannot tell; at most as many

  // Of a global property.
  std::string meaning = {};  ///< what was found, as the end of a sentence; empty: not decided
  /// The rank of each process's last event in a global state that satisfies it, where one is known.
  std::vector<Rank> cut = {};
  std::vector<ProcessIndex> read = {};  ///< the processes whose states it reads

  std::string method = {};  ///< which algorithm decided it, or why none did

  // Of a property with `for each`.
  std::string each = {};  ///< the variable; empty for all other properties
  /// What became of it for each value, those that do not pass first. Each has its own `value`.
  std::vector<PropertyReport> values = {};
  /// How many values there are. Not all need have been asked, and of a growing trace, those that
  /// were not are not counted.
  std::uint64_t value_count = 0;
  ReportedValue value = {};
  /// Of a value of a growing trace: its places were counted only until its verdict was certain.
  bool ended_early = false;
};

/// What became of all properties of a file.
struct Report {
  std::vector<std::string> processes = {};
  std::uint64_t events = 0;
  Wholeness wholeness = {};
  std::vector<PropertyReport> properties = {};
  std::vector<std::string> notes = {};     ///< what was lost or left out; each a sentence
  std::vector<std::string> warnings = {};  ///< about names in the properties

  /// Returns `fail` if one failed, else `unknown` if one is not known, else `pass`.
  [[nodiscard]] Verdict verdict() const;
  /// What was found about a property, in a few words: `at 2 places: p2:4, p3:1`.
  [[nodiscard]] std::string finding(const PropertyReport& property) const;
  /// `2 properties failed, of 3 properties on 5 events of 2 processes.`
  [[nodiscard]] std::string summary() const;
  /// All of it, a line for each property and the summary.
  [[nodiscard]] std::string text() const;
};

/// What the report speaks of, in a sentence; empty for a whole trace.
[[nodiscard]] std::string extent_sentence(const Wholeness& wholeness);

/// How to check.
struct CheckOptions {
  Limits limits = {};                  ///< for each global property; beyond them it is unknown
  std::size_t most_places = SIZE_MAX;  ///< how many places the report lists for each property
  Progress progress = {};
  /// For how many values of a variable a `for each` is asked. For the others it is unknown.
  std::uint64_t most_values = 100'000;
  /// How many executions a report on several of them lists for each property and verdict.
  std::size_t most_executions = 100;
};

/// Checks the properties of a file on a trace that was read. Returns an error if the properties
/// name a process or a variable that the trace does not have.
[[nodiscard]] Expected<Report> check(const PropertyFile& properties, const Reading& reading,
                                     const CheckOptions& options = {});

/// What became of one property on all executions of a file.
struct ExecutionsProperty {
  std::string name;
  Verb verb = Verb::watch;
  /// `fail` if it failed on one execution, else `unknown` if it is not known on one.
  Verdict verdict = Verdict::pass;
  std::uint64_t passed = 0;  ///< on how many executions; `info` counts as passed
  std::uint64_t failed = 0;
  std::uint64_t unknown = 0;
  std::uint64_t found = 0;
  /// The first executions on which it failed, and on which it is not known.
  std::vector<std::string> failing = {};
  std::vector<std::string> undecided = {};
};

/// What became of all properties of a file on all executions of another.
struct ExecutionsReport {
  std::uint64_t executions = 0;
  std::uint64_t events = 0;
  std::vector<ExecutionsProperty> properties = {};
  std::vector<std::string> notes = {};     ///< what was left out; each a sentence
  std::vector<std::string> warnings = {};  ///< about names in the properties

  /// Returns `fail` if one failed, else `unknown` if one is not known, else `pass`.
  [[nodiscard]] Verdict verdict() const;
  /// What was found about a property, in a few words: `failed on 37 of 1,200 executions: 5b8e..`
  [[nodiscard]] std::string finding(const ExecutionsProperty& property) const;
  /// `1 property failed, of 3 properties on 1,200 executions with 52,000 events.`
  [[nodiscard]] std::string summary() const;
  /// All of it, a line for each property and the summary.
  [[nodiscard]] std::string text() const;
};

/// Checks the properties of a file on all executions, several at the same time. Returns an error
/// if the properties name a process or a variable that no execution has. In an execution that
/// lacks a variable which others have, it is null.
[[nodiscard]] Expected<ExecutionsReport> check(const PropertyFile& properties,
                                               const Executions& executions,
                                               const CheckOptions& options = {});

}  // namespace lightcone
