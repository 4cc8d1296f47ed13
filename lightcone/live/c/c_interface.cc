// The C interface, over Process: checks what C cannot promise, and lets no exception out.
#include <lightcone/c.h>
#include <lightcone/process.h>
#include <lightcone/transport.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

using lightcone::Detection;
using lightcone::Error;
using lightcone::Expected;
using lightcone::failure;
using lightcone::Intake;
using lightcone::LiveState;
using lightcone::LiveValue;
using lightcone::Process;
using lightcone::ProcessCounts;
using lightcone::ProcessOptions;
using lightcone::TakenMessage;

struct lightcone_process {
  std::unique_ptr<Process> process;
  std::string identity;
  std::vector<TakenMessage> restored = {};  // the next one is the last
};

struct lightcone_message {
  const Process* by;
  TakenMessage taken;
};

namespace {

constexpr int failed = -1;

/// Of fixed size: there must be room for it when memory has run out.
thread_local std::array<char, 1024> last_error{};
thread_local std::string last_tag, last_sender, last_read;

void keep_error(std::string_view text) {
  const std::size_t size = std::min(text.size(), last_error.size() - 1);
  std::copy_n(text.data(), size, last_error.data());
  last_error[size] = '\0';
}

/// Does something that may fail or throw; whatever goes wrong is kept for lightcone_last_error.
template <class Action>
[[nodiscard]] int guarded(Action&& action) {
  try {
    const Expected<void> done = action();
    if (done) return 0;
    keep_error(done.error().text());
  } catch (const std::exception& exception) {
    keep_error(exception.what());
  } catch (...) {
    keep_error("something other than a std::exception was thrown");
  }
  return failed;
}

[[nodiscard]] std::string_view text_of(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Null bytes are none, whatever their size.
[[nodiscard]] std::string text_of(const void* data, std::size_t size) {
  return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
}

[[nodiscard]] lightcone_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

/// A list of texts. None may be missing.
[[nodiscard]] Expected<std::vector<std::string_view>> texts_of(const char* const* texts,
                                                               std::size_t count,
                                                               std::string_view what) {
  if (count != 0 && texts == nullptr) return failure(std::string(what) + " are missing");
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < count; ++i) {
    if (texts[i] == nullptr) return failure("one of the " + std::string(what) + " is missing");
    all.emplace_back(texts[i]);
  }
  return all;
}

[[nodiscard]] Expected<LiveValue> value_of(const lightcone_variable& variable) {
  switch (variable.type) {
    case LIGHTCONE_BOOLEAN: return LiveValue(variable.value.boolean);
    case LIGHTCONE_INTEGER: return LiveValue(variable.value.integer);
    case LIGHTCONE_REAL: return LiveValue(variable.value.real);
    case LIGHTCONE_STRING:
      if (variable.value.string == nullptr) break;
      return LiveValue(std::string_view(variable.value.string));
  }
  return failure("the value of variable '" + std::string(variable.name) + "' is of no type");
}

/// An event has the source that the program gives. The calls here are none.
constexpr std::source_location nowhere = {};

/// A LiveState and what it points to.
class State {
 public:
  [[nodiscard]] Expected<void> read(const lightcone_state* from) {
    if (from == nullptr) return {};
    auto labels = texts_of(from->labels, from->label_count, "labels");
    if (!labels) return failure(labels.error());
    labels_ = std::move(*labels);
    if (from->variable_count != 0 && from->variables == nullptr) {
      return failure("variables are missing");
    }
    for (std::size_t i = 0; i < from->variable_count; ++i) {
      const lightcone_variable& variable = from->variables[i];
      if (variable.name == nullptr) return failure("a variable has no name");
      const auto value = value_of(variable);
      if (!value) return failure(value.error());
      variables_.emplace_back(variable.name, *value);
    }
    text_ = text_of(from->text);
    source_ = text_of(from->source);
    source_.remove_prefix(source_.rfind('/') + 1);  // as Process does: without the folders
    return {};
  }
  [[nodiscard]] LiveState state() const {
    return {.labels = std::span(labels_),
            .variables = std::span(variables_),
            .text = text_,
            .source = source_};
  }

