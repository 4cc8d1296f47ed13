// Runs an example, and holds what its processes told at the event to what check says afterwards.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "system/shell.h"

namespace lightcone {

/// A test of one example, which lies in examples/NAME with its properties.
class ExampleRun : public Shell {
 protected:
  /// Where a property was told of: processes and ranks.
  using Places = std::set<std::pair<std::string, std::uint64_t>>;

  struct Told {
    int status = -1;
    std::string out;
    std::map<std::string, Places> places;  // by property
    nlohmann::json check;                  // what the command says of the traces left

    [[nodiscard]] nlohmann::json property(const std::string& name) const;
  };

  /// Runs it, with `--bug` or without. Expects that it goes as it should, prints no error, and that
  /// `lightcone check` finds in its traces what the processes have told.
  [[nodiscard]] Told run_example(const std::string& name, bool bug) const;

 private:
  void expect_the_same(const Told& told) const;
};

}  // namespace lightcone
