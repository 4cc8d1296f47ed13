// Lets live riders live through a recorded computation, envelopes and all.
#pragma once

#include "model/definitions/property_definitions.h"

#include <lightcone/computation.h>
#include <lightcone/process.h>

#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lightcone::live_replay {

/// What a row says, kept for the duration of a call.
struct Content {
  std::vector<std::string_view> labels;
  std::vector<std::pair<std::string_view, LiveValue>> variables;
  double time = 0;

  /// An event without a time has one that is no number: without any, a live process takes its own.
  Content(const Computation& c, Row row)
      : time(c.time(row).value_or(std::numeric_limits<double>::quiet_NaN())) {
    for (const NameIndex label : c.labels(row)) labels.push_back(c.names()[label]);
    for (const Assignment& assignment : c.assignments(row)) {
      const std::string_view name = c.names()[assignment.variable];
      if (const auto* text = std::get_if<NameIndex>(&assignment.value)) {
        variables.emplace_back(name, c.names()[*text]);
      } else if (const auto* truth = std::get_if<bool>(&assignment.value)) {
        variables.emplace_back(name, *truth);
      } else if (const auto* integer = std::get_if<std::int64_t>(&assignment.value)) {
        variables.emplace_back(name, *integer);
      } else {
        variables.emplace_back(name, std::get<double>(assignment.value));
      }
    }
  }
  [[nodiscard]] LiveState state() const {
    return {.labels = std::span(labels), .variables = std::span(variables), .time = time};
  }
};

struct Options {
  std::uint32_t members = 0;     ///< so many processes are known from the beginning
  bool clocks = false;           ///< vector clocks travel too; they are compared with timestamps
  bool fifo = false;             ///< channels are said to be FIFO; implies receivers_known
  bool receivers_known = false;  ///< senders say to whom, so that tags leave out what is known
};

using ToldPlaces = std::set<definition::State>;
struct Detected {
  std::map<std::string, ToldPlaces> told;  ///< by the property's name
  /// With `for each`, also by value.
  std::map<std::pair<std::string, std::variant<std::int64_t, double, std::string>>, ToldPlaces>
      told_of_values;
  std::set<std::string> undecided;  ///< properties beyond a limit
};

/// Where each property was told of. Ends the test when a tag is refused or a clock is
/// not the event's timestamp.
[[nodiscard]] Detected replay(const Computation& computation, const std::string& properties,
                              std::span<const EventIndex> order, const Options& options);

/// Where live processes must have told of a property: of a `require` where it is missing.
[[nodiscard]] std::set<definition::State> places_told(const definition::Answer& answer, Verb verb);

/// Whether every message has one receiver, and each channel delivers in order, from the first on.
[[nodiscard]] bool is_fifo(const Computation& computation);

}  // namespace lightcone::live_replay
