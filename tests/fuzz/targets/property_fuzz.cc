// No bytes make the property parser and compiler do anything but return properties or an error, and
// whatever they return can be decided.
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/trace.h>

#include <cstdint>
#include <string_view>

namespace {

/// A small computation with everything that properties can ask for.
const lightcone::Computation& sample() {
  static const lightcone::Computation computation = [] {
    constexpr std::string_view lines =
        R"({"process": "p1", "kind": "init", "labels": ["a"], "vars": {"x": 1, "t": "u"}}
{"process": "p1", "kind": "send", "message": "m1", "labels": ["a", "b"], )"
        R"("vars": {"x": 2.5}, "time": 1}
{"process": "p2", "kind": "receive", "message": "m1", "labels": ["c"], "vars": {"y": true}}
{"process": "p2", "kind": "internal", "labels": ["b"], "time": 2, "text": "Put took 12 ms"}
{"process": "p2", "kind": "send", "message": "m2"}
{"process": "p1", "kind": "receive", "message": "m2", "labels": ["a"]}
)";
    return std::move(
        lightcone::read_trace_text(lines, "sample", lightcone::Format::jsonl)->computation);
  }();
  return computation;
}

/// What is proper is definite, what is definite is possible.
void decide_all(const lightcone::Properties& properties, const lightcone::Global& global) {
  using namespace lightcone;
  const GlobalPredicate predicate(sample(), properties, global.expression);
  const auto found = [&](Global::Modality modality) {
    Budget budget({10'000, 1, std::size_t{1} << 26});
    return decide(modality, predicate, sample(), {budget, {}, true}).found;
  };
  const auto possible = found(Global::Modality::possibly);
  const auto definite = found(Global::Modality::definitely);
  const auto proper = found(Global::Modality::properly);
  if (proper == true && definite == false) __builtin_trap();
  if (definite == true && possible == false) __builtin_trap();
}

/// In no slice is it found more often than it is asked.
void ask_for_each(const lightcone::Properties& properties, std::uint32_t index) {
  using namespace lightcone;
  const AssignedValues values(sample(), properties.properties[index].each);
  const auto compiled =
      CompiledProperties::compile_alone(properties, event_labels(sample()), index);
  for (std::uint32_t value = 0; value < values.size(); ++value) {
    const Inspection slice(compiled, sample(), {}, {&values, value});
    const FoundRows* answer = slice.answer(index);
    if (answer == nullptr) continue;
    if (answer->found_count() + answer->undecided_count() > answer->asked_count()) {
      __builtin_trap();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  if (size > 2000) return 0;  // what is long is slow, and no more interesting
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto properties = parse_property_syntax(text, "fuzz");
  if (!properties) {
    if (properties.error().what.empty() || properties.error().text().empty()) __builtin_trap();
    return 0;
  }
  const bool named = check_names(*properties, sample()).has_value();
  const auto compiled = CompiledProperties::compile(std::move(*properties), event_labels(sample()));
  const Inspection inspection(compiled, sample());
  for (std::uint32_t i = 0; i < compiled.source().properties.size(); ++i) {
    const FoundRows* answer = inspection.answer(i);
    if (answer != nullptr && answer->found_count() > answer->asked_count()) __builtin_trap();
    const Property& property = compiled.source().properties[i];
    const auto* global = std::get_if<Global>(&property.question);
    if (!property.each.empty()) ask_for_each(compiled.source(), i);
    if (named && global != nullptr) decide_all(compiled.source(), *global);
  }
  return 0;
}
