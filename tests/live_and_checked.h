// What live processes told, beside what a check of their traces finds.
#pragma once

#include <lightcone/process.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/trace/directory.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

namespace lightcone {

/// Property, process, event.
using Told = std::set<std::tuple<std::string, std::string, std::uint64_t>>;

/// Collects what processes tell, in whichever threads.
class LiveTold {
 public:
  [[nodiscard]] std::function<void(const Detection&)> teller() {
    return [this](const Detection& found) {
      const std::lock_guard lock(mutex_);
      told_.emplace(found.property, found.process, found.event);
    };
  }
  [[nodiscard]] const Told& told() const { return told_; }

 private:
  std::mutex mutex_;
  Told told_;
};

/// What `check` finds in the traces of a directory: of a `require` where it is missing.
[[nodiscard]] inline Told told_by_check(const std::string& directory,
                                        const std::string& properties) {
  Told told;
  auto reading = read_directory(directory, {});
  EXPECT_TRUE(reading) << reading.error().text();
  if (!reading) return told;
  const Computation& c = reading->computation;
  const auto compiled = CompiledProperties::compile(
      *parse_property_syntax(properties, "properties"), event_labels(c));
  const Inspection inspection(compiled, c);
  const auto look = [&](Row row, ProcessIndex process, std::uint64_t rank) {
    for (std::uint32_t i = 0; i < compiled.source().properties.size(); ++i) {
      const Property& property = compiled.source().properties[i];
      if (!inspection.is_asked(i, row)) continue;
      const bool found = inspection.answer(i)->found_at(row);
      if (found == (property.verb == Verb::require)) continue;
      told.emplace(property.name, std::string(c.process_name(process)), rank);
    }
  };
  for (ProcessIndex p = 0; p < c.process_count(); ++p) look(c.initial_row(p), p, 0);
  for (EventIndex e = 0; e < c.event_count(); ++e) look(e, c.process_of(e), c.rank_of(e));
  return told;
}

}  // namespace lightcone
