// Adds headings where a message needs them.
#include "nats/message_writer.h"

#include <fmt/format.h>
#include <lightcone/base/json.h>
#include <lightcone/base/json_text.h>
#include <lightcone/trace/spans/span_table.h>

#include <charconv>
#include <optional>

#include "nats/partition_names.h"

namespace lightcone::service {
namespace {

constexpr std::size_t most_ahead = 100'000;

/// The rank that a line says itself.
[[nodiscard]] std::optional<std::uint64_t> rank_in(const JsonlLine& line) {
  if (line.extra.empty()) return std::nullopt;
  const std::string_view text = member_text(line.extra, "rank");
  std::uint64_t rank = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (text.empty() || read.ec != std::errc()) return std::nullopt;
  if (read.ptr != text.data() + text.size()) return std::nullopt;  // 1.5, or 1e3
  return rank;
}

}  // namespace

void MessageWriter::Sent::add(std::uint64_t rank) {
  if (rank <= events) return;
  if (rank > events + 1) {
    if (ahead.size() < most_ahead) ahead.insert(rank);
    return;
  }
  ++events;
  while (!ahead.empty() && *ahead.begin() <= events + 1) {
    events = std::max(events, *ahead.begin());
    ahead.erase(ahead.begin());
  }
}

void MessageWriter::Client::forget(const std::string& execution) {
  const auto begin = sent.lower_bound({execution, {}});
  auto end = begin;
  while (end != sent.end() && end->first.first == execution) ++end;
  sent.erase(begin, end);
}

void MessageWriter::add(const Arrival& arrival) {
  if (std::holds_alternative<Heading>(arrival.content)) return add_heading(arrival);
  if (const auto* spans = std::get_if<std::shared_ptr<SpanBatch>>(&arrival.content)) {
    return add_spans(arrival, *(*spans)->table);
  }
  const auto& piece = std::get<std::shared_ptr<LinePiece>>(arrival.content);
  for (const JsonlLine& line : piece->lines.lines) {
    if (line.kind != JsonlLine::Kind::header) add_line(arrival, *piece, line);
  }
}

void MessageWriter::add_spans(const Arrival& arrival, const SpanTable& table) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_partitions;
  for (std::uint32_t i = 0; i < table.spans.size(); ++i) {
    of_partitions[partition_of(hex_of(table.spans[i].trace), partitions_)].push_back(i);
  }
  const std::size_t before = closed_.size();
  for (const auto& [partition, spans] : of_partitions) {
    if (add_spans(arrival, table, partition, spans)) continue;
    closed_.resize(before);
    return arrival.source->refused(fmt::format("a span of more than {} bytes", most_bytes_));
  }
  clients_[arrival.source].has_spans = true;
}

/// False: one of them is too large.
bool MessageWriter::add_spans(const Arrival& arrival, const SpanTable& table,
                              std::uint32_t partition, std::span<const std::uint32_t> spans) {
  std::string bytes = protobuf_of(table, spans);
  if (bytes.size() <= most_bytes_) {
    closed_.push_back({partition, arrival.source->client, std::move(bytes), true, {}});
    return true;
  }
  const std::size_t half = spans.size() / 2;
  return half > 0 && add_spans(arrival, table, partition, spans.first(half)) &&
         add_spans(arrival, table, partition, spans.subspan(half));
}

MessageWriter::OpenMessage& MessageWriter::message_for(const std::shared_ptr<LineSource>& source,
                                                       const std::string& execution) {
  const std::uint32_t partition = partition_of(execution, partitions_);
  OpenMessage& open = open_[{source, partition}];
  if (open.message.bytes.size() >= most_bytes_) close(open);
  open.message.partition = partition;
  open.message.client = source->client;
  return open;
}

void MessageWriter::close(OpenMessage& open) {
  if (!open.message.bytes.empty()) closed_.push_back(std::move(open.message));
  open = {};
}

