// Turns what was found into reports with verdicts.
#include <lightcone/check/verdicts.h>

#include <fmt/format.h>
#include <lightcone/base/wording.h>
#include <lightcone/riders/certainty.h>

#include <utility>

namespace lightcone {
namespace {

/// Returns whether a property passes that was found in all, some or none of the places it was asked
/// at.
[[nodiscard]] Verdict verdict_of(Verb verb, bool found, bool found_everywhere) {
  switch (verb) {
    case Verb::forbid: return found ? Verdict::fail : Verdict::pass;
    case Verb::expect: return found ? Verdict::pass : Verdict::fail;
    case Verb::require: return found_everywhere ? Verdict::pass : Verdict::fail;
    case Verb::watch: break;
  }
  return Verdict::info;
}

/// Returns whether the verdict stays what it is when a trace goes on: it rests on places that were
/// found, or on a place where something required is missing. The places have their true pasts.
[[nodiscard]] bool is_final(const Property& property, const PropertyReport& report) {
  if (const auto* global = std::get_if<Global>(&property.question)) {
    return global->modality == Global::Modality::possibly && report.found;
  }
  return property.verb == Verb::require ? report.verdict == Verdict::fail : report.found;
}

/// Returns whether a lost process could make the state that was found impossible.
[[nodiscard]] bool depends_on_all_processes(const Property& property,
                                            const PropertyReport& report) {
  const auto* global = std::get_if<Global>(&property.question);
  return global != nullptr && report.found && !bears_more_processes(global->expression);
}

/// Gives a property that was answered its verdict. The report says already how often it was asked
/// and found, or whether a global one was found.
void judge(const Property& property, const Wholeness& wholeness, PropertyReport& report) {
  const std::uint64_t missing = report.asked_count - report.found_count - report.undecided_count;
  const bool everywhere = report.is_global ? report.found : missing == 0;
  report.verdict = verdict_of(property.verb, report.found, everywhere);
  if (report.undecided_count > 0 && property.verb != Verb::watch && !is_final(property, report)) {
    report.verdict = Verdict::unknown;
    report.found = false;
    return;
  }
  report.lost = (wholeness.incomplete && !is_final(property, report)) ||
                (wholeness.lost_processes && depends_on_all_processes(property, report));
  if (report.lost) {
    report.verdict = Verdict::unknown;
    report.found = false;
  }
  report.of_kept_part =
      !report.lost && wholeness.left_out.has_value() && !is_final(property, report);
}

}  // namespace

Verdict verdict_at_a_place(Verb verb) {
  switch (verb) {
    case Verb::expect: return Verdict::pass;
    case Verb::watch: return Verdict::info;
    default: return Verdict::fail;
  }
}

Verdict verdict_of_global(Verb verb, bool found) { return verdict_of(verb, found, found); }

PropertyReport report_on(const Property& property, PlaceFinding finding, std::string method,
                         const Wholeness& wholeness) {
  PropertyReport report = report_on_unanswered(property, std::move(method));
  report.asked_count = finding.asked;
  report.found_count = finding.found;
  report.undecided_count = finding.undecided;
  report.found = finding.found > 0;
  report.at = std::move(finding.at);
  report.missing = std::move(finding.missing);
  report.undecided = std::move(finding.undecided_at);
  judge(property, wholeness, report);
  return report;
}

PropertyReport report_on(const Property& property, const Decision& decision,
                         std::vector<ProcessIndex> read, const Wholeness& wholeness) {
  PropertyReport report = report_on_unanswered(property, decision.method);
  report.lost = decision.lost;
  report.cut = decision.cut;
  report.read = std::move(read);
  if (!decision.found) return report;
  report.found = *decision.found;
  report.meaning = what_was_found(std::get<Global>(property.question).modality, report.found);
  judge(property, wholeness, report);
  return report;
}

PropertyReport report_on_unanswered(const Property& property, std::string why) {
  PropertyReport report;
  report.name = property.name;
  report.verb = property.verb;
  report.method = std::move(why);
  report.is_global = std::holds_alternative<Global>(property.question);
  return report;
}

PropertyReport report_on_given_up(const Property& property) {
  return report_on_unanswered(property,
                              "not decided: a regular expression takes too long on a text");
}

std::string verdict_counts(std::uint64_t failed, std::uint64_t unknown, std::uint64_t properties) {
  std::string text = failed == 0
                         ? "No property failed"
                         : fmt::format("{} failed", counted(failed, "property", "properties"));
  if (unknown > 0) text += fmt::format(", {} not decided", grouped(unknown));
  return fmt::format("{}, of {}", text, counted(properties, "property", "properties"));
}

std::string_view what_was_found(Global::Modality modality, bool found) {
  switch (modality) {
    case Global::Modality::possibly:
      return found ? "some global state satisfies it" : "no global state satisfies it";
    case Global::Modality::definitely:
      return found ? "every observation passes through a state that satisfies it"
                   : "some observation passes through no state that satisfies it";
    case Global::Modality::properly: break;
  }
  return found ? "an inevitable global state satisfies it"
               : "no inevitable global state satisfies it";
}

}  // namespace lightcone
