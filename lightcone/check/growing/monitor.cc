// Tells all that follow the properties of each event, and of what they find.
#include <lightcone/check/growing/monitor_core.h>

#include <lightcone/property/language/property_reads.h>
#include <lightcone/riders/certainty.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// The names that properties look up: others never match.
[[nodiscard]] Names names_of(const CompiledProperties& compiled) {
  const Properties& properties = compiled.source();
  Names names = Observer::names_of(compiled.vocabulary());
  for (std::uint32_t i = 0; i < properties.properties.size(); ++i) {
    const Property& property = properties.properties[i];
    const auto* global = std::get_if<Global>(&property.question);
    if (global != nullptr) GlobalReads::intern_names(global->expression, names);
    if (property.each.empty()) continue;
    (void)names.intern(property.each);
    const auto alone = CompiledProperties::compile_alone(properties, {}, i);
    Observer::intern_names(alone.vocabulary(), names);
  }
  return names;
}

/// Messages carry what is known of each value, so fewer of those that all have received are kept.
constexpr std::size_t complete_with_values = 1'024;

[[nodiscard]] bool has_for_each(const Properties& properties) {
  return std::ranges::any_of(properties.properties,
                             [](const Property& property) { return !property.each.empty(); });
}

[[nodiscard]] bool has_global(const Properties& properties) {
  return std::ranges::any_of(properties.properties, [](const Property& property) {
    return std::holds_alternative<Global>(property.question);
  });
}

}  // namespace

Monitor::Core::Core(PropertyFile properties, MonitorOptions options)
    : file_(std::move(properties)),
      options_(std::move(options)),
      properties_(CompiledProperties::compile(file_.syntax())),
      names_(names_of(properties_)),
      flows_(properties_, names_.names(),
             [this](ProcessIndex p, std::uint32_t index, std::optional<bool> found) {
               note(p, index, found);
             }),
      order_(options_.file, has_global(file_.syntax()),
             GrowingMessages(has_for_each(file_.syntax()) ? complete_with_values
                                                          : GrowingMessages::usual_complete,
                             options_.redelivery_bytes),
             [this](ProcessIndex p, const GrowingEvent& event,
                    std::span<const GrowingTag* const> taken) { return happen(p, event, taken); }),
      globals_(properties_.source(), names_, options_.check, [this](ProcessIndex p) {
        return std::span<const Rank>(order_.processes()[p].clock.clock());
      }) {
  if (flows_.expressions().reads_content()) names_.read_words();
  for (std::uint32_t i = 0; i < properties_.source().properties.size(); ++i) {
    found_.emplace_back(options_.check.most_places);
    values_.push_back(nullptr);
    const bool is_global = std::holds_alternative<Global>(property(i).question);
    if (!is_global && !property(i).each.empty()) follow_values(i);
  }
}

void Monitor::Core::follow_values(std::uint32_t index) {
  has_values_ = true;
  ValueLimits limits;
  limits.most_values = options_.check.most_values;
  limits.most_places = options_.check.most_places;
  values_.back() = std::make_unique<GrowingValues>(
      CompiledProperties::compile_alone(properties_.source(), {}, index), index, names_.names(),
      limits,
      [this, index](const ReportedValue& value, EventPlace place) { tell(index, place, value); });
  if (values_.back()->expressions().reads_content()) names_.read_words();
}

std::size_t Monitor::Core::bytes_kept() const {
  std::size_t bytes = order_.bytes() + globals_.bytes() + names_.bytes();
  for (const auto& values : values_) {
    if (values) bytes += values->bytes();
  }
  return bytes;
}

ProcessIndex Monitor::Core::process(std::string_view name) {
  const auto index = static_cast<ProcessIndex>(process_names_.intern(name));
  if (index < order_.processes().size()) return index;
  const std::string_view kept = process_names_[NameIndex{index}];
  order_.add_process(kept);
  flows_.add_process(kept);
  for (const auto& values : values_) {
    if (values) values->add_process(kept);
  }
  globals_.add_process(kept);
  return index;
}

/// Returns whether a flow or logic property reads a text on which a regular expression took too
/// long.
bool Monitor::Core::is_given_up(std::uint32_t index) const {
  const LocalExpressions& read =
      values_[index] ? values_[index]->expressions() : flows_.expressions();
  return depends_on_matching(properties_.source(), property(index), read.given_up());
}

Expected<void> Monitor::Core::add(const MonitoredEvent& event) {
  const ProcessIndex index = process(event.process);
  GrowingOrder::Process& here = order_.processes()[index];
  if (event.kind == Kind::initial) {
    if (here.has_spoken)
      return failure(refusal(event, LayoutError::Why::late_initial, {}, options_.file));
    here.has_spoken = true;
    start(index, names_.looked_up(event));
    tell_of_globals();
    return {};
  }
  if (here.rank + here.queue.size() >= none - 1) {
    return failure("more than 4 billion events of one process", options_.file, event.line);
  }
  GrowingEvent known = names_.looked_up(event);
  if (auto possible = order_.look_up_messages(event, index, known); !possible) return possible;
  here.has_spoken = true;
  if (!here.has_started) start(index, {});
  order_.add(index, std::move(known));
  tell_of_globals();
  return {};
}

