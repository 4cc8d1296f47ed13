// Checks properties on a computation that is still growing, and tells what it finds at once.
#pragma once

#include <lightcone/check.h>
#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/property.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

struct Properties;  // internal
struct Property;

/// An event of a growing computation, or (Kind::initial) the initial state of a process. A call
/// copies what it needs.
struct MonitoredEvent {
  std::string_view process;
  Kind kind = Kind::internal;
  std::span<const std::string_view> labels = {};
  std::span<const std::pair<std::string_view, SpelledValue>> variables = {};
  std::span<const std::string_view> takes = {};  ///< the messages it receives
  std::string_view sends = {};                   ///< a view without data: none
  /// The receivers of what it sends. A message of which all have taken it is forgotten some time
  /// later.
  std::span<const std::string_view> to = {};
  bool duplicate = false;  ///< it says that it receives a message again
  /// Views without data stand for what is not there.
  std::string_view text = {}, source = {};
  std::optional<double> time = {};  ///< in seconds
  std::string_view extra = {};      ///< members that Lightcone does not know, as JSON text
  std::uint32_t line = 0;           ///< for error messages; 0 where there are no lines
};

/// A place at which a property was found; of a `require`, at which it is missing. Of a property
/// with `for each`: the first such place of a value.
struct Sighting {
  std::uint32_t property = 0;
  std::string_view process;
  Rank rank = 0;  ///< 0: the initial state
  std::vector<std::string_view> labels;
  std::optional<ReportedValue> value = {};  ///< with `for each`
};

/// A global property that was found, with a global state that satisfies it.
struct GlobalSighting {
  std::uint32_t property = 0;
  std::vector<std::string_view> processes = {};  ///< those whose states it reads
  std::vector<Rank> ranks = {};                  ///< the last event of each of these
  bool needs_all = false;  ///< it is certain only if no process comes that was not named before
  std::optional<ReportedValue> value = {};  ///< with `for each`
};

/// A process whose next event takes a message that has not been sent yet.
struct MonitorWait {
  std::string process;
  std::string message;
  std::size_t events = 0;  ///< of the process, that wait
};

/// What a growing check may use, and whom it tells.
struct MonitorOptions {
  CheckOptions check = {};
  std::string file = {};  ///< for error messages
  /// Messages that all receivers have taken are kept within so much memory, in case that one is
  /// delivered again. If a later one is, what follows from it is not certain.
  std::size_t redelivery_bytes = 16 << 20;
  std::function<void(const Sighting&)> on_sighting = {};
  std::function<void(const GlobalSighting&)> on_global = {};
};

/// How a growing computation ended.
struct MonitorEnd {
  bool cut_off = false;  ///< the ends of processes may be lost
  bool lenient = false;  ///< receives of messages that were never sent become internal events
  bool is_told = false;  ///< that it was cut off needs no note of its own
};

/// Is told of events in the order of each process, processes interleaved in any way. An event that
/// takes a message whose send has not been told of yet waits, and its process with it.
///
/// Memory does not grow with the number of events, but with: messages that are in transit, or whose
/// sends do not name receivers; events that wait; the places that are listed in the report;
/// different labels, different texts of variables that a property reads, and names of messages that
/// do not end in a number; and for global properties and for `for each`, what docs/properties.md
/// says.
class Monitor {
 public:
  /// Whether these properties can be checked in this way. A flow whose alphabet is not spelt out
  /// cannot, if the file declares labels that its pattern does not name: whether they belong to the
  /// alphabet is known only at the end. Nor can a global property with `for each` that reads the
  /// kind, the messages or the time of events.
  [[nodiscard]] static bool can_check(const PropertyFile& properties);
  /// For the library itself: whether a property does without the whole trace, whatever its
  /// alphabet.
  [[nodiscard]] static bool can_check(const Properties& properties, const Property& property);

  explicit Monitor(PropertyFile properties, MonitorOptions options = {});
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  /// Names a process before its first event.
  void add_process(std::string_view name);
  /// The processes named so far are all there are.
  void close_processes();
  /// Refused if no execution has such an event: then it has not happened.
  [[nodiscard]] Expected<void> add(const MonitoredEvent& event);
  /// No event follows. An error, if what was told is no computation, or if the properties name a
  /// process or a variable that it does not have.
  [[nodiscard]] Expected<Report> finish(const MonitorEnd& end = {});

  [[nodiscard]] const PropertyFile& properties() const;
  /// How many events wait for a message, and how many messages are kept.
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] std::size_t messages_kept() const;
  /// Returns about how many bytes are kept because of what was told so far.
  [[nodiscard]] std::size_t bytes_kept() const;
  /// Returns the processes that wait, each with the first message that it waits for.
  [[nodiscard]] std::vector<MonitorWait> waits() const;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone
