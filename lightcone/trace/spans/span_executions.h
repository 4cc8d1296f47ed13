// Spans as executions: a trace id is one execution, and each becomes a computation.
#pragma once

#include <lightcone/error.h>
#include <lightcone/trace.h>
#include <lightcone/trace/spans/span_processes.h>
#include <lightcone/trace/spans/span_table.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// Makes a computation of spans of one trace, given as indices into the table. Its notes say what
/// was left out. `name` stands for the file in errors.
[[nodiscard]] Expected<Reading> read_spans(const SpanTable& table,
                                           std::span<const std::uint32_t> spans,
                                           const SpanProcesses& processes, const std::string& name,
                                           const ReadOptions& options = {});

/// All executions of a table. Any number of threads may read them at the same time.
class SpanExecutions {
 public:
  SpanExecutions(SpanTable table, std::string name, ProcessBy by);
  SpanExecutions(const SpanExecutions&) = delete;
  SpanExecutions& operator=(const SpanExecutions&) = delete;

  /// Executions are numbered from 0, in the order in which their first spans were read.
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] std::string id(std::size_t execution) const { return hex_of(ids_[execution]); }
  /// The execution of this id, without regard to leading zeros; else the only one whose id begins
  /// with these digits.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;
  /// Returns the first of those whose ids begin with these digits.
  [[nodiscard]] std::vector<std::size_t> find_all(std::string_view digits, std::size_t most) const;
  /// The number of events that its spans tell of.
  [[nodiscard]] std::uint64_t event_count(std::size_t execution) const;
  [[nodiscard]] Expected<Reading> read(std::size_t execution, const ReadOptions& options) const;
  [[nodiscard]] const SpanTable& table() const { return table_; }

 private:
  [[nodiscard]] std::span<const std::uint32_t> spans(std::size_t execution) const {
    return {spans_.data() + begin_[execution], begin_[execution + 1] - begin_[execution]};
  }

  SpanTable table_;
  std::string name_;
  SpanProcesses processes_;
  std::vector<TraceId> ids_;
  std::vector<std::uint32_t> begin_{0};
  std::vector<std::uint32_t> spans_;  // execution by execution
};

/// The only execution, or the one that the options choose. With none chosen of several, an error
/// says which there are.
[[nodiscard]] Expected<Reading> read_chosen(const SpanExecutions& executions,
                                            const std::string& name, const ReadOptions& options);

/// Which of the executions the options choose; nothing, if they choose none and there are several.
[[nodiscard]] Expected<std::optional<std::size_t>> chosen_execution(
    const SpanExecutions& executions, const std::string& name, const ReadOptions& options);

}  // namespace lightcone