void Monitor::Core::start(ProcessIndex index, const GrowingEvent& event) {
  order_.processes()[index].has_started = true;
  names_.note(event);
  now_ = {index, 0};
  labels_now_ = event.label_set;
  StateContent initial = names_.content_of(event);
  initial.kind = Kind::initial;
  flows_.start(index, initial);
  for (const auto& values : values_) {
    if (values) values->start(index, initial);
  }
  globals_.start(index, event, initial);
}

GrowingTag Monitor::Core::happen(ProcessIndex index, const GrowingEvent& event,
                                 std::span<const GrowingTag* const> taken) {
  const EventPlace place{index, order_.processes()[index].rank};
  names_.note(event);
  now_ = place;
  labels_now_ = event.label_set;
  flows_.step(index, names_.content_of(event), taken);
  if (has_values_) step_values(place, event, taken);
  if (!globals_.empty()) {
    const GrowingOrder::Process& here = order_.processes()[index];
    // What is found without the states that have something lost in their pasts is certain.
    if (here.is_exact) {
      globals_.step(place, event, here.clock.clock());
    } else {
      globals_.mention(event);
    }
  }
  GrowingTag tag;
  if (event.sends == GrowingEvent::no_message) return tag;
  flows_.put(index, tag);
  for (const auto& values : values_) {
    if (values) tag.sliced.push_back(values->tag(index));
  }
  return tag;
}

void Monitor::Core::step_values(EventPlace place, const GrowingEvent& event,
                                std::span<const GrowingTag* const> taken) {
  const bool is_exact = order_.processes()[place.process].is_exact;
  std::vector<const SlicedTag*> sliced(taken.size());
  std::size_t i = 0;
  for (const auto& values : values_) {
    if (!values) continue;
    for (std::size_t k = 0; k < taken.size(); ++k) sliced[k] = &taken[k]->sliced[i];
    values->step(place, names_.content_of(event), sliced, is_exact);
    ++i;
  }
}

/// An answer at the last state of a process. What is not certain counts as not asked.
void Monitor::Core::note(ProcessIndex index, std::uint32_t number, std::optional<bool> found) {
  const GrowingOrder::Process& at = order_.processes()[index];
  const Property& asked = property(number);
  const Properties& properties = properties_.source();
  if (found && !at.is_exact && !rests_on_one_true_path(properties, asked, *found)) return;
  if (!flows_.expressions().given_up().empty() && is_given_up(number)) return;
  FoundPlaces& all = found_[number];
  ++all.asked;
  if (!found) {
    ++all.undecided;
    all.undecided_at.add({index, at.rank});
    return;
  }
  all.found += *found ? 1 : 0;
  if (*found) {
    all.at.add({index, at.rank});
  } else if (asked.verb == Verb::require) {
    all.missing.add({index, at.rank});
  }
  if (is_told(asked.verb, *found)) tell(number, {index, at.rank}, {});
}

void Monitor::Core::tell(std::uint32_t number, EventPlace place,
                         std::optional<ReportedValue> value) {
  if (!options_.on_sighting) return;
  Sighting sighting{number, order_.processes()[place.process].name, place.rank, {}, {}};
  if (place == now_) sighting.labels = names_.labels(labels_now_);
  sighting.value = std::move(value);
  options_.on_sighting(sighting);
}

/// Tells of global properties that have been found since the last call.
void Monitor::Core::tell_of_globals() {
  if (globals_.empty() || !options_.on_global) return;
  globals_.tell_of_decided(
      [this](std::uint32_t number, const GrowingGlobal& global,
             std::optional<ReportedValue> value) { tell(number, global, std::move(value)); });
}

void Monitor::Core::tell(std::uint32_t number, const GrowingGlobal& global,
                         std::optional<ReportedValue> value) {
  GlobalSighting sighting{.property = number, .needs_all = global.needs_all_processes()};
  const std::vector<Rank>& cut = global.decision().cut;
  for (ProcessIndex p = 0; p < cut.size(); ++p) {
    if (!global.reads(p)) continue;
    sighting.processes.push_back(order_.processes()[p].name);
    sighting.ranks.push_back(cut[p]);
  }
  sighting.value = std::move(value);
  options_.on_global(sighting);
}

Monitor::Monitor(PropertyFile properties, MonitorOptions options)
    : core_(std::make_unique<Core>(std::move(properties), std::move(options))) {}
Monitor::~Monitor() = default;
void Monitor::add_process(std::string_view name) { core_->add_process(name); }
void Monitor::close_processes() { core_->close_processes(); }
Expected<void> Monitor::add(const MonitoredEvent& event) { return core_->add(event); }
Expected<Report> Monitor::finish(const MonitorEnd& end) { return core_->finish(end); }
const PropertyFile& Monitor::properties() const { return core_->properties(); }
std::size_t Monitor::waiting() const { return core_->waiting(); }
std::size_t Monitor::messages_kept() const { return core_->messages_kept(); }
std::size_t Monitor::bytes_kept() const { return core_->bytes_kept(); }
std::vector<MonitorWait> Monitor::waits() const { return core_->waits(); }

}  // namespace lightcone
