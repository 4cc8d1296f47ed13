// Figures of the monitor in the text format of Prometheus.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone::service {

/// How long something took, in buckets that double.
class DurationCounts {
 public:
  void add(std::chrono::nanoseconds duration);
  /// Returns the bound below which this part of all durations lies.
  [[nodiscard]] double quantile(double part) const;

  static constexpr std::size_t buckets = 24;
  static constexpr double first_bound = 0.000'01;  // seconds
  [[nodiscard]] std::uint64_t count(std::size_t bucket) const { return counts_[bucket]; }
  [[nodiscard]] double sum() const { return static_cast<double>(sum_) * 1e-9; }

 private:
  std::array<std::atomic<std::uint64_t>, buckets> counts_{};
  std::atomic<std::uint64_t> sum_ = 0;  // nanoseconds
};

/// Writes metrics one after the other.
class MetricsText {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  /// `type` is `counter` or `gauge`. Values follow.
  void begin(std::string_view name, std::string_view type, std::string_view help);
  void value(double value, const Labels& labels = {});
  /// A counter with one value and no labels.
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void durations(std::string_view name, std::string_view help, const DurationCounts& counts);
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void line(std::string_view name, double value, const Labels& labels);

  std::string text_;
  std::string name_;
};

/// Returns the bytes of memory that this program uses now.
[[nodiscard]] std::uint64_t memory_in_use();

}  // namespace lightcone::service
