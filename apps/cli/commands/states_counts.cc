// Counts and lists global states, and counts observations: what may take long, within limits.
#include <fmt/format.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/count/cut_estimate.h>
#include <lightcone/lattice/eliminate/natural_number.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/lattice/visit/observation.h>
#include <lightcone/lattice/visit/parallel_visit.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "commands/states_answers.h"
#include "print/json_output.h"
#include "print/progress_bar.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "run/ranks_run.h"

namespace lightcone::cli {
namespace {

/// How long it is since this was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void print_wrapped(const std::string& text) { fmt::print("{}\n", wrapped(text, text_columns())); }

/// Digits that a sentence has no room for.
void print_exactly(const Count& count, std::string_view bound) {
  if (short_number(count.decimal).find('*') == std::string::npos) return;
  fmt::print("\n{}:\n  {}\n", count.exact ? "Exactly" : bound, count.decimal);
}

/// The number of choices of one local state of each process.
[[nodiscard]] std::string combinations(const Level& level) {
  NaturalNumber product(1);
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    product *= NaturalNumber(std::uint64_t{level.length(c)} + 1);
  }
  return short_number(product.decimal());
}

/// `3 processes with 14 relevant events`
[[nodiscard]] std::string extent(const StatesView& view) {
  return fmt::format("{} with {}", counted(view.processes().size(), "process", "processes"),
                     counted(view.level().events(), "relevant event"));
}

void add_extent(JsonStream& document, const StatesView& view) {
  document.number("processes", view.processes().size());
  document.number("events", view.level().events());
}

/// The count under its name or, where a limit was hit, the bound under that of `bound`.
void add_count(JsonStream& document, std::string_view name, const Count& count,
               std::string_view bound, std::string_view limit) {
  if (count.exact) {
    document.number(name, json_count(count.decimal));
    return;
  }
  document.nothing(name);
  document.number(bound, json_count(count.decimal));
  document.text("limit", limit);
}

/// `1.23e+45`, which JSON takes for a number.
[[nodiscard]] std::string power_of_ten(double log10) {
  const double whole = std::floor(log10);
  return fmt::format("{:.3f}e+{:.0f}", std::pow(10, log10 - whole), whole);
}
/// `1.23 * 10^45`
[[nodiscard]] std::string power_words(double log10) {
  const double whole = std::floor(log10);
  return fmt::format("{:.2f} * 10^{:.0f}", std::pow(10, log10 - whole), whole);
}

void add_estimate(JsonStream& document, const CutEstimate& estimate) {
  document.number("estimate",
                  fmt::format(R"({{"count":{},"low":{},"high":{},"confidence":0.95,)"
                              R"("log10":{:.4f},"samples":{}}})",
                              power_of_ten(estimate.log10), power_of_ten(estimate.log10_low),
                              power_of_ten(estimate.log10_high), estimate.log10, estimate.samples));
}

[[nodiscard]] std::string estimate_words(const CutEstimate& estimate) {
  return fmt::format(
      " This is an estimate, not a count: about {} global states. It comes from {} random states. "
      "With a confidence of 95%, the number lies between {} and {}.",
      power_words(estimate.log10), grouped(estimate.samples), power_words(estimate.log10_low),
      power_words(estimate.log10_high));
}

/// Of the time, an estimate gets what the count leaves.
constexpr double share_of_count = 0.75;
constexpr double seconds_of_estimate = 10;

[[nodiscard]] std::optional<CutEstimate> estimate(const Futures& futures, const Limits& limits,
                                                  double spent) {
  constexpr std::uint64_t seed = 1;
  Limits left = limits;
  left.seconds = std::isinf(limits.seconds) ? seconds_of_estimate : limits.seconds - spent;
  return estimate_cuts(futures, all_of(futures.level()), left, seed);
}

void print_count_words(const StatesView& view, const Count& count, std::string_view limit,
                       const std::optional<CutEstimate>& estimated) {
  const Level& level = view.level();
  const Paint paint = paint_for(stdout);
  std::string text = fmt::format(
      "{}{} of {} combinations of local states {} consistent: these are the global states of {}.",
      count.exact ? "" : "More than ", paint.bold(short_number(count.decimal)), combinations(level),
      count.decimal == "1" ? "is" : "are", extent(view));
  const std::size_t inevitable = inevitable_states(level).count();
  text += fmt::format(" {} inevitable: every observation passes through {}.",
                      inevitable == 1 ? "1 is" : grouped(inevitable) + " are",
                      inevitable == 1 ? "it" : "them");
  if (!count.exact) text += ' ' + limit_words(limit);
  if (estimated) text += estimate_words(*estimated);
  print_wrapped(text);
  print_exactly(count, "More than");
}

/// Prints cuts as they come, until a limit is hit.
template <class Print>
[[nodiscard]] VisitedStates list_states(const StatesView& view, const Limits& limits, Print print) {
  const Futures futures(view.level());
  std::uint64_t listed = 0;
  auto visit = [&](std::span<const Rank> cut) {
    print(cut);
    ++listed;
    return true;
  };
  ProgressBar bar;
  Progress progress;
  if (!is_drawable(stdout)) progress = bar.progress();
  const auto tell = [&](std::string_view, std::uint64_t, std::uint64_t) {
    if (progress) progress("listing states", listed, 0);
  };
  return visit_states(futures, all_of(view.level()), std::span(&visit, 1), limits, tell);
}

}  // namespace

