// Tells each value's property what happens in its slice.
#include <lightcone/check/growing/growing_value_globals.h>

#include <utility>

namespace lightcone {

GrowingValueGlobals::GrowingValueGlobals(Surroundings surroundings, std::uint64_t most_values)
    : of_(std::move(surroundings)),
      question_(std::get<Global>(of_.properties.properties[of_.property].question)),
      variable_(of_.names.names().find(of_.properties.properties[of_.property].each)),
      most_values_(most_values),
      prototype_(of_.properties, question_, of_.names.names(), of_.effort, of_.clock_of) {}

std::unique_ptr<GrowingGlobal> GrowingValueGlobals::made() const {
  return std::make_unique<GrowingGlobal>(of_.properties, question_, of_.names.names(), of_.effort,
                                         of_.clock_of);
}

void GrowingValueGlobals::add_process(std::string_view name) {
  processes_.push_back({name});
  for (const auto& global : globals_) global->add_process(name);
}

void GrowingValueGlobals::close() {
  is_closed_ = true;
  for (const auto& global : globals_) global->close();
}

void GrowingValueGlobals::start(ProcessIndex process, const GrowingEvent& initial) {
  processes_[process].initial = initial;
  processes_[process].initial->kind = Kind::initial;
  for (std::uint32_t value = 0; value < values_.size(); ++value) {
    globals_[value]->start(process, of_.names.content_of(*processes_[process].initial));
    touch(value);
  }
}

/// Tells the property of a new value what has happened before its first event.
void GrowingValueGlobals::add_value() {
  globals_.push_back(made());
  GrowingGlobal& global = *globals_.back();
  for (const Process& process : processes_) global.add_process(process.name);
  if (is_closed_) global.close();
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    if (processes_[p].initial) global.start(p, of_.names.content_of(*processes_[p].initial));
  }
  for (const First& first : first_events_) global.step(first.process, 1, {}, first.clock);
  touch(values_.size() - 1);
}

std::uint32_t GrowingValueGlobals::number_of(const GrowingEvent& event) {
  const Datum value = assigned_value(event.assignments, variable_, of_.names.names());
  if (std::holds_alternative<std::monostate>(value)) return none;
  const std::uint32_t before = values_.size();
  const std::uint32_t number = values_.find_or_add(owned(value), most_values_);
  if (number == none) is_over_ = true;
  if (number == before) add_value();
  return number;
}

void GrowingValueGlobals::touch(std::uint32_t value) {
  if (touched_.empty() || touched_.back() != value) touched_.push_back(value);
}

void GrowingValueGlobals::step(EventPlace place, const GrowingEvent& event,
                               std::span<const Rank> clock) {
  Process& here = processes_[place.process];
  const std::uint32_t own = number_of(event);
  if (place.rank == 1) {  // after the initial state, which is in all slices
    for (std::uint32_t value = 0; value < values_.size(); ++value) here.marked.push_back(value);
  }
  for (const std::uint32_t value : here.marked) {
    if (value == own) continue;
    globals_[value]->step(place.process, place.rank, {}, clock);
    touch(value);
  }
  here.marked.clear();
  if (place.rank == 1) first_events_.push_back({place.process, Cut(clock.begin(), clock.end())});
  if (own == none) return;
  globals_[own]->step(place.process, place.rank, of_.names.content_of(event), clock);
  touch(own);
  here.marked.push_back(own);
}

}  // namespace lightcone
