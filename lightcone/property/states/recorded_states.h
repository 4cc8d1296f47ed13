// The states of a recorded computation, as expressions see them.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/states/local_expressions.h>
#include <lightcone/property/states/value_slice.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Gives the content of one state after the other, as far as expressions read it.
class RecordedStates {
 public:
  /// All must outlive this.
  RecordedStates(const Computation& computation, const LocalExpressions& readers,
                 ValueSlice slice = {})
      : computation_(computation), readers_(readers), slice_(slice) {}

  /// What an event, or an initial state, says. It holds until the next call.
  [[nodiscard]] StateContent at(Row row);

 private:
  void add_content(Row row, bool is_kept, StateContent& state);
  void add_messages(EventIndex e);

  const Computation& computation_;
  const LocalExpressions& readers_;
  ValueSlice slice_;
  std::vector<std::string> names_;
  std::vector<std::string_view> messages_;
};

}  // namespace lightcone
