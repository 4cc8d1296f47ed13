// Events into rows of an lct file.
#include "rank_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace lightcone::mpi {
namespace {

[[nodiscard]] bool is_ready(const RankEvent& event) {
  return std::all_of(event.takes.begin(), event.takes.end(),
                     [](const MessageName& message) { return message.resolved() != 0; });
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

RowWords RankEvent::words() const {
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
  return words;
}

Expected<RankTrace> RankTrace::create(const std::string& path, std::string process) {
  std::remove(path.c_str());
  auto appender = LctAppender::open(path);
  if (!appender) return failure(appender.error());
  return RankTrace(std::move(*appender), std::move(process));
}

void RankTrace::note(Expected<void> done) {
  if (!done && !error_) error_ = std::move(done.error());
}

void RankTrace::attempt(const RankEvent& event) {
  write_attempt();
  attempt_ = event;
}

bool RankTrace::end_attempt(bool sent) {
  if (!attempt_) return false;
  if (!sent) attempt_->send_nothing();
  write_attempt();
  return true;
}

void RankTrace::write_attempt() {
  if (!attempt_) return;
  const RankEvent event = std::move(*std::exchange(attempt_, std::nullopt));
  add(event);
}

void RankTrace::add(const RankEvent& event) {
  write_attempt();
  if (held_.empty() && is_ready(event)) return write(event);
  held_.push_back(event);
  write_held();
}

void RankTrace::write_held() {
  for (; !held_.empty() && is_ready(held_.front()); held_.pop_front()) write(held_.front());
}

Expected<void> RankTrace::flush(bool at_end) {
  write_attempt();
  write_held();
  if (at_end) {
    // Of a message without a number it is only known that something came.
    for (RankEvent& event : held_) {
      std::erase_if(event.takes, [](const auto& message) { return message.resolved() == 0; });
      if (event.takes.empty() && event.kind == Kind::receive) event.kind = Kind::internal;
      write(event);
    }
    held_.clear();
  }
  return appender_.flush();
}

const RankTrace::NamedLabels& RankTrace::names_of(const CallLabels& labels) {
  const auto [place, is_new] = label_names_.try_emplace(labels);
  NamedLabels& named = place->second;
  if (is_new) {
    for (const std::string& text : texts_of(labels)) named.names.push_back(appender_.name(text));
    named.set = appender_.set(named.names);
  }
  return named;
}

std::uint32_t RankTrace::name_of_rank(int rank) {
  const auto [place, is_new] = rank_names_.try_emplace(rank, 0);
  if (is_new) place->second = appender_.name(process_name(rank));
  return place->second;
}

void RankTrace::write(const RankEvent& event) {
  note(appender_.make_room());
  if (appender_.block() != block_) {
    block_ = appender_.block();
    label_names_.clear();
    rank_names_.clear();
  }
  lct::RowContent row;
  row.process = appender_.process(process_);
  row.kind = event.kind;
  row.time = event.time;
  if (event.sends) row.sends = appender_.message({*event.sends->prefix, event.sends->number});
  takes_.clear();
  for (const MessageName& message : event.takes) {
    takes_.push_back(appender_.message({*message.prefix, message.resolved()}));
  }
  row.takes = takes_;
  if (event.own.labels.empty() && event.labels.call != nullptr) {
    row.label_set = names_of(event.labels).set;
  } else {
    labels_ = names_of(event.labels).names;
    for (const std::string& label : event.own.labels) labels_.push_back(appender_.name(label));
    row.labels = labels_;
  }
  to_.clear();
  for (const int rank : event.to) to_.push_back(name_of_rank(rank));
  row.to = to_;
  variables_.clear();
  for (const auto& [name, value] : event.own.variables) {
    variables_.push_back({appender_.name_of_thing(name), value});
  }
  row.variables = variables_;
  appender_.add(process_, row);
}

}  // namespace lightcone::mpi
