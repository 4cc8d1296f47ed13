// Looking things up in a computation.
#include <lightcone/computation.h>

#include <lightcone/causal/message_name.h>

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
  return join_name({names_[message_names_.prefix[m]], message_names_.number[m]});
}

bool Computation::is_duplicate(EventIndex e) const {
  return std::binary_search(c_.duplicates.begin(), c_.duplicates.end(), e);
}

std::span<const NameIndex> Computation::labels(Row row) const {
  if (c_.attributes.labels.empty()) return {};
  return name_sets_[c_.attributes.labels[row]];
}

std::span<const Assignment> Computation::assignments(Row row) const {
  const auto& begin = c_.attributes.assignments_begin;
  if (begin.empty()) return {};
  return {c_.attributes.assignments.data() + begin[row], begin[row + 1] - begin[row]};
}

std::span<const NameIndex> Computation::to(EventIndex e) const {
  if (c_.attributes.to.empty()) return {};
  return name_sets_[c_.attributes.to[e]];
}

std::optional<double> Computation::time(Row row) const {
  if (c_.attributes.time.empty() || std::isnan(c_.attributes.time[row])) return std::nullopt;
  return c_.attributes.time[row];
}

std::optional<std::string_view> Computation::named(const std::vector<NameIndex>& column,
                                                   Row row) const {
  if (column.empty() || column[row] == NameIndex::none) return std::nullopt;
  return names_[column[row]];
}

std::optional<std::string_view> Computation::text(Row row) const {
  return named(c_.attributes.text, row);
}

std::optional<std::string_view> Computation::source(Row row) const {
  return named(c_.attributes.source, row);
}

std::optional<std::uint64_t> Computation::digest(Row row) const {
  if (c_.attributes.digest.empty() || c_.attributes.digest[row] == 0) return std::nullopt;
  return c_.attributes.digest[row];
}

std::string_view Computation::extra(Row row) const {
  return named(c_.attributes.extra, row).value_or(std::string_view());
}

std::size_t Computation::bytes() const {
  const auto of = [](const auto& column) {
    return column.capacity() * sizeof(typename std::decay_t<decltype(column)>::value_type);
  };
  const Attributes& a = c_.attributes;
  return names_.bytes() + of(message_names_.prefix) + of(message_names_.number) + of(c_.first) +
         of(c_.process_of) + of(c_.kinds) + of(c_.sends) + of(c_.takes_begin) + of(c_.takes) +
         of(c_.order) + of(c_.sent_by) + of(a.labels) + of(a.assignments_begin) +
         of(a.assignments) + of(a.to) + of(a.time) + of(a.text) + of(a.source) + of(a.digest) +
         of(a.extra);
}

}  // namespace lightcone