std::string limit_words(std::string_view limit) {
  return fmt::format("The limit of {} was hit: --limit-{} sets it.", limit, limit);
}

std::string json_count(std::string_view digits) {
  constexpr std::string_view most_exact = "9007199254740992";  // 2^53
  const bool is_small = digits.size() < most_exact.size() ||
                        (digits.size() == most_exact.size() && digits <= most_exact);
  return is_small ? std::string(digits) : fmt::format("\"{}\"", digits);
}

Status print_count(const StatesView& view, const Limits& limits, bool json) {
  const Stopwatch watch;
  ProgressBar bar;
  const Futures futures(view.level());
  Limits counting = limits;
  counting.seconds *= share_of_count;
  const Count count =
      count_cuts(futures, all_of(view.level()), counting, bar.progress(), workers());
  const std::string_view limit = limit_hit(counting, watch.seconds());
  std::optional<CutEstimate> estimated;
  if (!count.exact) estimated = estimate(futures, limits, watch.seconds());
  bar.clear();
  if (json) {
    JsonStream document(view.wholeness());
    add_count(document, "count", count, "more_than", limit);
    if (estimated) add_estimate(document, *estimated);
    const bool eliminated = count.method == CountMethod::elimination;
    document.text("method", eliminated ? "elimination" : "enumeration");
    document.number("width", count.width);
    add_extent(document, view);
  } else {
    print_count_words(view, count, limit, estimated);
  }
  return count.exact ? Status::ok : Status::limit;
}

Status print_list(StatesView& view, const Limits& limits, bool json) {
  const Stopwatch watch;
  VisitedStates visited;
  if (json) {
    JsonStream document(view.wholeness());
    document.begin_list("states");
    visited =
        list_states(view, limits, [&](std::span<const Rank> cut) { document.add(view.json(cut)); });
    document.end_list();
    const bool complete = visited.ending == Ending::complete;
    add_count(document, "count", count_of(NaturalNumber(visited.states), complete), "more_than",
              limit_hit(limits, watch.seconds()));
    add_extent(document, view);
  } else {
    fmt::print("{}\n", paint_for(stdout).bold(view.heading()));
    visited = list_states(view, limits, [&](std::span<const Rank> cut) {
      const std::string& line = view.line(cut);
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fputc('\n', stdout);
    });
  }
  if (visited.ending == Ending::complete) return Status::ok;
  if (!json) {
    report_note(fmt::format("there are more than {}. {}", counted(visited.states, "global state"),
                            limit_words(limit_hit(limits, watch.seconds()))));
  }
  return Status::limit;
}

Status print_observation_count(const StatesView& view, const Limits& limits, bool json) {
  const Stopwatch watch;
  const bool memory_first = states_in_memory(view.level(), limits) < limits.states;
  const Count count = count_observations(Futures(view.level()), all_of(view.level()), limits);
  std::string_view limit = limit_hit(limits, watch.seconds());
  if (limit == "states" && memory_first) limit = "memory";
  if (json) {
    JsonStream document(view.wholeness());
    add_count(document, "observations", count, "at_least", limit);
    add_extent(document, view);
  } else {
    print_wrapped(
        fmt::format("{}{}: orders, one event after the other, in which {} may have happened.{}",
                    count.exact ? "" : "At least ",
                    paint_for(stdout).bold(short_number(count.decimal)) +
                        (count.decimal == "1" ? " observation" : " observations"),
                    counted(view.level().events(), "relevant event") + " of " +
                        counted(view.processes().size(), "process", "processes"),
                    count.exact ? "" : ' ' + limit_words(limit)));
    print_exactly(count, "At least");
  }
  return count.exact ? Status::ok : Status::limit;
}

Status print_no_room(std::string_view name, const Wholeness& wholeness, bool json) {
  if (json) {
    JsonStream document(wholeness);
    document.nothing(name);
    document.text("limit", "memory");
  } else {
    print_wrapped("The answer is not known. " + limit_words("memory"));
  }
  return Status::limit;
}

}  // namespace lightcone::cli
