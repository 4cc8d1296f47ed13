// The text format of Prometheus: a line per value.
#include "serve/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace lightcone::service {
namespace {

/// A label's value, with what would end it escaped.
[[nodiscard]] std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

[[nodiscard]] double bound_of(std::size_t bucket) {
  return DurationCounts::first_bound * static_cast<double>(std::uint64_t{1} << bucket);
}

}  // namespace

void DurationCounts::add(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  std::size_t bucket = 0;
  while (bucket + 1 < buckets && seconds > bound_of(bucket)) ++bucket;
  counts_[bucket].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)),
                 std::memory_order_relaxed);
}

double DurationCounts::quantile(double part) const {
  std::uint64_t all = 0;
  for (const auto& count : counts_) all += count;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < buckets; ++i) {
    below += counts_[i];
    if (static_cast<double>(below) >= part * static_cast<double>(all)) return bound_of(i);
  }
  return bound_of(buckets - 1);
}

void MetricsText::begin(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void MetricsText::value(double value, const Labels& labels) { line(name_, value, labels); }

void MetricsText::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  begin(name, "counter", help);
  this->value(static_cast<double>(value));
}

void MetricsText::line(std::string_view name, double value, const Labels& labels) {
  text_ += name;
  char separator = '{';
  for (const auto& [label, text] : labels) {
    text_ += fmt::format("{}{}=\"{}\"", separator, label, escaped(text));
    separator = ',';
  }
  if (!labels.empty()) text_ += '}';
  text_ += fmt::format(" {}\n", value);
}

void MetricsText::durations(std::string_view name, std::string_view help,
                            const DurationCounts& counts) {
  begin(name, "histogram", help);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < DurationCounts::buckets; ++i) {
    below += counts.count(i);
    const bool is_last = i + 1 == DurationCounts::buckets;
    const std::string bound = is_last ? "+Inf" : fmt::format("{}", bound_of(i));
    line(name_ + "_bucket", static_cast<double>(below), {{"le", bound}});
  }
  line(name_ + "_sum", counts.sum(), {});
  line(name_ + "_count", static_cast<double>(below), {});
}

std::uint64_t memory_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long all = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &all, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace lightcone::service
