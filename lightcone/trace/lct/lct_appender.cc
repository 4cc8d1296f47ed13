// Appending blocks, each with one write, and taking up a file where it was torn.
#include <lightcone/trace/lct/lct_appender.h>

#include <algorithm>
#include <utility>

namespace lightcone {

LctAppender::~LctAppender() {
  if (file_.is_open()) static_cast<void>(flush());  // an error can no longer be reported
}

Expected<LctAppender> LctAppender::open(const std::string& path) {
  auto file = AppendedFile::open(path);
  if (!file) return failure(file.error());
  LctAppender appender(std::move(*file));
  if (auto ok = appender.recover(); !ok) return failure(ok.error());
  return appender;
}

/// Goes on after the last whole block: counts what the blocks hold, cuts off what follows.
Expected<void> LctAppender::recover() {
  auto file = InputFile::open(file_.path());
  if (!file) return failure(file.error());
  const auto bytes = file->read_all();
  if (!bytes) return failure(bytes.error());
  const std::string header = lct::file_header();
  const bool torn_header = bytes->size() < header.size() && header.starts_with(*bytes);
  if (!torn_header && !bytes->starts_with(header)) {
    return failure("is not an lct file of this version: nothing was appended", file_.path());
  }
  std::size_t end = torn_header ? 0 : header.size();
  std::string raw;
  lct::Columns columns;
  for (auto block = lct::find_block(*bytes, end); block.end != 0;
       block = lct::find_block(*bytes, end)) {
    if (!lct::unseal(*bytes, block, raw, columns)) {
      return failure("holds a block that is not well-formed: nothing was appended", file_.path());
    }
    end = block.end;
    sequence_ = block.sequence + 1;
    for (const std::uint32_t m : columns.new_messages) messages_ = std::max(messages_, m + 1);
    for (std::size_t row = 0; row < columns.event_flags.size(); ++row) {
      const auto name = columns.names[columns.processes[columns.event_process[row]]];
      const bool event = Arrivals::kind(columns.event_flags[row]) != Kind::initial;
      ranks_[std::string(name)] += event;
    }
  }
  if (auto ok = file_.cut(end); !ok) return ok;
  size_ = end;
  // Whoever cannot write is told so at the first flush: a program goes on without its trace.
  if (end == 0) static_cast<void>(write(header));
  return {};
}

/// A half block is cut off. Where that is not possible either, readers pass over it.
Expected<void> LctAppender::write(std::string_view bytes) {
  if (auto ok = file_.write(bytes); !ok) {
    static_cast<void>(file_.cut(size_));
    error_ = std::move(ok.error());
    error_->hint = "the trace is whole up to here";
    return failure(*error_);
  }
  size_ += bytes.size();
  return {};
}

std::uint32_t LctAppender::process(std::string_view name) {
  if (name != last_process_ || last_block_ != sequence_ || name.empty()) {
    count_last();
    last_index_ = rows_.process(name, ranks_[std::string(name)]);
    last_process_ = name;
    last_block_ = sequence_;
  }
  return last_index_;
}

void LctAppender::count_last() {
  if (last_events_ != 0) ranks_[last_process_] += std::exchange(last_events_, 0);
}

void LctAppender::add(std::string_view process_name, const lct::RowContent& row) {
  rows_.add(row);
  if (row.kind == Kind::initial) return;
  ++added_events_;
  if (process_name == last_process_) {
    ++last_events_;
  } else {
    ++ranks_[std::string(process_name)];
  }
}

Expected<void> LctAppender::flush() {
  if (rows_.empty()) return error_ ? Expected<void>(failure(*error_)) : Expected<void>();
  const std::uint32_t sequence = sequence_++;
  if (error_) {
    rows_ = {};
    return failure(*error_);
  }
  if (auto ok = write(rows_.seal(sequence)); !ok) return ok;
  kept_events_ = added_events_;
  return {};
}

}  // namespace lightcone
