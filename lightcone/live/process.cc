// A live process: one lock around its riders and its trace.
#include <lightcone/live/process.h>

#include <fmt/format.h>
#include <lightcone/live/live_trace.h>
#include <lightcone/live/received_numbers.h>
#include <lightcone/live/watcher.h>
#include <lightcone/property/parser.h>
#include <lightcone/trace/file.h>

#include <mutex>
#include <optional>
#include <utility>

namespace lightcone {
namespace {

/// What all processes must agree on, as one number.
[[nodiscard]] std::uint64_t agreement_of(const ProcessOptions& options,
                                         const std::string& properties) {
  std::string all = fmt::format("{}\n{}\n", options.clocks, properties);
  for (const std::string& member : options.members) all += member + '\n';
  for (const std::string& label : options.labels) all += '\n' + label;
  return Peers::hash_of(all);
}

[[nodiscard]] Expected<std::string> text_of_file(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return failure(file.error());
  return file->read_all();
}

}  // namespace

class Process::Core {
 public:
  Core(ProcessOptions options, CompiledProperties properties, std::uint64_t agreement,
       std::optional<LiveTrace> trace)
      : options_(std::move(options)),
        watcher_(std::move(properties), agreement, options_),
        trace_(std::move(trace)) {}

  void start(const LiveState& initial) {
    std::unique_lock lock(mutex_);
    watcher_.start(initial);
    record({.kind = Kind::initial, .state = initial});
    finish(nullptr, initial);
    tell(lock);
  }

  void event(const LiveState& state, const std::source_location& where) {
    std::unique_lock lock(mutex_);
    ++counts_.events;
    watcher_.event(Kind::internal, state);
    record({.kind = Kind::internal, .state = state, .where = &where});
    finish(&where, state);
    tell(lock);
  }

  [[nodiscard]] std::string send(std::span<const std::string_view> to, const LiveState& state,
                                 const std::source_location& where) {
    std::unique_lock lock(mutex_);
    ++counts_.events;
    const std::uint64_t number = counts_.sent++;
    watcher_.event(Kind::send, state);
    std::string tag = watcher_.send(to, number);
    counts_.tag_bytes += tag.size();
    record({.kind = Kind::send,
            .state = state,
            .sent = message_name(options_.name, number),
            .to = to,
            .where = &where});
    finish(&where, state);
    tell(lock);
    return tag;
  }

  std::string receive(std::span<const std::string_view> tags, const LiveState& state,
                      const std::source_location& where) {
    std::unique_lock lock(mutex_);
    ++counts_.events;
    std::vector<Envelope> envelopes = open(tags);
    std::vector<std::string> messages;
    std::string sender;
    bool again = false;
    for (const Envelope& envelope : envelopes) {
      const std::string& name = watcher_.peer_name(envelope.sender);
      if (messages.empty()) sender = name;
      messages.push_back(message_name(name, envelope.number));
      if (received_[envelope.sender].add(envelope.number)) continue;
      ++counts_.redelivered;
      again = true;
    }
    if (envelopes.empty()) {
      watcher_.event(Kind::internal, state);
      record({.kind = Kind::internal, .state = state, .where = &where});
    } else {
      ++counts_.received;
      watcher_.receive(envelopes, state);
      record({.kind = Kind::receive,
              .state = state,
              .taken = messages,
              .duplicate = again,
              .where = &where});
    }
    finish(&where, state);
    tell(lock);
    return sender;
  }

  /// What needs more than one process's past is not decided here, and that is said once.
  void tell_of_unwatched() {
    std::unique_lock lock(mutex_);
    for (const std::string& name : watcher_.unwatched()) {
      errors_.push_back({fmt::format("{}: {} is about global states and is not watched live",
                                     options_.name, name),
                         {},
                         0,
                         "check it on the trace",
                         0,
                         {}});
    }
    tell(lock);
  }

  [[nodiscard]] Expected<void> flush() {
    const std::unique_lock lock(mutex_);
    if (!trace_) return {};
    return trace_->flush();
  }

