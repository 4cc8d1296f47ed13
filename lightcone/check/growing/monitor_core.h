// Behind Monitor: what follows a computation that grows.
#pragma once

#include <lightcone/check/growing/first_places.h>
#include <lightcone/check/growing/growing_event.h>
#include <lightcone/check/growing/growing_flows.h>
#include <lightcone/check/growing/growing_globals.h>
#include <lightcone/check/growing/growing_order.h>
#include <lightcone/check/growing/growing_values.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/monitor.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace lightcone {

/// `order_` lets events happen in a causal order. Each event is then told to all that follow the
/// properties: `flows_`, `values_` (flows and logic with `for each`) and `globals_`. What they find
/// is told at once.
class Monitor::Core {
 public:
  Core(PropertyFile properties, MonitorOptions options);

  void add_process(std::string_view name) { (void)process(name); }
  void close_processes() { globals_.close(); }
  [[nodiscard]] Expected<void> add(const MonitoredEvent& event);
  [[nodiscard]] Expected<Report> finish(const MonitorEnd& end);
  [[nodiscard]] const PropertyFile& properties() const { return file_; }
  [[nodiscard]] std::size_t waiting() const { return order_.waiting(); }
  [[nodiscard]] std::size_t messages_kept() const { return order_.messages_kept(); }
  [[nodiscard]] std::size_t bytes_kept() const;
  [[nodiscard]] std::vector<MonitorWait> waits() const { return order_.waits(); }

 private:
  void follow_values(std::uint32_t property);
  [[nodiscard]] ProcessIndex process(std::string_view name);
  [[nodiscard]] const Property& property(std::uint32_t index) const {
    return properties_.source().properties[index];
  }
  [[nodiscard]] bool is_given_up(std::uint32_t property) const;

  // What happens.
  void start(ProcessIndex index, const GrowingEvent& event);
  [[nodiscard]] GrowingTag happen(ProcessIndex index, const GrowingEvent& event,
                                  std::span<const GrowingTag* const> taken);
  void step_values(EventPlace place, const GrowingEvent& event,
                   std::span<const GrowingTag* const> taken);

  // What is found.
  void note(ProcessIndex process, std::uint32_t property, std::optional<bool> found);
  void tell(std::uint32_t property, EventPlace place, std::optional<ReportedValue> value);
  void tell_of_globals();
  void tell(std::uint32_t property, const GrowingGlobal& global,
            std::optional<ReportedValue> value);

  // The end.
  [[nodiscard]] Expected<void> end_waiting(const MonitorEnd& end);
  [[nodiscard]] std::uint32_t uncomparable() const;
  void describe(const MonitorEnd& end, bool has_silent);
  [[nodiscard]] PropertyReport report_of(std::uint32_t index);

  PropertyFile file_;
  MonitorOptions options_;
  CompiledProperties properties_;  // those without `for each`
  EventNames names_;
  Names process_names_;
  GrowingFlows flows_;
  std::vector<std::unique_ptr<GrowingValues>> values_;  // by property; null for others
  bool has_values_ = false;
  std::vector<FoundPlaces> found_;  // by property
  EventPlace now_ = {};             // the state that is looked at
  NameSetIndex labels_now_ = 0;     // and its labels
  GrowingOrder order_;
  GrowingGlobals globals_;
  Report report_;
};

}  // namespace lightcone
