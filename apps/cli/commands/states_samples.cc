// Global states at random, and how many there are of each size.
#include <fmt/format.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/count/cut_sampler.h>

#include <algorithm>
#include <cmath>

#include "commands/states_answers.h"
#include "print/json_output.h"
#include "print/progress_bar.h"
#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

/// Draws states until there are enough or the time is over. Returns how many there are.
template <class Print>
[[nodiscard]] std::uint64_t draw_states(CutSampler& sampler, std::uint64_t states,
                                        const Print& print) {
  for (std::uint64_t drawn = 0; drawn < states; ++drawn) {
    const auto cut = sampler.draw();
    if (!cut) return drawn;
    print(*cut);
  }
  return states;
}

/// A bar that is as long as the number is large beside the largest.
[[nodiscard]] std::string bar_of(const NaturalNumber& number, const NaturalNumber& largest,
                                 bool unicode) {
  constexpr std::uint64_t whole = 10'000;
  constexpr std::size_t columns = 40;
  const double share = std::pow(10, number.log10() - largest.log10());
  return bar(static_cast<std::uint64_t>(share * whole), whole, columns, unicode);
}

}  // namespace

Status print_sample(StatesView& view, const Limits& limits, const SampleRequest& request,
                    bool json) {
  const Futures futures(view.level());
  CutSampler sampler(futures, limits, request.seed);
  std::uint64_t drawn = 0;
  if (json) {
    JsonStream document(view.wholeness());
    document.begin_list("sample");
    drawn =
        draw_states(sampler, request.states, [&](const Cut& cut) { document.add(view.json(cut)); });
    document.end_list();
    document.text("method", sampler.has_tables() ? "elimination" : "coupling");
    document.number("seed", request.seed);
    document.number("processes", view.processes().size());
    document.number("events", view.level().events());
    if (drawn < request.states) document.text("limit", "time");
  } else {
    fmt::print("{}\n", paint_for(stdout).bold(view.heading()));
    drawn = draw_states(sampler, request.states,
                        [&](const Cut& cut) { fmt::print("{}\n", view.line(cut)); });
    if (drawn < request.states) {
      report_note(
          fmt::format("these are {} of {} states. {}", drawn, request.states, limit_words("time")));
    }
  }
  return drawn == request.states ? Status::ok : Status::limit;
}

std::optional<std::vector<NaturalNumber>> states_by_size(const StatesView& view,
                                                         const Limits& limits) {
  ProgressBar bar;
  return count_cuts_by_size(Futures(view.level()), all_of(view.level()), limits, bar.progress());
}

Status print_sizes(const StatesView& view, const std::vector<NaturalNumber>& sizes, bool json) {
  NaturalNumber all;
  for (const NaturalNumber& states : sizes) all += states;
  if (json) {
    JsonStream document(view.wholeness());
    document.begin_list("sizes");
    for (const NaturalNumber& states : sizes) document.add(json_count(states.decimal()));
    document.end_list();
    document.number("count", json_count(all.decimal()));
    document.number("processes", view.processes().size());
    document.number("events", view.level().events());
    return Status::ok;
  }
  const NaturalNumber& largest = *std::max_element(sizes.begin(), sizes.end());
  const bool unicode = has_unicode();
  const std::size_t digits = std::max<std::size_t>(short_number(largest.decimal()).size(), 6);
  fmt::print("{}\n", paint_for(stdout).bold(fmt::format("  Events  {:>{}}", "States", digits)));
  for (std::size_t events = 0; events < sizes.size(); ++events) {
    const std::string drawn = bar_of(sizes[events], largest, unicode);
    fmt::print("  {:>6}  {:>{}}{}{}\n", events, short_number(sizes[events].decimal()), digits,
               drawn.empty() ? "" : "  ", drawn);
  }
  return Status::ok;
}

Status print_no_sizes(const StatesView& view, const Limits& limits, bool json) {
  const bool has_time_limit = !std::isinf(limits.seconds);
  const std::string_view limit = has_time_limit ? "time" : "states";
  if (json) {
    JsonStream document(view.wholeness());
    document.nothing("sizes");
    document.text("limit", limit);
  } else {
    fmt::print("{}\n", wrapped("The sizes are not known. " + limit_words(limit), text_columns()));
  }
  return Status::limit;
}

}  // namespace lightcone::cli
