// What a monitor told, gathered: places and final verdicts of each property.
#pragma once

#include <gtest/gtest.h>
#include <lightcone/check.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

namespace lightcone {

/// Of one execution.
struct ToldVerdicts {
  using Place = std::pair<std::string, std::uint64_t>;
  std::map<std::string, std::set<Place>> places;  ///< by property
  std::map<std::string, std::string> finals;      ///< verdict, and how often it was found
  std::map<std::string, std::size_t> globals;     ///< how often a state was told
  std::uint64_t last = 0;                         ///< the number of the last verdict
  std::string trouble;                            ///< what must not be

  void add(const std::string& line) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      trouble += "no JSON: " + line + '\n';
      return;
    }
    const std::uint64_t number = json["sequence"];
    if (number != last + 1) trouble += "after " + std::to_string(last) + ": " + line + '\n';
    last = number;
    const std::string property = json["property"];
    if (json.value("final", false)) {
      const std::string verdict = json["verdict"];
      finals[property] = verdict + ' ' + std::to_string(json["found"].get<std::uint64_t>());
      if (json.contains("why")) why += json["why"].get<std::string>() + '\n';
    } else if (json.contains("at")) {
      const bool is_new =
          places[property].emplace(json["at"]["process"], json["at"]["event"]).second;
      if (!is_new) trouble += "told twice: " + line + '\n';
    } else if (++globals[property] > 1) {
      trouble += "told twice: " + line + '\n';
    }
  }
  std::string why;
};

/// What must be told, by the check of the whole trace.
[[nodiscard]] inline ToldVerdicts expected_of(const Report& report) {
  ToldVerdicts told;
  for (const PropertyReport& property : report.properties) {
    const std::uint64_t found =
        property.is_global ? (property.found ? 1 : 0) : property.found_count;
    told.finals[property.name] =
        std::string(name_of(property.verdict)) + ' ' + std::to_string(found);
    for (const EventPlace place : property.verb == Verb::require ? property.missing : property.at) {
      told.places[property.name].emplace(report.processes[place.process], place.rank);
    }
  }
  return told;
}

}  // namespace lightcone
