// Chrome events of any producer: collected, ordered by time, connected by flows.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/error.h>
#include <lightcone/trace/chrome/chrome_event.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

/// Takes events as they stand in the file. `feed` tells them to a builder in the order of time.
class CollectedEvents {
 public:
  explicit CollectedEvents(Builder& builder) : builder_(builder) {}

  /// The error says what is wrong, without a place.
  [[nodiscard]] Expected<void> add(const ChromeEvent& event, std::uint64_t line);
  void feed();
  /// What was left out.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  enum class Point : std::uint8_t { start, end, instant, flow };
  /// How events of one thread at the same time follow each other: what has lasted ends first, then
  /// come events without a duration in the order of the file, then starts.
  enum class Turn : std::uint8_t { end, point, start, end_of_nothing };
  enum class Role : std::uint8_t { start, step, finish };

  struct Timed {
    double microseconds = 0;
    double tie = 0;  // among starts, longer slices come first; among ends, inner ones
    Turn turn = Turn::point;
    Point point = Point::instant;
    bool is_paired = false;    // its other end is another event of the file
    std::uint32_t number = 0;  // in the order of the file
    std::uint32_t thread = 0;
    std::uint32_t line = 0;
    NameIndex name = NameIndex::none;
    NameIndex extra = NameIndex::none;
    std::uint32_t assignments_begin = 0, assignments_end = 0;
  };
  /// A flow passes through an event.
  struct FlowPoint {
    std::uint32_t flow = 0;
    Role role = Role::start;
    double microseconds = 0;
    std::uint32_t event = 0;  // its number
  };
  /// What flows do at an event.
  struct FlowEnds {
    std::vector<MessageIndex> takes = {};
    MessageIndex sends = none;
  };
  using ThreadId = std::pair<std::string, std::string>;  // pid and tid

  Timed& add_timed(const ChromeEvent& event, std::uint64_t line, Point point, Turn turn);
  void add_arguments(const ChromeEvent& event, std::uint32_t number);
  void add_slice(const ChromeEvent& event, std::uint64_t line);
  void add_binding(const ChromeEvent& event, std::uint32_t number);
  void add_flow(const ChromeEvent& event, std::uint64_t line, Role role);
  void add_flow_point(const std::string& key, const std::string& name, Role role, double time,
                      std::uint32_t event);
  void add_metadata(const ChromeEvent& event);
  void connect_flows();
  void connect_flow(std::span<const FlowPoint> points);
  [[nodiscard]] std::vector<std::string> names_of_threads() const;
  void merge_flows(std::span<Timed> timed);
  void feed_event(const Timed& event, ProcessIndex process, NameIndex name_of_start);
  [[nodiscard]] NameSetIndex labels_of(const Timed& event, NameIndex name_of_start);

  Builder& builder_;
  std::vector<Timed> timed_;
  std::vector<Assignment> assignments_;
  std::vector<FlowPoint> flow_points_;
  std::vector<FlowEnds> flow_ends_;  // indexed by number
  std::map<std::string, std::uint32_t, std::less<>> flows_;
  std::vector<std::string> flow_names_;          // their ids
  std::map<std::string, std::size_t> id_count_;  // how many flows have an id
  std::map<ThreadId, std::uint32_t> threads_;
  std::vector<ThreadId> thread_ids_;
  std::map<std::string, std::string> process_names_;  // by pid
  std::map<ThreadId, std::string> thread_names_;
  std::map<char, std::uint64_t> left_out_;  // by phase
};

}  // namespace lightcone
