// Makes events of lines.
#include <lightcone/check/growing/growing_lines.h>

#include <algorithm>

namespace lightcone {

Expected<void> GrowingLines::add(const JsonlLines& lines, const JsonlLine& line) {
  if (line.kind == JsonlLine::Kind::header) {
    for (const auto process : lines[line.processes]) check_.add_process(process);
    if (line.processes.size() > 0) check_.close_processes();
    return {};
  }
  MonitoredEvent event;
  event.process = line.process;
  event.labels = lines[line.labels];
  event.sends = line.sends;
  event.to = lines[line.to];
  event.duplicate = line.duplicate;
  event.text = line.text;
  event.source = line.source;
  event.time = line.time;
  event.extra = line.extra;
  event.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(line.number, none));
  switch (line.kind) {
    case JsonlLine::Kind::initial: event.kind = Kind::initial; break;
    case JsonlLine::Kind::send:
      event.kind = Kind::send;
      event.sends = lines[line.messages].front();
      break;
    case JsonlLine::Kind::receive:
      event.kind = Kind::receive;
      event.takes = lines[line.messages];
      break;
    default: break;
  }
  variables_.clear();
  for (std::uint32_t i = line.variables.begin; i < line.variables.end; ++i) {
    variables_.emplace_back(lines.variables[i].name, lines.variables[i].value);
  }
  event.variables = variables_;
  return check_.add(event);
}

}  // namespace lightcone
