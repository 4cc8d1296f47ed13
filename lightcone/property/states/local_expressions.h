// Local predicates, and other expressions about one state, with their names looked up.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/datum.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lightcone {

/// The declared labels of a property file, and any other expressions; follows the variables that
/// they read.
class LocalExpressions {
 public:
  /// The truth of each declared label in one state.
  using DeclaredTruth = std::vector<bool>;
  /// A process in one of its states.
  struct Process {
    std::string_view name;
    std::vector<Datum> variables;  ///< those that are read
  };

  /// Names are looked up once: one that is not yet in `names` never matches. Both arguments must
  /// outlive this.
  LocalExpressions(const Properties& properties, const Names& names);

  /// One more expression; it is referred to by the number returned. Before any `start`.
  [[nodiscard]] std::uint32_t add(const Expression& expression);

  [[nodiscard]] std::size_t declared_count() const { return declared_count_; }
  /// Returns whether values may change by the labels of an event alone.
  [[nodiscard]] bool read_events() const { return read_events_; }

  /// A process before its first assignment.
  [[nodiscard]] Process start(std::string_view name) const;
  /// Takes the assignments of the next state; whether a variable that is read was among them.
  [[nodiscard]] bool assign(Process& process, std::span<const Assignment> assignments) const;
  [[nodiscard]] DeclaredTruth declared(const Process& process,
                                       std::span<const NameIndex> labels) const;
  /// The value of an expression that was added.
  [[nodiscard]] Datum value(std::uint32_t number, const Process& process,
                            std::span<const NameIndex> labels, const DeclaredTruth& truth) const;

 private:
  struct Bound {
    Expression::Kind kind;
    Datum constant;
    std::uint32_t slot = 0;  ///< of a variable; the index of a declared label
    NameIndex label = NameIndex::none;
    std::string_view process;  ///< of process_is
    std::vector<Bound> parts;
  };

  [[nodiscard]] Bound bind(const Expression& expression);
  [[nodiscard]] std::uint32_t slot(const std::string& variable);
  void order_labels();
  [[nodiscard]] Datum value(const Bound& bound, const Process& process,
                            std::span<const NameIndex> labels, const DeclaredTruth& truth) const;

  const Properties& properties_;
  const Names& names_;
  std::vector<std::string> variables_;
  tsl::robin_map<std::uint32_t, std::uint32_t> slot_of_name_;
  std::vector<Bound> expressions_;  // the declared labels come first
  std::size_t declared_count_ = 0;
  std::vector<std::uint32_t> label_order_;
  bool read_events_ = false;
};

/// Returns whether a name is among some.
[[nodiscard]] bool is_among(std::span<const NameIndex> names, NameIndex name);

}  // namespace lightcone
