// Events into rows of an lct file.
#include "process/mpi_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <utility>

#include "process/call_site.h"

namespace lightcone::mpi {
namespace {

[[nodiscard]] bool is_ready(const MpiEvent& event) {
  return std::all_of(event.takes.begin(), event.takes.end(),
                     [](const MessageName& message) { return message.resolved() != 0; });
}

/// `tag:7`, without memory of its own.
class TagLabel {
 public:
  explicit TagLabel(int tag) {
    end_ = std::to_chars(text_.data() + 4, text_.data() + text_.size(), tag).ptr;
  }
  [[nodiscard]] std::string_view text() const {
    return {text_.data(), static_cast<std::size_t>(end_ - text_.data())};
  }

 private:
  std::array<char, 16> text_ = {'t', 'a', 'g', ':'};
  const char* end_;
};

/// As many messages with other peers or tags a block may have, about, before names are written
/// twice.
constexpr std::size_t frame_places = 4096, tag_places = 8192;

/// Of all but the tag.
[[nodiscard]] std::uint64_t hash_of(const MpiMessage& message) {
  const CallLabels& labels = message.labels;
  const std::uint64_t flags = (labels.any_source ? 1U : 0U) + (labels.any_tag ? 2U : 0U) +
                              (message.kind == Kind::send ? 4U : 0U);
  return KeyHash()(std::uint64_t{static_cast<std::uint32_t>(message.peer)} << 32 ^
                   reinterpret_cast<std::uintptr_t>(labels.call) * 4 ^
                   reinterpret_cast<std::uintptr_t>(labels.communicator) * 16 ^ flags);
}

}  // namespace

std::vector<std::string> texts_of(const CallLabels& labels) {
  std::vector<std::string> texts;
  if (labels.call != nullptr) texts.emplace_back(labels.call);
  if (labels.communicator != nullptr) texts.push_back("comm:" + *labels.communicator);
  if (labels.tag != any) texts.push_back(fmt::format("tag:{}", labels.tag));
  if (labels.any_source) texts.emplace_back("any_source");
  if (labels.any_tag) texts.emplace_back("any_tag");
  return texts;
}

std::string process_name(int rank) { return fmt::format("rank{}", rank); }

std::string ContentsNote::text() const {
  return type == nullptr ? std::string() : fmt::format("{} {}", count, *type);
}

RowWords MpiEvent::words() const {
  RowWords words;
  words.kind = kind;
  if (sends) words.sends = join_name({*sends->prefix, sends->number});
  for (const MessageName& message : takes) {
    words.takes.push_back(join_name({*message.prefix, message.resolved()}));
  }
  for (const int rank : to) words.to.push_back(process_name(rank));
  words.labels = texts_of(labels);
  words.labels.insert(words.labels.end(), own.labels.begin(), own.labels.end());
  for (const auto& [name, value] : own.variables) {
    words.variables.emplace_back(name, std::to_string(value));
  }
  words.text = contents.text();
  words.digest = contents.digest;
  return words;
}

Expected<MpiTrace> MpiTrace::create(const std::string& path, std::string process) {
  std::remove(path.c_str());
  auto appender = LctAppender::open(path);
  if (!appender) return failure(appender.error());
  return MpiTrace(std::move(*appender), std::move(process));
}

void MpiTrace::attempt(const MpiEvent& event) {
  write_attempt();
  attempt_ = event;
}

bool MpiTrace::end_attempt(bool sent) {
  if (!attempt_) return false;
  if (!sent) attempt_->send_nothing();
  write_attempt();
  return true;
}

void MpiTrace::write_attempt() {
  if (!attempt_) return;
  const MpiEvent event = std::move(*std::exchange(attempt_, std::nullopt));
  add(event);
}

void MpiTrace::add(const MpiEvent& event) {
  write_attempt();
  if (held_.empty() && is_ready(event)) return write(event);
  held_.push_back(event);
  write_held();
}

void MpiTrace::write_held() {
  for (; !held_.empty() && is_ready(held_.front()); held_.pop_front()) write(held_.front());
}

Expected<void> MpiTrace::flush(bool at_end) {
  write_attempt();
  write_held();
  if (at_end) {
    // Of a message without a number it is only known that something came.
    for (MpiEvent& event : held_) {
      std::erase_if(event.takes, [](const auto& message) { return message.resolved() == 0; });
      if (event.takes.empty() && event.kind == Kind::receive) event.kind = Kind::internal;
      write(event);
    }
    held_.clear();
  }
  return appender_.flush();
}

std::size_t MpiTrace::LabelsHash::operator()(const CallLabels& labels) const {
  const std::size_t texts =
      std::hash<const void*>()(labels.call) * 31 + std::hash<const void*>()(labels.communicator);
  const std::size_t flags = (labels.any_source ? 1U : 0U) + (labels.any_tag ? 2U : 0U);
  return KeyHash()((texts * 4 + flags) ^ (static_cast<std::uint64_t>(labels.tag) << 32));
}

template <class MakeText>
std::uint32_t MpiTrace::name_at(const void* place, MakeText make_text) {
  const auto [found, is_new] = names_.try_emplace(place, 0);
  if (is_new) found.value() = appender_.name(make_text());
  return found->second;
}

/// As texts_of, without making texts that are known.
MpiTrace::NamedLabels MpiTrace::name(const CallLabels& labels) {
  NamedLabels named;
  const auto add = [&](std::uint32_t name) { named.names[named.count++] = name; };
  if (labels.call != nullptr) {
    add(name_at(labels.call, [&] { return std::string_view(labels.call); }));
  }
  if (labels.communicator != nullptr) {
    add(name_at(labels.communicator, [&] { return "comm:" + *labels.communicator; }));
  }
  if (labels.tag != any) add(appender_.name(TagLabel(labels.tag).text()));
  if (labels.any_source) add(appender_.name("any_source"));
  if (labels.any_tag) add(appender_.name("any_tag"));
  named.set = appender_.set({named.names.data(), named.count});
  return named;
}

const MpiTrace::NamedLabels& MpiTrace::names_of(const CallLabels& labels) {
  if (last_named_ != nullptr && labels == last_labels_) return *last_named_;
  const auto [place, is_new] = label_names_.try_emplace(labels);
  if (is_new) place->second = name(labels);
  last_labels_ = labels;
  last_named_ = &place->second;
  return *last_named_;
}

std::uint32_t MpiTrace::set_of_rank(int rank) {
  const auto [place, is_new] = rank_sets_.try_emplace(rank, 0);
  if (is_new) {
    const std::uint32_t name = name_of_rank(rank);
    place.value() = appender_.set({&name, 1});
  }
  return place->second;
}

std::uint32_t MpiTrace::name_of_rank(int rank) {
  const auto [place, is_new] = rank_names_.try_emplace(rank, 0);
  if (is_new) place.value() = appender_.name(process_name(rank));
  return place->second;
}

/// Most messages have as many elements as the one before.
std::uint32_t MpiTrace::name_of_contents(const ContentsNote& contents) {
  if (contents.count != last_count_ || contents.type != last_type_) {
    last_count_ = contents.count;
    last_type_ = contents.type;
    last_contents_ = appender_.name(contents.text());
  }
  return last_contents_;
}

std::optional<std::uint32_t> MpiTrace::name_of_site(const void* site) {
  const auto [place, is_new] = sites_.try_emplace(site);
  if (is_new) {
    place.value() = site_text(site);
    if (!sites_path_.empty() && !place->second.empty()) {
      std::ofstream(sites_path_, std::ios::app) << place->second << '\n';
    }
  }
  if (place->second.empty()) return std::nullopt;
  return name_at(site, [&] { return std::string_view(place->second); });
}

lct::MessageMention MpiTrace::mention(const std::string& prefix, std::uint64_t number) {
  const std::uint32_t name = name_at(&prefix, [&] { return std::string_view(prefix); });
  return appender_.message({prefix, number}, name);
}

/// A new block has no names yet.
void MpiTrace::begin_block() {
  static_cast<void>(appender_.make_room());
  block_ = appender_.block();
  process_index_ = appender_.process(process_);
  label_names_.clear();
  last_named_ = nullptr;
  rank_names_.clear();
  rank_sets_.clear();
  names_.clear();
  last_type_ = nullptr;
}

void MpiTrace::write(const MpiEvent& event) {
  begin_row();
  lct::RowContent row;
  row.process = process_index_;
  row.kind = event.kind;
  row.time = event.time;
  if (event.sends) row.sends = mention(*event.sends->prefix, event.sends->number);
  takes_.clear();
  for (const MessageName& message : event.takes) {
    takes_.push_back(mention(*message.prefix, message.resolved()));
  }
  row.takes = takes_;
  if (event.own.labels.empty() && event.labels.call != nullptr) {
    row.label_set = names_of(event.labels).set;
  } else {
    const NamedLabels& named = names_of(event.labels);
    labels_.assign(named.names.begin(), named.names.begin() + named.count);
    for (const std::string& label : event.own.labels) labels_.push_back(appender_.name(label));
    row.labels = labels_;
  }
  to_.clear();
  if (event.to.size() == 1) {
    row.to_set = set_of_rank(event.to.front());
  } else {
    for (const int rank : event.to) to_.push_back(name_of_rank(rank));
    row.to = to_;
  }
  variables_.clear();
  for (const auto& [name, value] : event.own.variables) {
    variables_.push_back({appender_.name_of_thing(name), value});
  }
  row.variables = variables_;
  row.digest = event.contents.digest;
  if (event.contents.type != nullptr) row.text = name_of_contents(event.contents);
  if (event.site != nullptr) row.source = name_of_site(event.site);
  appender_.add(process_, row);
}

void MpiTrace::add(const MpiMessage& message) {
  LIGHTCONE_ASSERT(is_empty_handed());
  begin_row();
  const std::uint64_t hash = hash_of(message);
  if (frames_.empty()) {
    frames_.resize(frame_places);
    tag_names_.resize(tag_places);
  }
  Frame& frame = frames_[hash % frame_places];
  const CallLabels &one = frame.labels, &other = message.labels;
  const bool is_known = frame.block == block_ && frame.kind == message.kind &&
                        frame.peer == message.peer && one.call == other.call &&
                        one.communicator == other.communicator &&
                        one.any_source == other.any_source && one.any_tag == other.any_tag;
  if (!is_known) make(frame, message);
  TagNames& names = tag_names_[(hash + static_cast<std::uint32_t>(other.tag)) % tag_places];
  if (names.frame != frame.id || names.tag != other.tag) name(message, frame, names);
  lct::MessageRow row;
  row.process = process_index_;
  row.kind = message.kind;
  row.labels = names.labels;
  row.prefix = names.prefix;
  row.to = frame.to;
  row.number = message.number;
  row.time = message.time;
  row.digest = message.contents.digest;
  if (message.contents.type != nullptr) row.text = name_of_contents(message.contents);
  if (message.site != nullptr) row.source = name_of_site(message.site).value_or(row.none);
  appender_.add(row);
}

void MpiTrace::make(Frame& frame, const MpiMessage& message) {
  CallLabels labels = message.labels;
  labels.tag = any;
  frame.labels = labels;
  frame.peer = message.peer;
  frame.kind = message.kind;
  frame.block = *block_;
  frame.id = ++last_frame_;
  frame.to = message.kind == Kind::send ? set_of_rank(message.peer) : lct::MessageRow::none;
  frame.named = names_of(labels);
  frame.before_tag =
      (labels.call != nullptr ? 1U : 0U) + (labels.communicator != nullptr ? 1U : 0U);
}

/// A program may have a tag for each message. Most texts of such a message are new: they are not
/// looked up.
void MpiTrace::name(const MpiMessage& message, const Frame& frame, TagNames& names) {
  std::array<std::uint32_t, 6> members{};
  const auto& others = frame.named.names;
  auto* end = std::copy_n(others.begin(), frame.before_tag, members.begin());
  if (message.labels.tag != any) *end++ = appender_.new_name(TagLabel(message.labels.tag).text());
  end = std::copy_n(others.begin() + frame.before_tag, frame.named.count - frame.before_tag, end);
  const std::span<const std::uint32_t> all(members.data(),
                                           static_cast<std::size_t>(end - members.data()));
  names.frame = frame.id;
  names.tag = message.labels.tag;
  names.labels = appender_.new_set(all);
  names.prefix = appender_.new_name(message.prefix);
}

}  // namespace lightcone::mpi
