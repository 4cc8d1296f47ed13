// Files of spans: which format reads them, and which of their executions is read.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/trace.h>
#include <lightcone/trace/spans/span_executions.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Returns whether a format holds spans.
[[nodiscard]] bool has_spans(Format format);

/// The executions of a file of spans, and notes on the file.
struct SpanFile {
  std::unique_ptr<SpanExecutions> executions;
  std::vector<std::string> notes;
};

[[nodiscard]] Expected<SpanFile> open_span_file(InputFile& file, const std::string& name,
                                                Format format, const ReadOptions& options);
[[nodiscard]] Expected<SpanFile> open_span_file(std::string_view bytes, const std::string& name,
                                                Format format, const ReadOptions& options);

/// Reads the only execution of a file, or the one that the options choose.
[[nodiscard]] Expected<Reading> read_span_file(InputFile& file, const std::string& name,
                                               Format format, const ReadOptions& options);
[[nodiscard]] Expected<Reading> read_span_file(std::string_view bytes, const std::string& name,
                                               Format format, const ReadOptions& options);

}  // namespace lightcone
