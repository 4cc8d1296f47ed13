// Local predicates, and other expressions about one state, with their names looked up.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/datum.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What one state says of itself. What follows the assignments need not be there unless someone
/// `reads` it. A view without data stands for what is not there.
struct StateContent {
  Kind kind = Kind::internal;  ///< of its event; Kind::initial for an initial state
  bool sends = false;          ///< a message leaves at its event
  NameSetIndex label_set = 0;  ///< the same set, the same index
  std::span<const NameIndex> labels = {};
  std::span<const Assignment> assignments = {};
  std::optional<std::string_view> text = {}, source = {};
  double time = std::numeric_limits<double>::quiet_NaN();
  std::span<const std::string_view> messages = {};  ///< that it receives, and that it sends
};

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
  /// Returns whether values may change by what an event says, although it assigns nothing.
  [[nodiscard]] bool read_events() const { return read_events_; }
  /// Returns whether texts, sources and times are read; and the names of messages.
  [[nodiscard]] bool reads_content() const { return reads_content_; }
  [[nodiscard]] bool reads_messages() const { return reads_messages_; }
  /// The regular expressions that took too long on some text. They were taken not to match it.
  [[nodiscard]] const std::set<std::string>& given_up() const { return given_up_; }

  /// A process before its first assignment.
  [[nodiscard]] Process start(std::string_view name) const;
  /// Takes the assignments of the next state; whether a variable that is read was among them.
  [[nodiscard]] bool assign(Process& process, std::span<const Assignment> assignments) const;
  [[nodiscard]] DeclaredTruth declared(const Process& process, const StateContent& state) const;
  /// The value of an expression that was added.
  [[nodiscard]] Datum value(std::uint32_t number, const Process& process, const StateContent& state,
                            const DeclaredTruth& truth) const;

 private:
  struct Bound {
    Expression::Kind kind;
    Datum constant;
    std::uint32_t slot = 0;  ///< of a variable; the index of a declared label
    NameIndex label = NameIndex::none;
    std::string_view name;               ///< of process_is and attribute
    std::shared_ptr<TextSearch> search;  ///< of matching
    std::vector<Bound> parts;
  };

  [[nodiscard]] Bound bind(const Expression& expression);
  [[nodiscard]] std::uint32_t slot(const std::string& variable);
  void order_labels();
  /// A state, while an expression is evaluated in it.
  struct Moment {
    const Process& process;
    const StateContent& state;
    const DeclaredTruth& truth;
    std::optional<std::string_view> message = {};  ///< the one that `message` is about
  };
  [[nodiscard]] Datum value(const Bound& bound, const Moment& moment) const;
  [[nodiscard]] Datum leaf_value(const Bound& leaf, const Moment& moment) const;
  [[nodiscard]] bool matches(const Bound& leaf, const Moment& moment) const;
  [[nodiscard]] bool holds_of_some_message(const Bound& leaf, const Moment& moment) const;

  const Properties& properties_;
  const Names& names_;
  std::vector<std::string> variables_;
  tsl::robin_map<std::uint32_t, std::uint32_t> slot_of_name_;
  std::vector<Bound> expressions_;  // the declared labels come first
  std::size_t declared_count_ = 0;
  std::vector<std::uint32_t> label_order_;
  bool read_events_ = false, reads_content_ = false, reads_messages_ = false;
  mutable std::set<std::string> given_up_;
};

/// Returns whether a name is among some.
[[nodiscard]] bool is_among(std::span<const NameIndex> names, NameIndex name);

}  // namespace lightcone
