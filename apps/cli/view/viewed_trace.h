// The trace that the page shows, as it was last read: it may grow while one looks at it.
#pragma once

#include <lightcone/trace.h>
#include <lightcone/view/inevitable_cuts.h>
#include <lightcone/view/space_time.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "options/trace_arguments.h"
#include "run/source_lines.h"

namespace lightcone::cli {

/// A trace at one moment, which never changes. Any number of threads may read it.
class TraceSnapshot {
 public:
  /// `path`: where it was read from; a recording there knows the lines of its source.
  TraceSnapshot(Reading reading, std::uint64_t version, const std::string& path = {});
  TraceSnapshot(const TraceSnapshot&) = delete;
  TraceSnapshot& operator=(const TraceSnapshot&) = delete;

  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] const Reading& reading() const { return reading_; }
  [[nodiscard]] const Computation& computation() const { return reading_.computation; }
  [[nodiscard]] const SpaceTime& space_time() const { return space_time_; }
  /// Where an event or an initial state comes from: a place in the code of a program as the line of
  /// its source, if that is known.
  [[nodiscard]] std::optional<std::string> source(Row row) const;
  /// Its inevitable cuts, which are computed when they are first asked for.
  [[nodiscard]] const InevitableCuts& inevitable() const;

 private:
  std::uint64_t version_;
  Reading reading_;
  SourceLines lines_;
  SpaceTime space_time_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const InevitableCuts> inevitable_;
};

/// Reads the trace again when its files have changed.
class ViewedTrace {
 public:
  /// `name`: what the page calls it; empty: the name of the file.
  ViewedTrace(TraceArguments arguments, Reading reading, std::string name = {});

  [[nodiscard]] std::shared_ptr<const TraceSnapshot> now() const;
  /// Why the trace could not be read again; empty if it could.
  [[nodiscard]] std::string problem() const;
  /// Reads the trace again if its files have changed since the last time.
  void look_again();
  [[nodiscard]] const std::string& path() const { return arguments_.path; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[nodiscard]] Expected<Reading> read() const;

  TraceArguments arguments_;
  std::string name_;
  std::string seen_;  // sizes and times of the files
  mutable std::mutex mutex_;
  std::shared_ptr<const TraceSnapshot> snapshot_;
  std::string problem_;
};

}  // namespace lightcone::cli
