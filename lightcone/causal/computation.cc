// Looking things up in a computation.
#include <lightcone/causal/computation.h>

#include <algorithm>
#include <cmath>

namespace lightcone {

std::optional<ProcessIndex> Computation::find_process(std::string_view name) const {
  const NameIndex index = names_.find(name);
  if (index == NameIndex::none) return std::nullopt;
  const auto it = std::find(process_names_.begin(), process_names_.end(), index);
  if (it == process_names_.end()) return std::nullopt;
  return static_cast<ProcessIndex>(it - process_names_.begin());
}

std::string Computation::message_name(MessageIndex m) const {
  return join_name({names_[messages_.prefix[m]], messages_.number[m]});
}

bool Computation::is_duplicate(EventIndex e) const {
  return std::binary_search(duplicates_.begin(), duplicates_.end(), e);
}

std::span<const NameIndex> Computation::labels(Row row) const {
  if (attributes_.labels.empty()) return {};
  return name_sets_[attributes_.labels[row]];
}

std::span<const Assignment> Computation::assignments(Row row) const {
  const auto& begin = attributes_.assignments_begin;
  if (begin.empty()) return {};
  return {attributes_.assignments.data() + begin[row], begin[row + 1] - begin[row]};
}

std::span<const NameIndex> Computation::to(EventIndex e) const {
  if (attributes_.to.empty()) return {};
  return name_sets_[attributes_.to[e]];
}

std::optional<double> Computation::time(Row row) const {
  if (attributes_.time.empty() || std::isnan(attributes_.time[row])) return std::nullopt;
  return attributes_.time[row];
}

std::optional<std::string_view> Computation::named(const std::vector<NameIndex>& column,
                                                   Row row) const {
  if (column.empty() || column[row] == NameIndex::none) return std::nullopt;
  return names_[column[row]];
}

std::optional<std::string_view> Computation::text(Row row) const {
  return named(attributes_.text, row);
}

std::optional<std::string_view> Computation::source(Row row) const {
  return named(attributes_.source, row);
}

std::string_view Computation::extra(Row row) const {
  return named(attributes_.extra, row).value_or(std::string_view());
}

std::size_t Computation::bytes() const {
  const auto of = [](const auto& column) {
    return column.capacity() * sizeof(typename std::decay_t<decltype(column)>::value_type);
  };
  const Attributes& a = attributes_;
  return names_.bytes() + of(first_) + of(process_of_) + of(kinds_) + of(sends_) +
         of(takes_begin_) + of(takes_) + of(order_) + of(messages_.sent_by) +
         of(messages_.prefix) + of(messages_.number) + of(a.labels) + of(a.assignments_begin) +
         of(a.assignments) + of(a.to) + of(a.time) + of(a.text) + of(a.source) + of(a.extra);
}

}  // namespace lightcone