  [[nodiscard]] ProcessCounts counts() const {
    const std::unique_lock lock(mutex_);
    ProcessCounts counts = counts_;
    counts.tag_entries = watcher_.entries_sent();
    return counts;
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> clock() const {
    const std::unique_lock lock(mutex_);
    std::vector<std::pair<std::string, std::uint32_t>> entries;
    for (std::uint32_t k = 0; options_.clocks && k < watcher_.clock().size(); ++k) {
      if (watcher_.clock()[k] != 0) {
        entries.emplace_back(watcher_.peer_name(k), watcher_.clock()[k]);
      }
    }
    return entries;
  }

  [[nodiscard]] std::string_view name() const { return options_.name; }

 private:
  [[nodiscard]] static std::string message_name(const std::string& sender, std::uint64_t number) {
    return fmt::format("{}:{}", sender, number + 1);
  }

  [[nodiscard]] std::vector<Envelope> open(std::span<const std::string_view> tags) {
    std::vector<Envelope> envelopes;
    for (const std::string_view tag : tags) {
      if (tag.empty()) {
        ++counts_.without_tag;
        continue;
      }
      auto envelope = watcher_.open(tag);
      if (envelope) {
        envelopes.push_back(std::move(*envelope));
      } else {
        ++counts_.bad_tags;
        envelope.error().what = fmt::format("{}, event {}: the tag of a message {}", options_.name,
                                            counts_.events, envelope.error().what);
        errors_.push_back(std::move(envelope.error()));
      }
    }
    return envelopes;
  }

  void record(const LiveTrace::Row& row) {
    if (!trace_) return;
    if (auto done = trace_->add(row); !done) {
      ++counts_.trace_failures;
      errors_.push_back(std::move(done.error()));
    }
  }

  /// Says where and with which labels what was detected happened.
  void finish(const std::source_location* where, const LiveState& state) {
    for (Detection& detection : watcher_.detections()) {
      detection.event = counts_.events;
      detection.labels.assign(state.labels.begin(), state.labels.end());
      if (!state.source.empty()) {
        detection.source = state.source;
      } else if (where != nullptr) {
        detection.source = LiveTrace::source_text(*where);
      }
    }
  }

  /// Calls back without the lock: whoever is called may use the process.
  void tell(std::unique_lock<std::mutex>& lock) {
    if (watcher_.detections().empty() && errors_.empty()) return;
    const std::vector<Detection> detections = std::exchange(watcher_.detections(), {});
    const std::vector<Error> errors = std::exchange(errors_, {});
    lock.unlock();
    for (const Error& error : errors) {
      if (options_.on_error) options_.on_error(error);
    }
    for (const Detection& detection : detections) {
      if (options_.on_detection) options_.on_detection(detection);
    }
  }

  ProcessOptions options_;
  mutable std::mutex mutex_;
  Watcher watcher_;
  std::optional<LiveTrace> trace_;
  tsl::robin_map<std::uint32_t, ReceivedNumbers> received_;  // by sender
  ProcessCounts counts_;
  std::vector<Error> errors_;
};

Process::Process(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Process::~Process() = default;

Expected<std::unique_ptr<Process>> Process::start(ProcessOptions options,
                                                  const LiveState& initial) {
  if (options.name.empty()) return failure("a process needs a name");
  std::string text = options.properties;
  std::string file = "properties";
  if (!options.properties_file.empty()) {
    auto read = text_of_file(options.properties_file);
    if (!read) return failure(read.error());
    text = std::move(*read);
    file = options.properties_file;
  }
  auto parsed = parse_properties(text, file);
  if (!parsed) return failure(parsed.error());
  CompiledProperties compiled = CompiledProperties::compile(std::move(*parsed), options.labels);
  for (const Undecided& property : compiled.undecided()) {
    const Property& source = compiled.source().properties[property.property];
    return failure(fmt::format("{}: {}", source.name, property.why), file, source.place.line);
  }
  std::optional<LiveTrace> trace;
  if (!options.trace.empty()) {
    auto opened = LiveTrace::create(options.trace, options.name);
    if (!opened) return failure(opened.error());
    trace.emplace(std::move(*opened));
  }
  const std::uint64_t agreement = agreement_of(options, text);
  auto core =
      std::make_unique<Core>(std::move(options), std::move(compiled), agreement, std::move(trace));
  core->start(initial);
  core->tell_of_unwatched();
  return std::unique_ptr<Process>(new Process(std::move(core)));
}

void Process::event(const LiveState& state, const std::source_location& where) {
  core_->event(state, where);
}

std::string Process::send(std::span<const std::string_view> to, const LiveState& state,
                          const std::source_location& where) {
  return core_->send(to, state, where);
}

std::string Process::receive(std::span<const std::string_view> tags, const LiveState& state,
                             const std::source_location& where) {
  return core_->receive(tags, state, where);
}

Expected<void> Process::flush() { return core_->flush(); }
ProcessCounts Process::counts() const { return core_->counts(); }
std::string_view Process::name() const { return core_->name(); }
std::vector<std::pair<std::string, std::uint32_t>> Process::clock() const { return core_->clock(); }

std::string Detection::line() const {
  std::string out =
      fmt::format("{}: {} at event {} of {}", name_of(verb), property, event, process);
  if (!labels.empty()) out += fmt::format(" ({})", fmt::join(labels, ", "));
  if (verb == Verb::require) out += " is missing";
  if (!predecessors.empty()) {
    out += ", after";
    for (const Predecessor& before : predecessors) {
      out += fmt::format(" {}#{}", before.process, before.observed);
    }
  }
  if (!variables.empty()) out += fmt::format(", with {}", fmt::join(variables, ", "));
  if (!source.empty()) out += fmt::format(" [{}]", source);
  return out;
}

}  // namespace lightcone