 private:
  std::vector<std::string_view> labels_;
  std::vector<std::pair<std::string_view, LiveValue>> variables_;
  std::string_view text_, source_;
};

/// The members that the program knows of; what a later version has added must not be used.
[[nodiscard]] Expected<lightcone_options> known_options(const lightcone_options* from) {
  if (from == nullptr) return failure("options are missing");
  if (from->size < offsetof(lightcone_options, members)) {
    return failure("the size of the options is not set", {}, 0,
                   "options.size = sizeof(lightcone_options)");
  }
  const auto* bytes = reinterpret_cast<const char*>(from);
  if (std::any_of(bytes + std::min(from->size, sizeof(lightcone_options)), bytes + from->size,
                  [](char byte) { return byte != 0; })) {
    return failure("the options are those of a later version of Lightcone");
  }
  lightcone_options options{};
  std::memcpy(&options, from, std::min(from->size, sizeof options));
  return options;
}

[[nodiscard]] std::function<void(const Detection&)> teller(const lightcone_options& options) {
  if (options.on_detection == nullptr) return {};
  return [tell = options.on_detection, user = options.user](const Detection& found) {
    const std::string verb(lightcone::name_of(found.verb));
    const std::string line = found.line();
    const lightcone_detection detection{found.property.c_str(), verb.c_str(), found.failed,
                                        found.process.c_str(),  found.event,  line.c_str()};
    tell(&detection, user);
  };
}

/// What saves and restores the program.
void set_snapshots(ProcessOptions& options, const lightcone_options& from) {
  if (from.save != nullptr) {
    options.save = [save = from.save, user = from.user] {
      const lightcone_bytes state = save(user);
      return text_of(state.data, state.size);
    };
  }
  if (from.restore != nullptr) {
    options.restore = [restore = from.restore, user = from.user](std::string_view state) {
      restore(bytes_of(state), user);
    };
  }
  if (from.on_snapshot_part != nullptr) {
    options.on_snapshot_part = [tell = from.on_snapshot_part, user = from.user](
                                   std::string_view part) { tell(bytes_of(part), user); };
  }
}

[[nodiscard]] Expected<ProcessOptions> options_of(const lightcone_options* from) {
  const auto known = known_options(from);
  if (!known) return failure(known.error());
  const auto members = texts_of(known->members, known->member_count, "members");
  if (!members) return failure(members.error());
  const auto labels = texts_of(known->labels, known->label_count, "labels");
  if (!labels) return failure(labels.error());
  ProcessOptions options{.name = std::string(text_of(known->name))};
  options.members.assign(members->begin(), members->end());
  options.labels.assign(labels->begin(), labels->end());
  options.properties = text_of(known->properties);
  options.properties_file = text_of(known->properties_file);
  options.trace = text_of(known->trace);
  if (known->fifo) options.channels = lightcone::Channels::fifo;
  options.traces = text_of(known->traces);
  options.report_to = text_of(known->report_to);
  options.report_execution = text_of(known->report_execution);
  options.report_token = text_of(known->report_token);
  options.report_certificates = text_of(known->report_certificates);
  options.incarnation = known->incarnation;
  if (known->most_peers != 0) options.most_peers = known->most_peers;
  options.most_peer_bytes = known->most_peer_bytes;
  options.clocks = known->clocks;
  options.on_detection = teller(*known);
  set_snapshots(options, *known);
  if (known->on_error != nullptr) {
    options.on_error = [tell = known->on_error, user = known->user](const Error& error) {
      tell(error.text().c_str(), user);
    };
  }
  return options;
}

/// The process and the state that most calls are about.
template <class Action>
[[nodiscard]] int with_state(lightcone_process* process, const lightcone_state* state,
                             Action&& action) {
  return guarded([&]() -> Expected<void> {
    if (process == nullptr) return failure("the process is missing");
    State read;
    if (auto done = read.read(state); !done) return done;
    return action(*process->process, read.state());
  });
}

/// The process, and where its answer goes.
template <class Answer, class Action>
[[nodiscard]] int answered(lightcone_process* process, Answer* answer, Action&& action) {
  return guarded([&]() -> Expected<void> {
    if (process == nullptr) return failure("the process is missing");
    if (answer == nullptr) return failure("there is no place for the answer");
    return action(*process->process);
  });
}

/// A message for the program, which frees it.
[[nodiscard]] lightcone_message* handle_of(const Process& by, TakenMessage&& taken) {
  return taken ? new lightcone_message{&by, std::move(taken)} : nullptr;
}

[[nodiscard]] Intake::Patience patience_of(std::int64_t milliseconds) {
  if (milliseconds < 0) return std::nullopt;
  return std::chrono::milliseconds(milliseconds);
}

/// Calls the function of the program that waits for a message.
[[nodiscard]] Intake::Arrive arrival_by(lightcone_arrive arrive, void* user) {
  return [=](Intake::Patience patience) -> std::optional<lightcone::ArrivedMessage> {
    lightcone_arrival arrival{};
    if (arrive(patience ? patience->count() : -1, &arrival, user) != 1) return std::nullopt;
    return lightcone::ArrivedMessage{text_of(arrival.tag.data, arrival.tag.size),
                                     text_of(arrival.contents.data, arrival.contents.size)};
  };
}

/// The messages of a list, which must all be there.
[[nodiscard]] Expected<void> check_messages(const Process& process,
                                            lightcone_message* const* messages, std::size_t count) {
  if (messages == nullptr || count == 0) return failure("the messages are missing");
  for (std::size_t i = 0; i < count; ++i) {
    if (messages[i] == nullptr) return failure("one of the messages is missing");
    if (messages[i]->by != &process) return failure("a message was taken by another process");
    if (std::find(messages, messages + i, messages[i]) != messages + i) {
      return failure("one of the messages is there twice");
    }
  }
  return {};
}

}  // namespace

