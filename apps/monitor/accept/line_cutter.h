// Bytes of a client, cut at the ends of lines.
#pragma once

#include <lightcone/error.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "accept/arrival.h"

namespace lightcone::service {

/// What one client may send.
struct LineLimits {
  std::size_t longest_line = 1 << 20;
  std::size_t longest_name = 1024;     ///< of an execution
  std::size_t longest_process = 4096;  ///< name of a process
};

/// Makes arrivals of the bytes of one source.
class LineCutter {
 public:
  using Take = std::function<void(Arrival)>;

  LineCutter(std::shared_ptr<LineSource> source, std::string execution, LineLimits limits)
      : source_(std::move(source)), execution_(std::move(execution)), limits_(limits) {}

  /// Hands on all lines that are whole. After an error nothing of the source can be used.
  [[nodiscard]] Expected<void> add(std::string_view bytes, const Take& take);
  /// No byte follows. A last line without its end is taken if it is whole.
  [[nodiscard]] Expected<void> finish(const Take& take);
  /// Forgets all that came, also an error: what follows is read by itself.
  void begin_anew(std::string execution) {
    execution_ = std::move(execution);
    rest_.clear();
    line_ = 0;
  }

 private:
  [[nodiscard]] Expected<void> cut(std::string_view lines, const Take& take);
  [[nodiscard]] Expected<void> add_lines(std::string_view lines, const Take& take);
  [[nodiscard]] Expected<void> add_heading(std::string_view line, const Take& take);
  [[nodiscard]] Expected<void> check_names(const JsonlLines& lines) const;

  std::shared_ptr<LineSource> source_;
  std::string execution_;  // of the lines that come
  LineLimits limits_;
  PieceParser parser_;
  std::string rest_;  // a line that is not whole
  std::uint64_t line_ = 0;
};

/// Reads a heading. Nothing in it may be of a wrong type.
[[nodiscard]] Expected<Heading> heading_of(std::string_view line, const LineLimits& limits);
/// Returns whether a line is meant as a heading.
[[nodiscard]] bool is_heading(std::string_view line);

}  // namespace lightcone::service