void MessageWriter::add_heading(const Arrival& arrival) {
  const auto& heading = std::get<Heading>(arrival.content);
  LineSource& source = *arrival.source;
  if (heading.wants_answers) source.wants_answers = true;
  const ProcessName process{heading.execution, heading.process};
  if (heading.from != 0) {
    source.cursors[process] = heading.from;
    Client& client = clients_[arrival.source];
    client.sent[process] = {heading.from - 1, {}};
    if (source.wants_answers) client.unanswered.insert(process);
    // The next line says it to the stream.
    const auto open = open_.find({arrival.source, partition_of(heading.execution, partitions_)});
    if (open != open_.end()) open->second.counted.erase(process);
  }
  const bool is_about_execution = heading.is_lost || heading.is_end || heading.is_quiet;
  if (heading.processes.empty() && !is_about_execution) return;
  OpenMessage& open = message_for(arrival.source, heading.execution);
  Json line{{"lightcone", 1}, {"execution", heading.execution}};
  if (!heading.processes.empty()) line["processes"] = heading.processes;
  if (heading.is_lost) {
    line["process"] = heading.process;
    line["lost"] = true;
  }
  if (heading.is_end) {
    line["end"] = true;
    clients_[arrival.source].ended.insert(heading.execution);
  }
  if (heading.is_quiet) line["quiet"] = true;
  open.message.bytes += line.dump() + '\n';
  open.execution = heading.execution;
}

void MessageWriter::add_line(const Arrival& arrival, const LinePiece& piece,
                             const JsonlLine& line) {
  const auto own = execution_in(line);
  const std::string& execution = own ? *own : piece.execution;
  OpenMessage& open = message_for(arrival.source, execution);
  const ProcessName process{execution, std::string(line.process)};
  std::optional<std::uint64_t> rank = rank_in(line);
  const auto cursor = arrival.source->cursors.find(process);
  if (!rank && cursor != arrival.source->cursors.end()) {
    rank = line.kind == JsonlLine::Kind::initial ? 0 : cursor->second++;
    if (open.counted.insert(process).second) {
      open.message.bytes +=
          fmt::format("{{\"lightcone\": 1, \"execution\": {}, \"process\": {}, \"from\": {}}}\n",
                      json_string(execution), json_string(process.second),
                      line.kind == JsonlLine::Kind::initial ? cursor->second : *rank);
      open.execution = execution;
    }
  } else if (!own && open.execution != execution) {
    open.message.bytes +=
        fmt::format("{{\"lightcone\": 1, \"execution\": {}}}\n", json_string(execution));
    open.execution = execution;
  }
  if (!rank) open.message.unranked.insert(process);
  open.message.bytes += piece.text_of(line);
  if (!open.message.bytes.ends_with('\n')) open.message.bytes += '\n';
  if (!arrival.source->wants_answers) return;
  Client& client = clients_[arrival.source];
  Sent& sent = client.sent[process];
  if (line.kind != JsonlLine::Kind::initial) sent.add(rank.value_or(sent.events + 1));
  client.unanswered.insert(process);
}

std::vector<MessageWriter::Message> MessageWriter::take() {
  for (auto& [key, open] : open_) close(open);
  open_.clear();
  return std::exchange(closed_, {});
}

void MessageWriter::tell_clients() {
  for (auto& [weak, client] : clients_) {
    const bool has_spans = std::exchange(client.has_spans, false);
    const auto ended = std::exchange(client.ended, {});
    if (client.unanswered.empty() && !has_spans && ended.empty()) continue;
    const auto source = weak.lock();
    if (source && has_spans) source->stored("", {});
    std::map<std::string, std::map<std::string, std::uint64_t>> answers;
    for (const ProcessName& process : std::exchange(client.unanswered, {})) {
      answers[process.first][process.second] = client.sent[process].events;
    }
    if (!source) continue;
    for (const auto& [execution, processes] : answers) source->stored(execution, processes);
    for (const std::string& execution : ended) {
      client.forget(execution);
      source->forget_cursors(execution);
    }
  }
  std::erase_if(clients_, [](const auto& entry) { return entry.first.expired(); });
}

}  // namespace lightcone::service
