// Sends verdicts, and tries again what was not taken.
#include "serve/verdict_post.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "serve/web_server.h"

namespace lightcone::service {
namespace {

constexpr std::size_t most_at_a_time = 500;
constexpr std::chrono::seconds between_trials{1};
constexpr std::chrono::seconds longest_farewell{5};

}  // namespace

VerdictPost::VerdictPost(std::string url, Note note)
    : url_(std::move(url)), note_(std::move(note)), thread_([this] { send(); }) {}

VerdictPost::~VerdictPost() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  thread_.join();
  const std::size_t lost = waiting_.size() + dropped_;
  if (lost > 0) note_(fmt::format("{} verdicts could not be sent to {}", lost, url_));
}

void VerdictPost::add(std::uint64_t, const std::string& json) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(json);
  if (waiting_.size() > most_waiting) {
    waiting_.pop_front();
    ++dropped_;
  }
  changed_.notify_all();
}

bool VerdictPost::try_to_send(const std::string& lines) {
  const auto answer = post({.url = url_, .text = lines, .type = "application/x-ndjson"});
  const bool is_taken = answer && answer->status >= 200 && answer->status < 300;
  if (!is_taken && !is_in_trouble_) {
    note_(fmt::format("verdicts cannot be sent to {}: {}; this is tried again", url_,
                      answer ? fmt::format("status {}", answer->status) : answer.error().what));
  }
  is_in_trouble_ = !is_taken;
  return is_taken;
}

void VerdictPost::send() {
  std::unique_lock lock(mutex_);
  std::chrono::steady_clock::time_point end = {};
  for (;;) {
    changed_.wait(lock, [&] { return stops_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const auto now = std::chrono::steady_clock::now();
    if (stops_ && end == std::chrono::steady_clock::time_point()) end = now + longest_farewell;
    if (stops_ && now > end) return;
    std::deque<std::string> sent;
    std::string lines;
    while (!waiting_.empty() && sent.size() < most_at_a_time) {
      lines += waiting_.front() + '\n';
      sent.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    lock.unlock();
    const bool is_taken = try_to_send(lines);
    lock.lock();
    if (is_taken) continue;
    waiting_.insert(waiting_.begin(), std::make_move_iterator(sent.begin()),
                    std::make_move_iterator(sent.end()));
    changed_.wait_for(lock, between_trials, [&] { return stops_; });
  }
}

}  // namespace lightcone::service
