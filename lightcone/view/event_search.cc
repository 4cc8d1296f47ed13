// Compares each name once, and leaves expressions to `check`.
#include <lightcone/view/event_search.h>

#include <lightcone/check.h>

#include <algorithm>
#include <string>

namespace lightcone {
namespace {

[[nodiscard]] char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

class NameSearch {
 public:
  NameSearch(const Computation& computation, SearchKind kind, std::string_view words)
      : computation_(computation), kind_(kind), matches_(computation.names().size(), 0) {
    std::transform(words.begin(), words.end(), std::back_inserter(words_), small_letter);
  }

  [[nodiscard]] bool matches(ProcessIndex p, Rank rank) {
    const Row row = rank == 0 ? computation_.initial_row(p) : computation_.event(p, rank);
    const bool any = kind_ == SearchKind::any;
    if ((any || kind_ == SearchKind::process) && rank == 0 &&
        contains(computation_.process_name(p))) {
      return true;
    }
    if ((any || kind_ == SearchKind::label) && has_label(row)) return true;
    if ((any || kind_ == SearchKind::text) && has_name(computation_.attributes().text, row)) {
      return true;
    }
    return any && has_name(computation_.attributes().source, row);
  }

 private:
  [[nodiscard]] bool contains(std::string_view name) const {
    return std::search(name.begin(), name.end(), words_.begin(), words_.end(),
                       [](char a, char b) { return small_letter(a) == b; }) != name.end();
  }
  [[nodiscard]] bool has_label(Row row) {
    const auto labels = computation_.labels(row);
    return std::any_of(labels.begin(), labels.end(),
                       [&](NameIndex label) { return is_match(label); });
  }
  [[nodiscard]] bool has_name(const std::vector<NameIndex>& column, Row row) {
    return row < column.size() && column[row] != NameIndex::none && is_match(column[row]);
  }
  /// Each name is compared once.
  [[nodiscard]] bool is_match(NameIndex name) {
    constexpr std::uint8_t no = 1, yes = 2;
    std::uint8_t& known = matches_[static_cast<std::uint32_t>(name)];
    if (known == 0) known = contains(computation_.names()[name]) ? yes : no;
    return known == yes;
  }

  const Computation& computation_;
  SearchKind kind_;
  std::string words_;
  std::vector<std::uint8_t> matches_;  // of each name; 0: not compared yet
};

constexpr std::string_view before_expression = "label found = ";

/// The states in which the expression holds are those at which such a property is found.
[[nodiscard]] Expected<SearchHits> search_states(const Reading& reading, std::string_view words,
                                                 std::size_t most) {
  std::string line(words);
  std::replace(line.begin(), line.end(), '\n', ' ');
  const std::string text =
      std::string(before_expression) + line + "\nwatch hits : logic {\n  here := found\n}\n";
  auto located = [&](Error error) {
    error.file.clear();
    error.excerpt = line;
    error.column -= std::min<std::uint64_t>(error.column, before_expression.size());
    return failure(std::move(error));
  };
  const auto properties = parse_properties(text, "search");
  if (!properties) return located(properties.error());
  CheckOptions options;
  options.most_places = most;
  auto report = check(*properties, reading, options);
  if (!report) return located(report.error());
  PropertyReport& found = report->properties.front();
  return SearchHits{found.found_count, std::move(found.at)};
}

}  // namespace

Expected<SearchHits> search_events(const Reading& reading, SearchKind kind, std::string_view words,
                                   std::size_t most) {
  SearchHits hits;
  if (words.empty()) return hits;
  if (kind == SearchKind::expression) return search_states(reading, words, most);
  const Computation& computation = reading.computation;
  NameSearch search(computation, kind, words);
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    for (Rank rank = 0; rank <= computation.last_rank(p); ++rank) {
      if (!search.matches(p, rank)) continue;
      ++hits.count;
      if (hits.places.size() < most) hits.places.push_back({p, rank});
    }
  }
  return hits;
}

}  // namespace lightcone
