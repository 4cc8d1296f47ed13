// Prints the witness of a global property: the state process by process, then what led there.
#include <fmt/format.h>

#include <algorithm>

#include <lightcone/causal/process_words.h>
#include <lightcone/check/global_witness.h>
#include "check/explanation_text.h"
#include "check/moment_words.h"
#include "print/table.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t parts_told = 30;
constexpr std::size_t reads_width = 60, name_width = 40;
constexpr std::string_view not_as_recorded =
    "In the order of the trace, no such state occurs. But the messages allow other orders of the "
    "same events, and in another run it may occur.";

/// `x = 3` or `x: 2 -> 3`: what is read may be shortened, its value never is.
[[nodiscard]] std::string shown_read(const std::string& text) {
  const std::size_t equals = text.find(" = "), colon = text.find(": ");
  const std::size_t end = std::min(equals, colon);
  if (end == std::string::npos) return printable(text, SIZE_MAX);
  return printable(text.substr(0, end), name_width) + printable(text.substr(end), SIZE_MAX);
}

/// As many as fit; at least one.
[[nodiscard]] std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string next = shown_read(texts[i]);
    if (i > 0 && all.size() + next.size() > reads_width) {
      return all + fmt::format(" and {} more", texts.size() - i);
    }
    all += (all.empty() ? "" : ", ") + next;
  }
  return all;
}

[[nodiscard]] std::string shown_text(const std::optional<std::string_view>& text,
                                     std::size_t most = SIZE_MAX) {
  return text ? printable(*text, most) : std::string();
}

void print_state(const Computation& computation, const std::vector<StatePart>& parts,
                 const Paint& paint) {
  Table table({{"Process"}, {"After event"}, {"Labels"}, {"Reads"}, {"Source"}, {"Text"}});
  for (std::size_t i = 0; i < std::min(parts.size(), parts_told); ++i) {
    const StatePart& part = parts[i];
    const Row row = part.rank == 0 ? computation.initial_row(part.process)
                                   : computation.event(part.process, part.rank);
    table.add({paint.bold(process_words(computation, part.process)),
               part.rank == 0 ? "none" : grouped(part.rank),
               printable(label_words(computation, row)), paint.cyan(joined(part.reads)),
               shown_text(computation.source(row), name_width), shown_text(computation.text(row))});
  }
  if (parts.size() > parts_told) {
    table.add({"...", fmt::format("({} more)", grouped(parts.size() - parts_told))});
  }
  table.fit_last();
  fmt::print("\n{}", table.text(paint));
}

/// The first and the last of them, where there are many.
void print_changes(const Computation& computation, const std::vector<Change>& all,
                   const Paint& paint) {
  Table table({{"Event"}, {"Changes"}, {"Labels"}, {"Source"}, {"Text"}});
  const bool cut = all.size() > parts_told;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cut && i == parts_told / 2) {
      const std::size_t left_out = all.size() - parts_told;
      table.add({"...", fmt::format("({} more)", grouped(left_out))});
      i += left_out;
    }
    table.add({place_text(computation, all[i].event), paint.cyan(joined(all[i].reads)),
               printable(label_words(computation, all[i].event)),
               shown_text(computation.source(all[i].event), name_width),
               shown_text(computation.text(all[i].event))});
  }
  table.fit_last();
  fmt::print("\n{}", table.text(paint));
}

/// Returns whether the trace, line by line, shows nothing of what may have been.
[[nodiscard]] bool is_hidden_by_order(const Inspection& inspection,
                                      const Explanation& explanation) {
  const auto& properties = inspection.properties().source().properties;
  const auto& global = std::get<Global>(properties[explanation.property].question);
  return global.modality == Global::Modality::possibly && explanation.report->found &&
         holds_as_recorded(*explanation.global, inspection.computation()) == false;
}

}  // namespace

void print_global_witness(const Inspection& inspection, const Explanation& explanation,
                          const Paint& paint) {
  const Computation& computation = inspection.computation();
  const GlobalAnswer& answer = *explanation.global;
  const std::vector<StatePart> parts = state_parts(answer, computation);
  const std::vector<Change> all = changes(answer, computation);
  if (!parts.empty()) {
    print_state(computation, parts, paint);
    if (all.empty()) {
      fmt::print("\nNothing that it reads has changed so far.\n");
      return;
    }
    fmt::print("\nThese changes led there, in the order in which they were recorded:\n");
  }
  print_changes(computation, all, paint);
  if (is_hidden_by_order(inspection, explanation)) {
    fmt::print("\n{}\n", wrapped(not_as_recorded, text_columns()));
  }
}

}  // namespace lightcone::cli
