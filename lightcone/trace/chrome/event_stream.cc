// Finds the ends of JSON values by counting brackets outside of strings.
#include <lightcone/trace/chrome/event_stream.h>

#include <lightcone/trace/jsonl/jsonl_parser.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::size_t stream_piece = 1 << 18;
constexpr std::size_t longest_value = std::size_t{256} << 20;
constexpr std::string_view json_blank = " \t\r\n";

}  // namespace

tl::unexpected<Error> EventStream::fail(std::string what, std::string hint) const {
  return failure(std::move(what), name_, line_, std::move(hint));
}

/// Reads another piece behind what is there. Returns false at the end of the file.
Expected<bool> EventStream::more() {
  if (ended_) return false;
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  if (buffer_.size() > longest_value) return fail("a value of more than 256 MiB");
  const std::size_t size = buffer_.size();
  const std::size_t wanted = std::max(stream_piece, size);
  buffer_.resize(size + wanted);
  const auto got = source_(buffer_.data() + size, wanted);
  if (!got) return failure(got.error());
  buffer_.resize(size + *got);
  read_ += *got;
  ended_ = *got < wanted;
  return *got > 0;
}

/// The next character that is not blank, which stays; no_more at the end of the file.
Expected<int> EventStream::peek() {
  for (;;) {
    for (; at_ < buffer_.size(); ++at_) {
      if (buffer_[at_] == '\n') ++line_;
      if (json_blank.find(buffer_[at_]) == std::string_view::npos) {
        return static_cast<unsigned char>(buffer_[at_]);
      }
    }
    const auto is_more = more();
    if (!is_more) return failure(is_more.error());
    if (!*is_more) return no_more;
  }
}

/// The end of a string, an object or a list that begins here; `npos` if the file ends before it.
Expected<std::size_t> EventStream::end_of_nested(std::size_t at) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t offset = at - at_;; ++offset) {
    while (at_ + offset >= buffer_.size()) {
      const auto is_more = more();
      if (!is_more) return failure(is_more.error());
      if (!*is_more) return std::string::npos;
    }
    const char c = buffer_[at_ + offset];
    if (in_string) {
      if (c == '\\') ++offset;
      in_string = c != '"';
      if (in_string || depth > 0) continue;
      return at_ + offset + 1;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at_ + offset + 1;
  }
}

/// The value that begins here; empty if the file ends within it.
Expected<std::string_view> EventStream::take_value() {
  const auto first = peek();
  if (!first) return failure(first.error());
  if (*first == no_more) return std::string_view();
  std::size_t end = 0;
  if (*first == '{' || *first == '[' || *first == '"') {
    const auto found = end_of_nested(at_);
    if (!found) return failure(found.error());
    end = *found;
  } else {
    for (;;) {
      end = buffer_.find_first_of(",]}: \t\r\n", at_);
      if (end != std::string::npos) break;
      const auto is_more = more();
      if (!is_more) return failure(is_more.error());
      if (!*is_more) break;
    }
  }
  if (end == std::string::npos) return std::string_view();
  const std::string_view value = std::string_view(buffer_).substr(at_, end - at_);
  if (value.empty()) return fail("broken JSON: a value is expected here");
  line_ += static_cast<std::uint64_t>(std::ranges::count(value, '\n'));
  at_ = end;
  return value;
}

Expected<void> EventStream::begin() {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (const auto is_more = more(); !is_more) return failure(is_more.error());
  if (std::string_view(buffer_).starts_with(mark)) at_ = mark.size();
  const auto first = peek();
  if (!first) return failure(first.error());
  if (*first != '[' && *first != '{') {
    return fail("this is not a Chrome trace: it begins neither with [ nor with {");
  }
  ++at_;
  is_member_ = *first == '{';
  where_ = is_member_ ? Where::in_object : Where::in_list;
  return {};
}

/// Passes over the members before the list of events, or after it.
Expected<void> EventStream::find_list() {
  const bool was_there = element_line_ != 0;
  for (;;) {
    auto next = peek();
    if (!next) return failure(next.error());
    if (*next == ',') {
      ++at_;
      continue;
    }
    if (*next == no_more || *next == '}') {
      where_ = Where::at_end;
      if (was_there) return {};
      return fail("this object has no member traceEvents", "is it a trace of another format?");
    }
    const auto taken = take_value();
    if (!taken) return failure(taken.error());
    const std::string key(*taken);
    const bool is_list = key == "\"traceEvents\"";
    if (!key.starts_with('"')) return fail("broken JSON: the name of a member is expected here");
    next = peek();
    if (!next) return failure(next.error());
    if (*next != ':') return fail("broken JSON: a colon is expected here");
    ++at_;
    next = peek();
    if (!next) return failure(next.error());
    if (is_list && !was_there) {
      if (*next != '[') return fail("traceEvents must be a list");
      ++at_;
      where_ = Where::in_list;
      return {};
    }
    const auto value = take_value();
    if (!value) return failure(value.error());
    if (value->empty()) at_ = buffer_.size();
    keep_member(key, *value);
  }
}

void EventStream::keep_member(const std::string& key, std::string_view value) {
  constexpr std::size_t longest = 1 << 16;
  if (value.empty() || other_members_.size() + value.size() > longest) return;
  std::string member = key + ": " + std::string(value);
  std::ranges::replace(member, '\n', ' ');
  std::ranges::replace(member, '\r', ' ');
  if (!are_json_members(member)) return;
  other_members_ += (other_members_.empty() ? "" : ", ") + member;
}

Expected<std::optional<std::string_view>> EventStream::next() {
  if (where_ == Where::before) {
    if (auto ok = begin(); !ok) return failure(ok.error());
  }
  if (where_ == Where::in_object) {
    if (auto ok = find_list(); !ok) return failure(ok.error());
  }
  while (where_ == Where::in_list) {
    const auto next = peek();
    if (!next) return failure(next.error());
    if (*next == ',') {
      ++at_;
      continue;
    }
    if (*next == no_more) {
      has_no_end_ = true;
      where_ = Where::at_end;
      break;
    }
    if (*next == ']') {
      ++at_;
      element_line_ = line_;
      where_ = is_member_ ? Where::in_object : Where::at_end;
      if (!is_member_) break;
      if (auto ok = find_list(); !ok) return failure(ok.error());
      break;
    }
    if (*next != '{') return fail("an event must be a JSON object");
    element_line_ = line_;
    const auto value = take_value();
    if (!value) return failure(value.error());
    if (!value->empty()) return std::optional(*value);
    is_torn_ = has_no_end_ = true;
    where_ = Where::at_end;
  }
  return std::optional<std::string_view>();
}

}  // namespace lightcone