extern "C" {

lightcone_process* lightcone_start(const lightcone_options* options,
                                   const lightcone_state* initial) {
  lightcone_process* started = nullptr;
  const int status = guarded([&]() -> Expected<void> {
    auto read = options_of(options);
    if (!read) return failure(read.error());
    State state;
    if (auto done = state.read(initial); !done) return done;
    auto handle = std::make_unique<lightcone_process>();
    auto process = Process::start(std::move(*read), state.state());
    if (!process) return failure(process.error());
    handle->process = std::move(*process);
    handle->identity = handle->process->identity();
    handle->restored = handle->process->restored_messages();
    std::reverse(handle->restored.begin(), handle->restored.end());
    started = handle.release();
    return {};
  });
  return status == 0 ? started : nullptr;
}

void lightcone_end(lightcone_process* process) { delete process; }

const char* lightcone_identity(const lightcone_process* process) {
  return process == nullptr ? nullptr : process->identity.c_str();
}

int lightcone_event(lightcone_process* process, const lightcone_state* state) {
  return with_state(process, state, [](Process& self, const LiveState& read) -> Expected<void> {
    self.event(read, nowhere);
    return {};
  });
}

int lightcone_send(lightcone_process* process, const char* const* to, size_t to_count,
                   const lightcone_state* state, lightcone_tag* tag) {
  return with_state(process, state, [&](Process& self, const LiveState& read) -> Expected<void> {
    if (tag == nullptr) return failure("there is no place for the tag");
    const auto receivers = texts_of(to, to_count, "receivers");
    if (!receivers) return failure(receivers.error());
    std::string made = self.send(*receivers, read, nowhere);  // callbacks may send, too
    last_tag = std::move(made);
    *tag = {last_tag.data(), last_tag.size()};
    return {};
  });
}

int lightcone_take(lightcone_process* process, const char* mailbox, int64_t milliseconds,
                   lightcone_arrive arrive, void* user, lightcone_message** message) {
  return answered(process, message, [&](Process& self) -> Expected<void> {
    if (arrive == nullptr) return failure("there is no function that waits for messages");
    *message = nullptr;
    *message = handle_of(self, Intake(self).take(text_of(mailbox), patience_of(milliseconds),
                                                 arrival_by(arrive, user)));
    return {};
  });
}

lightcone_bytes lightcone_contents(const lightcone_message* message) {
  return message == nullptr ? lightcone_bytes{nullptr, 0} : bytes_of(message->taken.contents());
}

int lightcone_receive_taken(lightcone_process* process, lightcone_message* const* messages,
                            size_t message_count, const lightcone_state* state,
                            const char** sender) {
  return with_state(process, state, [&](Process& self, const LiveState& read) -> Expected<void> {
    if (auto there = check_messages(self, messages, message_count); !there) return there;
    std::vector<TakenMessage> taken;
    taken.reserve(message_count);
    for (std::size_t i = 0; i < message_count; ++i) {
      taken.push_back(std::move(messages[i]->taken));
      delete messages[i];
    }
    std::string name = self.receive(taken, read, nowhere);
    last_sender = std::move(name);
    if (sender != nullptr) *sender = last_sender.c_str();
    return {};
  });
}

void lightcone_drop(lightcone_message* message) { delete message; }

bool lightcone_is_prompted(const lightcone_process* process) {
  return process != nullptr && Intake(*process->process).is_prompted();
}

int lightcone_took(lightcone_process* process, lightcone_tag tag, lightcone_bytes contents,
                   lightcone_message** message) {
  return answered(process, message, [&](Process& self) -> Expected<void> {
    *message = nullptr;
    *message = handle_of(self, Intake(self).took(text_of(tag.data, tag.size), [&] {
      return text_of(contents.data, contents.size);
    }));
    return {};
  });
}

int lightcone_found_nothing(lightcone_process* process) {
  return answered(process, process, [](Process& self) -> Expected<void> {
    Intake(self).found_nothing();
    return {};
  });
}

int lightcone_receive(lightcone_process* process, const lightcone_tag* tags, size_t tag_count,
                      const lightcone_state* state, const char** sender) {
  return with_state(process, state, [&](Process& self, const LiveState& read) -> Expected<void> {
    if (tags == nullptr || tag_count == 0) return failure("the tags are missing");
    std::vector<std::string_view> taken;
    for (std::size_t i = 0; i < tag_count; ++i) {
      if (tags[i].data == nullptr && tags[i].size != 0) return failure("a tag has no bytes");
      taken.emplace_back(static_cast<const char*>(tags[i].data), tags[i].size);
    }
    std::string name = self.receive(taken, read, nowhere);
    last_sender = std::move(name);
    if (sender != nullptr) *sender = last_sender.c_str();
    return {};
  });
}

int lightcone_time(lightcone_process* process, uint64_t* nanoseconds) {
  return answered(process, nanoseconds, [&](Process& self) -> Expected<void> {
    *nanoseconds = self.time();
    return {};
  });
}

int lightcone_random(lightcone_process* process, uint64_t* number) {
  return answered(process, number, [&](Process& self) -> Expected<void> {
    *number = self.random();
    return {};
  });
}

int lightcone_choose(lightcone_process* process, uint64_t alternatives, uint64_t* chosen) {
  return answered(process, chosen, [&](Process& self) -> Expected<void> {
    if (alternatives == 0) return failure("there is no alternative to choose");
    *chosen = self.choose(alternatives);
    return {};
  });
}

int lightcone_read(lightcone_process* process, lightcone_bytes (*from_outside)(void* user),
                   void* user, lightcone_bytes* bytes) {
  return answered(process, bytes, [&](Process& self) -> Expected<void> {
    if (from_outside == nullptr) return failure("there is no function that reads");
    std::string read = self.read([&] {
      const lightcone_bytes outside = from_outside(user);
      return text_of(outside.data, outside.size);
    });
    last_read = std::move(read);
    *bytes = bytes_of(last_read);
    return {};
  });
}

int lightcone_begin_snapshot(lightcone_process* process, uint64_t* number) {
  return answered(process, process, [&](Process& self) -> Expected<void> {
    const std::uint64_t begun = self.begin_snapshot();
    if (number != nullptr) *number = begun;
    return begun != 0 ? Expected<void>() : failure("the numbers of snapshots are used up");
  });
}

int lightcone_marker(lightcone_process* process, const char* to, lightcone_tag* tag) {
  return answered(process, tag, [&](Process& self) -> Expected<void> {
    if (to == nullptr) return failure("the receiver is missing");
    last_tag = self.marker(to);
    *tag = {last_tag.data(), last_tag.size()};
    return {};
  });
}

int lightcone_safe_point(lightcone_process* process) {
  return answered(process, process, [](Process& self) -> Expected<void> {
    self.safe_point();
    return {};
  });
}

bool lightcone_restored(const lightcone_process* process) {
  return process != nullptr && process->process->restored();
}

lightcone_message* lightcone_next_restored(lightcone_process* process) {
  lightcone_message* next = nullptr;
  static_cast<void>(answered(process, &next, [&](Process& self) -> Expected<void> {
    if (process->restored.empty()) return {};
    next = handle_of(self, std::move(process->restored.back()));
    process->restored.pop_back();
    return {};
  }));
  return next;
}

int lightcone_get_counts(const lightcone_process* process, lightcone_counts* counts, size_t size) {
  return guarded([&]() -> Expected<void> {
    if (process == nullptr || counts == nullptr) return failure("the process is missing");
    const ProcessCounts now = process->process->counts();
    const lightcone_counts all{now.events,         now.sent,        now.received,  now.tag_bytes,
                               now.tag_entries,    now.without_tag, now.bad_tags,  now.redelivered,
                               now.trace_failures, now.forgotten,   now.unreported};
    std::memset(counts, 0, size);
    std::memcpy(counts, &all, std::min(size, sizeof all));
    return {};
  });
}

int lightcone_flush(lightcone_process* process) {
  return guarded([&]() -> Expected<void> {
    if (process == nullptr) return failure("the process is missing");
    return process->process->flush();
  });
}

const char* lightcone_version(void) { return LIGHTCONE_VERSION; }

const char* lightcone_last_error(void) { return last_error.data(); }

}  // extern "C"
