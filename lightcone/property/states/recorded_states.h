// The states of a recorded computation, as expressions see them.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/states/local_expressions.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Gives the content of one state after the other, as far as expressions read it.
class RecordedStates {
 public:
  /// Both must outlive this.
  RecordedStates(const Computation& computation, const LocalExpressions& readers)
      : computation_(computation), readers_(readers) {}

  /// What an event, or an initial state, says. It holds until the next call.
  [[nodiscard]] StateContent at(Row row);

 private:
  void add_content(Row row, StateContent& state);
  void add_messages(EventIndex e);

  const Computation& computation_;
  const LocalExpressions& readers_;
  std::vector<std::string> names_;
  std::vector<std::string_view> messages_;
};

}  // namespace lightcone
