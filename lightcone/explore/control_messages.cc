// A message is its place among the types, then its members.
#include <lightcone/explore/control_messages.h>

#include <lightcone/base/wire.h>

#include <array>
#include <cstddef>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t tag_bytes = 4;

void write_tag(WireWriter& wire, std::int32_t tag) {
  wire.fixed(static_cast<std::uint32_t>(tag), tag_bytes);
}
[[nodiscard]] std::int32_t read_tag(WireReader& wire) {
  return static_cast<std::int32_t>(wire.fixed(tag_bytes));
}
[[nodiscard]] std::string read_text(WireReader& wire) {
  return std::string(wire.text(longest_control_message));
}
[[nodiscard]] bool read_flag(WireReader& wire) {
  const std::uint64_t flag = wire.fixed(1);
  if (flag > 1) wire.fail();
  return flag == 1;
}

/// Calls `read` as often as a number says that comes first.
template <class Read>
void read_list(WireReader& wire, const Read& read) {
  for (std::uint64_t left = wire.number(); left != 0 && !wire.failed(); --left) read();
}

void write(WireWriter& wire, const std::vector<std::string>& texts) {
  wire.number(texts.size());
  for (const std::string& text : texts) wire.text(text);
}
void read(WireReader& wire, std::vector<std::string>& texts) {
  read_list(wire, [&] { texts.push_back(read_text(wire)); });
}

void write(WireWriter& wire, const ControlPattern& pattern) {
  wire.text(pattern.sender);
  wire.text(pattern.context);
  wire.fixed(pattern.tag ? 1 : 0, 1);
  if (pattern.tag) write_tag(wire, *pattern.tag);
  wire.number(pattern.skip);
}
void read(WireReader& wire, ControlPattern& pattern) {
  pattern.sender = read_text(wire);
  pattern.context = read_text(wire);
  if (read_flag(wire)) pattern.tag = read_tag(wire);
  const std::uint64_t skip = wire.number();
  if (skip > UINT32_MAX) wire.fail();
  pattern.skip = static_cast<std::uint32_t>(skip);
}

void write(WireWriter& wire, const control::Begins& message) {
  wire.text(message.name);
  write(wire, message.members);
}
void read(WireReader& wire, control::Begins& message) {
  message.name = read_text(wire);
  read(wire, message.members);
}

void write(WireWriter& wire, const control::Sends& message) {
  wire.number(message.number);
  write(wire, message.to);
  wire.text(message.context);
  write_tag(wire, message.tag);
}
void read(WireReader& wire, control::Sends& message) {
  message.number = wire.number();
  read(wire, message.to);
  message.context = read_text(wire);
  message.tag = read_tag(wire);
}

void write(WireWriter& wire, const control::Takes& message) {
  wire.fixed(message.polls ? 1 : 0, 1);
  wire.text(message.in);
  wire.number(message.patterns.size());
  for (const ControlPattern& pattern : message.patterns) write(wire, pattern);
  wire.number(message.own);
  const bool wants_message = message.wish && message.wish->message;
  wire.fixed(message.wish ? 1 : 0, 1);
  wire.fixed(wants_message ? 1 : 0, 1);
  if (wants_message) write(wire, *message.wish->message);
}
void read(WireReader& wire, control::Takes& message) {
  message.polls = read_flag(wire);
  message.in = read_text(wire);
  read_list(wire, [&] { read(wire, message.patterns.emplace_back()); });
  message.own = wire.number();
  if (read_flag(wire)) message.wish.emplace();
  if (!read_flag(wire)) return;
  if (message.wish) return read(wire, message.wish->message.emplace());
  wire.fail();
}

void write(WireWriter& wire, const control::Take& message) {
  wire.text(message.sender);
  wire.number(message.number);
  wire.text(message.context);
  write_tag(wire, message.tag);
}
void read(WireReader& wire, control::Take& message) {
  message.sender = read_text(wire);
  message.number = wire.number();
  message.context = read_text(wire);
  message.tag = read_tag(wire);
}

void write(WireWriter& wire, const control::Branches& message) {
  wire.number(message.alternatives);
  wire.number(message.wish);
}
void read(WireReader& wire, control::Branches& message) {
  message.alternatives = wire.number();
  message.wish = wire.number();
}
void write(WireWriter& wire, const control::GoOn& message) { wire.number(message.alternative); }
void read(WireReader& wire, control::GoOn& message) { message.alternative = wire.number(); }
void write(WireWriter& wire, const control::LeavesOut& message) { wire.text(message.what); }
void read(WireReader& wire, control::LeavesOut& message) { message.what = read_text(wire); }
void write(WireWriter& wire, const control::Refuses& message) { wire.text(message.why); }
void read(WireReader& wire, control::Refuses& message) { message.why = read_text(wire); }
void write(WireWriter& wire, const control::NeedsAcknowledgements& message) {
  wire.text(message.call);
}
void read(WireReader& wire, control::NeedsAcknowledgements& message) {
  message.call = read_text(wire);
}
void write(WireWriter& wire, const control::Ends& message) {
  wire.text(message.how);
  wire.fixed(message.fails ? 1 : 0, 1);
}
void read(WireReader& wire, control::Ends& message) {
  message.how = read_text(wire);
  message.fails = read_flag(wire);
}
void write(WireWriter& wire, const control::Checks& message) { wire.text(message.recording); }
void read(WireReader& wire, control::Checks& message) { message.recording = read_text(wire); }
void write(WireWriter& wire, const control::Checked& message) { wire.text(message.wrong); }
void read(WireReader& wire, control::Checked& message) { message.wrong = read_text(wire); }
void write(WireWriter&, const control::Nothing&) {}
void read(WireReader&, control::Nothing&) {}
void write(WireWriter&, const control::Stop&) {}
void read(WireReader&, control::Stop&) {}

template <std::size_t place>
[[nodiscard]] ControlMessage read_one(WireReader& wire) {
  std::variant_alternative_t<place, ControlMessage> message{};
  read(wire, message);
  return message;
}

template <std::size_t... places>
[[nodiscard]] ControlMessage read_at(std::size_t place, WireReader& wire,
                                     std::index_sequence<places...> /*all*/) {
  using Reader = ControlMessage (*)(WireReader&);
  constexpr std::array<Reader, sizeof...(places)> readers = {&read_one<places>...};
  return readers[place](wire);
}

}  // namespace

std::string encoded(const ControlMessage& message) {
  WireWriter wire;
  wire.fixed(message.index(), 1);
  std::visit([&](const auto& one) { write(wire, one); }, message);
  return std::move(wire.bytes());
}

std::optional<ControlMessage> decoded_control_message(std::string_view bytes) {
  constexpr std::size_t types = std::variant_size_v<ControlMessage>;
  WireReader wire(bytes);
  const std::uint64_t place = wire.fixed(1);
  if (wire.failed() || place >= types) return std::nullopt;
  ControlMessage message = read_at(place, wire, std::make_index_sequence<types>());
  if (wire.failed() || wire.left() != 0) return std::nullopt;
  return message;
}

}  // namespace lightcone
