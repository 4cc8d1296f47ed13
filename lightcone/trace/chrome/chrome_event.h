// One Chrome trace event, taken apart.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// The members of an event that mean something to Lightcone. Views hold until the next event is
/// parsed.
struct ChromeEvent {
  char phase = 0;
  std::string_view name;
  std::optional<double> time, duration;  ///< in microseconds
  std::string pid, tid, id, category, bind_id;
  bool flow_in = false, flow_out = false;
  std::vector<std::pair<std::string_view, SpelledValue>> args;  ///< those that are scalars
  std::string extra;  ///< the other members and arguments: `"key": value, …`

  [[nodiscard]] std::optional<std::string_view> text_argument(std::string_view name) const;
};

/// Parses events. Memory is kept from event to event.
class ChromeEventParser {
 public:
  ChromeEventParser();
  ~ChromeEventParser();

  /// The error says what is wrong, without a place.
  [[nodiscard]] Expected<ChromeEvent> parse(std::string_view json);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lightcone
