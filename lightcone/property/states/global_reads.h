// What a global expression reads of each process, and how it is put together again.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/datum.h>
#include <lightcone/property/states/local_expressions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A global expression with its names looked up.
struct Term {
  Expression::Kind kind = Expression::Kind::boolean;
  Expression::Aggregate aggregate = Expression::Aggregate::count;
  Datum constant = {};
  /// What is read, as indices of columns: one for `p1.x`, one per process for an aggregate. What is
  /// read twice has one column.
  std::vector<std::uint32_t> columns = {};
  std::vector<Term> parts = {};
};

/// Returns the value of a term, given that of each column. Sums, minima and maxima pass over what
/// is not a number. The sum of nothing is 0, the minimum of nothing is null.
[[nodiscard]] Datum value_of(const Term& term, std::span<const Datum> columns);

/// The local values that a global expression reads. It does not know which processes there are.
class GlobalReads {
 public:
  /// A local expression whose value, or only truth, is read.
  struct Read {
    std::uint32_t expression = 0;  ///< its number among the local ones
    bool is_truth = false;
    std::string name = {};  ///< as a person would write it
  };
  /// One read of one process.
  struct Column {
    ProcessIndex process = 0;
    std::uint32_t read = 0;
    friend auto operator<=>(const Column&, const Column&) = default;
  };

  /// The arguments must outlive this. The expression is one of the properties', and its names have
  /// been checked, or will be before anything is bound. A name that is not in `names` never
  /// matches.
  GlobalReads(const Properties& properties, const Expression& expression, const Names& names);
  GlobalReads(const GlobalReads&) = delete;
  GlobalReads& operator=(const GlobalReads&) = delete;

  /// Adds the names that an expression looks up.
  static void intern_names(const Expression& expression, Names& names);

  /// Returns the reads that concern a process of this name.
  [[nodiscard]] std::vector<std::uint32_t> of(std::string_view process) const;
  /// Returns the names of all processes that can be read; nothing if a process of any other name
  /// could be, too.
  [[nodiscard]] std::optional<std::vector<std::string>> only_processes() const;
  /// Returns the term over these processes; appends what its columns are.
  [[nodiscard]] Term bind(std::span<const std::string> processes,
                          std::vector<Column>& columns) const;

  [[nodiscard]] const std::vector<Read>& reads() const { return reads_; }
  [[nodiscard]] const LocalExpressions& local() const { return local_; }

 private:
  /// A leaf of the expression: which processes it reads, and what.
  struct Leaf {
    const Expression* expression = nullptr;
    std::uint32_t read = 0;
  };

  void collect(const Expression& expression);
  [[nodiscard]] std::uint32_t read_of(const Expression& local, bool is_truth);
  [[nodiscard]] bool concerns(const Leaf& leaf, std::string_view process) const;
  [[nodiscard]] Term bind(const Expression& expression, std::span<const std::string> processes,
                          std::size_t& leaf, std::map<Column, std::uint32_t>& index,
                          std::vector<Column>& columns) const;

  const Properties& properties_;
  const Expression& expression_;
  LocalExpressions local_;
  std::vector<Read> reads_;
  std::vector<Leaf> leaves_;  // from left to right
  std::map<std::pair<std::string, bool>, std::uint32_t> read_index_;
};

/// Follows the states of one process for a global expression.
class StateReader {
 public:
  /// The reads must outlive this.
  StateReader(const GlobalReads& reads, std::string_view process);

  /// The process's next state; its initial state comes first. Returns whether a value that is read
  /// is another one than before.
  bool observe(const StateContent& state);

  /// What is read of this process, and the values in the last state.
  [[nodiscard]] const std::vector<std::uint32_t>& reads() const { return read_; }
  [[nodiscard]] const std::vector<Datum>& values() const { return values_; }

 private:
  const GlobalReads* all_;
  std::vector<std::uint32_t> read_;
  LocalExpressions::Process state_;
  std::vector<Datum> values_, next_;
  bool has_started_ = false;
};

}  // namespace lightcone
