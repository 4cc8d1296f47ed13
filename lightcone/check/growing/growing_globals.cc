// Tells the global properties what happens, and makes their reports.
#include <lightcone/check/growing/growing_globals.h>

#include <fmt/format.h>
#include <lightcone/check/value_check.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/monitor.h>
#include <lightcone/property/language/property_reads.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// Values of a property are followed one by one, each with states of its own.
constexpr std::uint64_t most_global_values = 4'096;

}  // namespace

GrowingGlobals::GrowingGlobals(const Properties& properties, EventNames& names,
                               const CheckOptions& options, const GrowingGlobal::ClockOf& clock_of)
    : properties_(properties), names_(names) {
  for (std::uint32_t i = 0; i < properties.properties.size(); ++i) {
    const Property& property = properties.properties[i];
    const bool is_global = std::holds_alternative<Global>(property.question);
    if (is_global && Monitor::can_check(properties, property)) follow(i, options, clock_of);
  }
}

void GrowingGlobals::follow(std::uint32_t index, const CheckOptions& options,
                            const GrowingGlobal::ClockOf& clock_of) {
  const GlobalEffort effort{options.limits, false, options.progress};
  Followed& followed = followed_.emplace_back(Followed{.property = index});
  bool reads_content = false;
  if (property(followed).each.empty()) {
    const Global& question = std::get<Global>(property(followed).question);
    followed.alone =
        std::make_unique<GrowingGlobal>(properties_, question, names_.names(), effort, clock_of);
    followed.told = {false};
    reads_content = followed.alone->expressions().reads_content();
  } else {
    followed.values = std::make_unique<GrowingValueGlobals>(
        GrowingValueGlobals::Surroundings{properties_, index, names_, effort, clock_of},
        std::min(options.most_values, most_global_values));
    reads_content = followed.values->reads_content();
  }
  if (reads_content) names_.read_words();
}

void GrowingGlobals::add_process(std::string_view name) {
  for (const Followed& followed : followed_) {
    if (followed.alone) followed.alone->add_process(name);
    if (followed.values) followed.values->add_process(name);
  }
}

std::size_t GrowingGlobals::bytes() const {
  std::size_t bytes = 0;
  for (const Followed& followed : followed_) {
    if (followed.alone) bytes += followed.alone->bytes();
    if (followed.values) bytes += followed.values->bytes();
  }
  return bytes;
}

void GrowingGlobals::close() {
  for (const Followed& followed : followed_) {
    if (followed.alone) followed.alone->close();
    if (followed.values) followed.values->close();
  }
}

// Those with values look up contents of their own, so they come after those that share one.

void GrowingGlobals::start(ProcessIndex process, const GrowingEvent& event,
                           const StateContent& initial) {
  for (const Followed& followed : followed_) {
    if (followed.alone) followed.alone->start(process, initial);
  }
  for (const Followed& followed : followed_) {
    if (followed.values) followed.values->start(process, event);
  }
}

void GrowingGlobals::step(EventPlace place, const GrowingEvent& event,
                          std::span<const Rank> clock) {
  const StateContent content = names_.content_of(event);
  for (const Followed& followed : followed_) {
    if (followed.alone) followed.alone->step(place.process, place.rank, content, clock);
  }
  for (const Followed& followed : followed_) {
    if (followed.values) followed.values->step(place, event, clock);
  }
}

void GrowingGlobals::mention(const GrowingEvent& event) {
  for (const Followed& followed : followed_) {
    if (followed.values) followed.values->mention(event);
  }
}

/// Returns whether it reads a text on which a regular expression took too long.
bool GrowingGlobals::is_given_up(const Followed& followed, const GrowingGlobal& global) const {
  return depends_on_matching(properties_, property(followed), global.expressions().given_up());
}

void GrowingGlobals::tell_of_decided(const Tell& tell) {
  for (Followed& followed : followed_) {
    if (followed.alone) {
      const GrowingGlobal& global = *followed.alone;
      if (followed.told[0] || !global.is_decided() || is_given_up(followed, global)) continue;
      followed.told[0] = true;
      tell(followed.property, global, {});
      continue;
    }
    GrowingValueGlobals& all = *followed.values;
    for (const std::uint32_t value : all.take_touched()) {
      followed.told.resize(all.size(), false);
      if (followed.told[value] || !all.global(value).is_decided()) continue;
      followed.told[value] = true;
      tell(followed.property, all.global(value), all.value(value));
    }
  }
}

std::optional<PropertyReport> GrowingGlobals::report(std::uint32_t property, std::size_t processes,
                                                     const Wholeness& wholeness) {
  const auto it = std::ranges::find(followed_, property, &Followed::property);
  if (it == followed_.end()) return std::nullopt;
  return it->alone ? report_of(*it, *it->alone, processes, wholeness)
                   : report_of_values(*it, processes, wholeness);
}

PropertyReport GrowingGlobals::report_of(const Followed& followed, GrowingGlobal& global,
                                         std::size_t processes, const Wholeness& wholeness) const {
  if (is_given_up(followed, global)) return report_on_given_up(property(followed));
  global.finish(wholeness.incomplete);
  Decision decision = global.decision();
  if (!decision.cut.empty()) decision.cut.resize(processes, 0);
  std::vector<ProcessIndex> read;
  for (ProcessIndex p = 0; p < processes; ++p) {
    if (global.reads(p)) read.push_back(p);
  }
  return report_on(property(followed), decision, std::move(read), wholeness);
}

PropertyReport GrowingGlobals::report_of_values(const Followed& followed, std::size_t processes,
                                                const Wholeness& wholeness) const {
  GrowingValueGlobals& all = *followed.values;
  std::vector<PropertyReport> values;
  for (std::uint32_t value = 0; value < all.size(); ++value) {
    values.push_back(report_of(followed, all.global(value), processes, wholeness));
    values.back().value = all.value(value);
  }
  PropertyReport whole = report_on_values(property(followed), std::move(values));
  if (all.is_over()) {
    leave_open(whole, fmt::format("not decided: {} has more values than can be followed",
                                  property(followed).each));
  }
  return whole;
}

}  // namespace lightcone
