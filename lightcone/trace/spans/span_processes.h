// Which process a span belongs to.
#pragma once

#include <lightcone/trace.h>
#include <lightcone/trace/spans/span_table.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Names the processes of spans by what made them.
class SpanProcesses {
 public:
  /// The table must outlive this.
  SpanProcesses(const SpanTable& table, ProcessBy by);

  /// Two spans belong to one process iff these names are equal.
  [[nodiscard]] std::string name(const Span& span) const;
  /// Returns whether the resource of a span alone names its process.
  [[nodiscard]] bool is_by_resource() const {
    return by_ == ProcessBy::service || by_ == ProcessBy::instance;
  }

 private:
  [[nodiscard]] std::string text(SpanRange attributes, std::string_view name) const;
  [[nodiscard]] std::string service(SpanRange resource) const;
  [[nodiscard]] std::string instance(SpanRange resource) const;

  const SpanTable& table_;
  ProcessBy by_;
  NameIndex thread_;
};

}  // namespace lightcone
