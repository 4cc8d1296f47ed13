// Glushkov's construction with limits on edges.
#include <lightcone/property/automata/timed_automaton.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::size_t most_timed_positions = 1024;

class TimedPositions {
 public:
  explicit TimedPositions(Vocabulary& vocabulary) : vocabulary_(vocabulary) {
    automaton_.positions.emplace_back();
  }

  [[nodiscard]] Expected<TimedAutomaton> run(const Pattern& pattern) {
    const Part whole = add(pattern);
    if (is_too_long_) {
      return failure(
          fmt::format("a pattern with `within` of more than {} atoms once its "
                      "repetitions are written out",
                      most_timed_positions));
    }
    connect({0}, whole.first, {});
    for (const std::uint32_t p : whole.last) automaton_.positions[p].is_final = true;
    automaton_.positions[0].is_final = whole.empty;
    for (TimedAutomaton::Position& position : automaton_.positions) finish(position);
    return std::move(automaton_);
  }

 private:
  using Set = std::vector<std::uint32_t>;  // sorted
  struct Part {
    Set first = {}, last = {};
    bool empty = true;
  };

  static void unite(Set& a, const Set& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    a.erase(std::unique(a.begin(), a.end()), a.end());
  }

  void connect(const Set& from, const Set& to, std::optional<double> within) {
    for (const std::uint32_t p : from) {
      for (const std::uint32_t q : to) automaton_.positions[p].edges.push_back({q, within});
    }
  }

  void finish(TimedAutomaton::Position& position) const {
    auto& edges = position.edges;
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    position.needs_anchor = std::ranges::any_of(edges, [&](const TimedAutomaton::Edge& edge) {
      return edge.within.has_value() || automaton_.positions[edge.to].keeps_anchor;
    });
  }

  [[nodiscard]] Part add(const Pattern& pattern) {
    switch (pattern.kind) {
      case Pattern::Kind::atom: return add_atom(pattern.atom);
      case Pattern::Kind::repeat: return add_repeat(pattern);
      case Pattern::Kind::choice: {
        Part whole;
        whole.empty = false;
        for (const Pattern& part : pattern.parts) {
          const Part other = add(part);
          unite(whole.first, other.first);
          unite(whole.last, other.last);
          whole.empty = whole.empty || other.empty;
        }
        return whole;
      }
      case Pattern::Kind::sequence: break;
    }
    Part whole;
    std::optional<double> within;  // of the part that came last
    for (const Pattern& part : pattern.parts) {
      append(whole, add(part), within);
      within = part.within;
    }
    return whole;
  }

  [[nodiscard]] Part add_atom(const Atom& atom) {
    if (automaton_.positions.size() > most_timed_positions) {
      is_too_long_ = true;
      return {};
    }
    const auto position = static_cast<std::uint32_t>(automaton_.positions.size());
    automaton_.positions.emplace_back();
    const bool any_letter = atom.kind == Atom::Kind::none_of && atom.names.empty();
    if (!any_letter) automaton_.positions.back().test = vocabulary_.test(atom);
    return {{position}, {position}, false};
  }

  [[nodiscard]] Part add_repeat(const Pattern& pattern) {
    const Pattern& inner = pattern.parts.front();
    const bool is_unbounded = pattern.most == Pattern::unbounded;
    const std::uint32_t copies =
        is_unbounded ? std::max<std::uint32_t>(pattern.least, 1) : pattern.most;
    Part whole;
    for (std::uint32_t i = 0; i < copies && !is_too_long_; ++i) {
      Part part = add(inner);
      if (is_unbounded && i + 1 == copies) connect(part.last, part.first, {});
      if (i >= pattern.least) part.empty = true;
      if (pattern.within) {
        for (const std::uint32_t p : part.first) automaton_.positions[p].keeps_anchor = true;
      }
      append(whole, std::move(part), {});
    }
    return whole;
  }

  void append(Part& whole, Part part, std::optional<double> within) {
    connect(whole.last, part.first, within);
    if (whole.empty) unite(whole.first, part.first);
    if (part.empty) unite(part.last, whole.last);
    whole.last = std::move(part.last);
    whole.empty = whole.empty && part.empty;
  }

  Vocabulary& vocabulary_;
  TimedAutomaton automaton_;
  bool is_too_long_ = false;
};

}  // namespace

Expected<TimedAutomaton> timed_automaton(const Pattern& pattern, Vocabulary& vocabulary) {
  return TimedPositions(vocabulary).run(pattern);
}

}  // namespace lightcone
