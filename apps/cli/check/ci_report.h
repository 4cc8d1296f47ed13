// Verdicts as continuous integration servers read them: JUnit XML and SARIF.
#pragma once

#include <lightcone/check.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::cli {

/// A place where a property fails.
struct CiPlace {
  std::string event;       ///< `p2:4`
  std::string file;        ///< of its source; empty if the event has none
  std::uint64_t line = 0;  ///< there
};

/// One property.
struct CiCase {
  std::string name;
  std::string verb;
  std::string question;    ///< as it was written
  std::uint64_t line = 0;  ///< in the property file
  Verdict verdict = Verdict::unknown;
  std::string finding;               ///< what was found, in a few words
  std::vector<CiPlace> places = {};  ///< the first of them
  std::uint64_t more_places = 0;     ///< how many others there are
};

/// All properties of a file on one trace.
struct CiReport {
  std::string properties;  ///< the file
  std::string trace;
  std::vector<CiCase> cases = {};
  std::vector<std::string> notes = {};  ///< what was lost, left out or skipped
  /// With --strict, what makes the check fail besides the properties.
  std::vector<std::string> warnings = {};
};

/// The report of a check. Without a computation, events have no sources.
[[nodiscard]] CiReport ci_report(const PropertyFile& properties, const Report& report,
                                 const Computation* computation, const std::string& trace);

/// The report of a check of several executions.
[[nodiscard]] CiReport ci_report(const PropertyFile& properties, const ExecutionsReport& report,
                                 const std::string& trace);

/// One test case per property.
[[nodiscard]] std::string junit_text(const CiReport& report);
/// One rule per property, one result per property that failed or is not known.
[[nodiscard]] std::string sarif_text(const CiReport& report);

/// Writes what the user asked for; an empty path asks for nothing.
[[nodiscard]] Expected<void> write_ci_reports(const CiReport& report, const std::string& junit,
                                              const std::string& sarif);

}  // namespace lightcone::cli
