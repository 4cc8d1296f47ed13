// Calls libnats, and turns its statuses into errors.
#include "nats/nats_link.h"

#include <fmt/format.h>
#include <nats/nats.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lightcone::service {
namespace {

constexpr std::int64_t call_milliseconds = 2000;
constexpr std::int64_t largest_message = 1 << 20;  // the default of nats-server
constexpr std::int64_t fetch_milliseconds = 250;
constexpr int most_fetched = 200;
constexpr std::int64_t second = 1'000'000'000;  // as libnats counts
constexpr const char* client_header = "Lightcone-Client";
constexpr const char* spans_header = "Lightcone-Spans";

/// An object of libnats that is destroyed with this one.
template <typename Object, auto destroy>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { destroy(object_); }
  [[nodiscard]] Object** place() { return &object_; }
  [[nodiscard]] Object* get() const { return object_; }

 private:
  Object* object_ = nullptr;
};
using OwnedMessage = Owned<natsMsg, natsMsg_Destroy>;
using OwnedEntry = Owned<kvEntry, kvEntry_Destroy>;
using OwnedAck = Owned<jsPubAck, jsPubAck_Destroy>;
using OwnedMetaData = Owned<jsMsgMetaData, jsMsgMetaData_Destroy>;
using OwnedConsumerInfo = Owned<jsConsumerInfo, jsConsumerInfo_Destroy>;
using OwnedStreamInfo = Owned<jsStreamInfo, jsStreamInfo_Destroy>;
using OwnedOptions = Owned<natsOptions, natsOptions_Destroy>;

void destroy_subscription(natsSubscription* subscription) {
  static_cast<void>(natsSubscription_Unsubscribe(subscription));
  natsSubscription_Destroy(subscription);
}
using OwnedSubscription = Owned<natsSubscription, destroy_subscription>;

[[nodiscard]] tl::unexpected<Error> nats_failure(std::string_view what, natsStatus status) {
  const char* const last = nats_GetLastError(nullptr);
  const bool says_more = last != nullptr && *last != '\0';
  return failure(fmt::format("NATS: {}: {}", what, says_more ? last : natsStatus_GetText(status)));
}

[[nodiscard]] std::string text_of(natsMsg* message) {
  return {natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))};
}

[[nodiscard]] bool has_spans(natsMsg* message) {
  const char* value = nullptr;
  return natsMsgHeader_Get(message, spans_header, &value) == NATS_OK;
}

[[nodiscard]] std::string client_of(natsMsg* message) {
  const char* value = nullptr;
  if (natsMsgHeader_Get(message, client_header, &value) != NATS_OK || value == nullptr) return {};
  return value;
}

/// Makes a stream, unless there is one.
[[nodiscard]] Expected<void> ensure_stream(jsCtx* context, const std::string& name,
                                           const std::string& subjects) {
  OwnedStreamInfo info;
  jsErrCode code = {};
  natsStatus status = js_GetStreamInfo(info.place(), context, name.c_str(), nullptr, &code);
  if (status == NATS_OK) return {};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  const char* subject = subjects.c_str();
  config.Name = name.c_str();
  config.Subjects = &subject;
  config.SubjectsLen = 1;
  config.Storage = js_FileStorage;
  config.Duplicates = 120 * second;
  OwnedStreamInfo made;
  status = js_AddStream(made.place(), context, &config, nullptr, &code);
  if (status != NATS_OK) {
    return nats_failure(fmt::format("the stream `{}` cannot be made", name), status);
  }
  return {};
}

}  // namespace

class NatsLink::Core {
 public:
  explicit Core(StreamNames given) : names(std::move(given)) {}
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core() {
    kvStore_Destroy(bucket);
    jsCtx_Destroy(context);
    natsConnection_Destroy(connection);
  }

  [[nodiscard]] Expected<void> connect(const std::string& url) {
    OwnedOptions options;
    natsStatus status = natsOptions_Create(options.place());
    if (status == NATS_OK) status = natsOptions_SetURL(options.get(), url.c_str());
    if (status == NATS_OK) status = natsOptions_SetName(options.get(), "lightcone-monitor");
    if (status == NATS_OK) status = natsOptions_SetMaxReconnect(options.get(), -1);
    if (status == NATS_OK) status = natsOptions_SetReconnectWait(options.get(), 100);
    // A message that cannot be sent now is sent again by whoever sends it, not by the library.
    if (status == NATS_OK) status = natsOptions_SetReconnectBufSize(options.get(), 1);
    if (status == NATS_OK) status = natsOptions_SetPingInterval(options.get(), 5000);
    if (status == NATS_OK) status = natsConnection_Connect(&connection, options.get());
    if (status != NATS_OK) return nats_failure("no connection", status);
    const std::int64_t most = natsConnection_GetMaxPayload(connection);
    if (most < largest_message) {
      return failure(fmt::format("it takes messages of {} bytes at most, where {} are needed", most,
                                 largest_message));
    }
    jsOptions wait;
    jsOptions_Init(&wait);
    wait.Wait = call_milliseconds;
    status = natsConnection_JetStream(&context, connection, &wait);
    if (status != NATS_OK) return nats_failure("JetStream", status);
    for (const auto& [name, subjects] : {std::pair(names.events(), names.all_events()),
                                         std::pair(names.verdicts(), names.all_verdicts())}) {
      if (auto made = ensure_stream(context, name, subjects); !made) return made;
    }
    return open_bucket();
  }

  [[nodiscard]] Expected<void> open_bucket() {
    if (js_KeyValue(&bucket, context, names.bucket().c_str()) == NATS_OK) return {};
    kvConfig config;
    kvConfig_Init(&config);
    config.Bucket = names.bucket().c_str();
    config.History = 1;
    const natsStatus status = js_CreateKeyValue(&bucket, context, &config);
    if (status == NATS_OK) return {};
    return nats_failure(fmt::format("the bucket `{}` cannot be made", names.bucket()), status);
  }

  [[nodiscard]] natsStatus publish(const OutgoingMessage& message, jsPubOptions& options,
                                   OwnedAck& ack, jsErrCode& code) const {
    OwnedMessage outgoing;
    natsStatus status =
        natsMsg_Create(outgoing.place(), message.subject.c_str(), nullptr, message.bytes.data(),
                       static_cast<int>(message.bytes.size()));
    if (status == NATS_OK && message.is_spans) {
      status = natsMsgHeader_Set(outgoing.get(), spans_header, "protobuf");
    }
    if (status == NATS_OK && !message.client.empty()) {
      status = natsMsgHeader_Set(outgoing.get(), client_header, message.client.c_str());
    }
    if (!message.id.empty()) options.MsgId = message.id.c_str();
    options.MaxWait = call_milliseconds;
    if (status != NATS_OK) return status;
    return js_PublishMsg(ack.place(), context, outgoing.get(), &options, &code);
  }

  StreamNames names;
  natsConnection* connection = nullptr;
  jsCtx* context = nullptr;
  kvStore* bucket = nullptr;
};

NatsLink::NatsLink(std::unique_ptr<Core> core) : core_(std::move(core)) {}
NatsLink::~NatsLink() = default;

Expected<std::unique_ptr<NatsLink>> NatsLink::connect(const std::string& url, StreamNames names) {
  auto core = std::make_unique<Core>(std::move(names));
  if (auto connected = core->connect(url); !connected) {
    Error error = connected.error();
    error.file = url;
    error.hint = "nats-server has to run with JetStream: `nats-server -js`";
    return failure(std::move(error));
  }
  return std::unique_ptr<NatsLink>(new NatsLink(std::move(core)));
}

const StreamNames& NatsLink::names() const { return core_->names; }

bool NatsLink::is_connected() const {
  return natsConnection_Status(core_->connection) == NATS_CONN_STATUS_CONNECTED;
}

Expected<void> NatsLink::publish(const OutgoingMessage& message) {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  OwnedAck ack;
  jsErrCode code = {};
  const natsStatus status = core_->publish(message, options, ack, code);
  if (status != NATS_OK) return nats_failure("a message cannot be stored", status);
  return {};
}

Expected<std::optional<std::uint64_t>> NatsLink::publish_after(const OutgoingMessage& message,
                                                               std::uint64_t last) {
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.ExpectLastSubjectSeq = last;
  options.ExpectNoMessage = last == 0;
  OwnedAck ack;
  jsErrCode code = {};
  const natsStatus status = core_->publish(message, options, ack, code);
  // The server looks for the id before it compares numbers: somebody else published the same.
  if (status == NATS_OK && ack.get()->Duplicate) return std::nullopt;
  if (status == NATS_OK) return ack.get()->Sequence;
  if (code == JSStreamWrongLastSequenceErr) return std::nullopt;
  return nats_failure("a verdict cannot be stored", status);
}

Expected<std::uint64_t> NatsLink::last_of(const std::string& stream, const std::string& subject) {
  OwnedMessage message;
  jsErrCode code = {};
  const natsStatus status = js_GetLastMsg(message.place(), core_->context, stream.c_str(),
                                          subject.c_str(), nullptr, &code);
  if (status == NATS_NOT_FOUND || code == JSNoMessageFoundErr) return 0;
  if (status != NATS_OK) return nats_failure("the last message cannot be read", status);
  return natsMsg_GetSequence(message.get());
}

Expected<void> NatsLink::read(const std::string& stream, const std::string& subject,
                              std::uint64_t first, std::uint64_t last,
                              const std::function<void(const StreamMessage&)>& take) {
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream.c_str();
  options.Ordered = true;
  options.Config.DeliverPolicy = js_DeliverByStartSequence;
  options.Config.OptStartSeq = first;
  OwnedSubscription subscription;
  jsErrCode code = {};
  natsStatus status = js_SubscribeSync(subscription.place(), core_->context, subject.c_str(),
                                       nullptr, &options, &code);
  if (status != NATS_OK) return nats_failure("messages cannot be read", status);
  for (std::uint64_t at = 0; at < last;) {
    OwnedMessage message;
    status = natsSubscription_NextMsg(message.place(), subscription.get(), call_milliseconds);
    if (status != NATS_OK) return nats_failure("messages cannot be read", status);
    OwnedMetaData about;
    status = natsMsg_GetMetaData(about.place(), message.get());
    if (status != NATS_OK) return nats_failure("a message cannot be read", status);
    at = about.get()->Sequence.Stream;
    take({at, client_of(message.get()), text_of(message.get()), has_spans(message.get())});
  }
  return {};
}

Expected<void> NatsLink::remove_before(const std::string& stream, const std::string& subject,
                                       std::uint64_t first) {
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = call_milliseconds;
  options.Stream.Purge.Subject = subject.c_str();
  options.Stream.Purge.Sequence = first;
  jsErrCode code = {};
  const natsStatus status = js_PurgeStream(core_->context, stream.c_str(), &options, &code);
  if (status != NATS_OK) return nats_failure("old messages cannot be removed", status);
  return {};
}

Expected<std::optional<BucketEntry>> NatsLink::get(const std::string& key) {
  OwnedEntry entry;
  const natsStatus status = kvStore_Get(entry.place(), core_->bucket, key.c_str());
  if (status == NATS_NOT_FOUND) return std::nullopt;
  if (status != NATS_OK) return nats_failure(fmt::format("`{}` cannot be read", key), status);
  const auto* const value = static_cast<const char*>(kvEntry_Value(entry.get()));
  const auto size = static_cast<std::size_t>(kvEntry_ValueLen(entry.get()));
  return BucketEntry{std::string(value, size), kvEntry_Revision(entry.get())};
}

Expected<std::optional<std::uint64_t>> NatsLink::put_after(const std::string& key,
                                                           const std::string& value,
                                                           std::uint64_t last) {
  std::uint64_t revision = 0;
  const int size = static_cast<int>(value.size());
  const natsStatus status =
      last == 0 ? kvStore_Create(&revision, core_->bucket, key.c_str(), value.data(), size)
                : kvStore_Update(&revision, core_->bucket, key.c_str(), value.data(), size, last);
  if (status == NATS_OK) return revision;
  const auto why = nats_failure(fmt::format("`{}` cannot be written", key), status);
  const auto now = get(key);
  if (now && (*now ? (*now)->revision : 0) != last) return std::nullopt;
  return why;
}

Expected<void> NatsLink::put(const std::string& key, const std::string& value) {
  const natsStatus status = kvStore_Put(nullptr, core_->bucket, key.c_str(), value.data(),
                                        static_cast<int>(value.size()));
  if (status != NATS_OK) return nats_failure(fmt::format("`{}` cannot be written", key), status);
  return {};
}

Expected<void> NatsLink::remove(const std::string& key) {
  const natsStatus status = kvStore_Purge(core_->bucket, key.c_str(), nullptr);
  if (status != NATS_OK) return nats_failure(fmt::format("`{}` cannot be removed", key), status);
  return {};
}

Expected<std::vector<std::string>> NatsLink::keys() {
  kvKeysList list = {};
  const natsStatus status = kvStore_Keys(&list, core_->bucket, nullptr);
  std::vector<std::string> names;
  if (status == NATS_NOT_FOUND) return names;
  if (status != NATS_OK) return nats_failure("the bucket cannot be read", status);
  for (int i = 0; i < list.Count; ++i) names.emplace_back(list.Keys[i]);
  kvKeysList_Destroy(&list);
  return names;
}

Expected<void> NatsLink::tell(const std::string& subject, const std::string& bytes,
                              const std::string& reply) {
  const int size = static_cast<int>(bytes.size());
  const natsStatus status =
      reply.empty() ? natsConnection_Publish(core_->connection, subject.c_str(), bytes.data(), size)
                    : natsConnection_PublishRequest(core_->connection, subject.c_str(),
                                                    reply.c_str(), bytes.data(), size);
  if (status != NATS_OK) return nats_failure("a question cannot be sent", status);
  return {};
}

struct NatsListener::Subscription {
  OwnedSubscription handle;
};

NatsListener::NatsListener(std::unique_ptr<Subscription> subscription, Hear hear)
    : subscription_(std::move(subscription)), hear_(std::move(hear)), thread_([this] { run(); }) {}

NatsListener::~NatsListener() {
  stops_ = true;
  thread_.join();
}

Expected<std::unique_ptr<NatsListener>> NatsListener::start(NatsLink& link,
                                                            const std::string& subject, Hear hear) {
  auto subscription = std::make_unique<Subscription>();
  const natsStatus status = natsConnection_SubscribeSync(subscription->handle.place(),
                                                         link.core_->connection, subject.c_str());
  if (status != NATS_OK) return nats_failure("questions cannot be heard", status);
  return std::unique_ptr<NatsListener>(new NatsListener(std::move(subscription), std::move(hear)));
}

/// A subscription outlives a connection that breaks.
void NatsListener::run() {
  while (!stops_) {
    OwnedMessage message;
    const natsStatus status =
        natsSubscription_NextMsg(message.place(), subscription_->handle.get(), fetch_milliseconds);
    if (status == NATS_OK) {
      const char* const reply = natsMsg_GetReply(message.get());
      hear_(text_of(message.get()), reply == nullptr ? std::string() : std::string(reply));
    } else if (status != NATS_TIMEOUT) {
      std::this_thread::sleep_for(std::chrono::milliseconds(fetch_milliseconds));
    }
  }
}

struct NatsConsumer::Subscription {
  OwnedSubscription handle;
  OwnedMessage last;  // that was fetched, and stands for all before it
};

NatsConsumer::NatsConsumer(NatsLink& link, std::string name,
                           std::unique_ptr<Subscription> subscription)
    : link_(link), name_(std::move(name)), subscription_(std::move(subscription)) {}
NatsConsumer::~NatsConsumer() = default;

Expected<std::unique_ptr<NatsConsumer>> NatsConsumer::start(NatsLink& link, std::uint32_t partition,
                                                            std::uint64_t first) {
  const std::string name = StreamNames::consumer_of(partition);
  const std::string stream = link.names().events(), subject = link.names().events_of(partition);
  jsCtx* const context = link.core_->context;
  jsErrCode code = {};
  natsStatus status = js_DeleteConsumer(context, stream.c_str(), name.c_str(), nullptr, &code);
  if (status != NATS_OK && code != JSConsumerNotFoundErr) {
    return nats_failure("a consumer cannot be made anew", status);
  }
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.Durable = name.c_str();
  config.FilterSubject = subject.c_str();
  config.DeliverPolicy = js_DeliverByStartSequence;
  config.OptStartSeq = first;
  config.AckPolicy = js_AckAll;
  config.AckWait = 24 * 3600 * second;  // nothing comes twice: who takes over begins anew
  config.MaxAckPending = 100'000;
  status = js_AddConsumer(nullptr, context, stream.c_str(), &config, nullptr, &code);
  if (status != NATS_OK) return nats_failure("a consumer cannot be made", status);
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream.c_str();
  options.Consumer = name.c_str();
  auto subscription = std::make_unique<Subscription>();
  status = js_PullSubscribe(subscription->handle.place(), context, subject.c_str(), name.c_str(),
                            nullptr, &options, &code);
  if (status != NATS_OK) return nats_failure("a consumer cannot be used", status);
  return std::unique_ptr<NatsConsumer>(new NatsConsumer(link, name, std::move(subscription)));
}

Expected<std::vector<StreamMessage>> NatsConsumer::fetch_one() {
  natsMsgList list = {};
  jsErrCode code = {};
  const natsStatus status =
      natsSubscription_Fetch(&list, subscription_->handle.get(), 1, fetch_milliseconds, &code);
  if (status != NATS_OK && status != NATS_TIMEOUT) {
    return nats_failure("messages do not come", status);
  }
  if (list.Count > 0) return take(list);
  if (auto checked = check_idle(); !checked) return failure(checked.error());
  return std::vector<StreamMessage>();
}

Expected<std::vector<StreamMessage>> NatsConsumer::fetch_pending(std::size_t bytes) {
  natsMsgList list = {};
  jsFetchRequest request;
  jsFetchRequest_Init(&request);
  request.Batch = static_cast<int>(std::min<std::uint64_t>(pending_, most_fetched));
  request.MaxBytes = static_cast<std::int64_t>(bytes);
  request.Expires = fetch_milliseconds * (second / 1000);
  request.NoWait = true;
  const natsStatus status =
      natsSubscription_FetchRequest(&list, subscription_->handle.get(), &request);
  // None came: the next one is too large, or those that were pending were removed.
  if (status != NATS_OK) return fetch_one();
  return take(list);
}

/// The messages of the list, which is empty then.
Expected<std::vector<StreamMessage>> NatsConsumer::take(natsMsgList& list) {
  std::vector<StreamMessage> messages;
  bool is_gap = false;
  for (int i = 0; i < list.Count && !is_gap; ++i) {
    OwnedMessage message;
    *message.place() = std::exchange(list.Msgs[i], nullptr);
    OwnedMetaData about;
    is_gap = natsMsg_GetMetaData(about.place(), message.get()) != NATS_OK ||
             about.get()->Sequence.Consumer != ++fetched_;
    if (is_gap) break;
    pending_ = about.get()->NumPending;
    messages.push_back({about.get()->Sequence.Stream, client_of(message.get()),
                        text_of(message.get()), has_spans(message.get())});
    if (i + 1 == list.Count) std::swap(*subscription_->last.place(), *message.place());
  }
  natsMsgList_Destroy(&list);
  if (is_gap) return failure("NATS: somebody else takes messages of this partition");
  idle_ = 0;
  return messages;
}

/// Messages may be lost between the server and here when a connection breaks.
Expected<void> NatsConsumer::check_idle() {
  constexpr int look_every = 8;
  pending_ = 0;
  if (++idle_ % look_every != 0) return {};
  OwnedConsumerInfo info;
  jsErrCode code = {};
  const natsStatus status =
      js_GetConsumerInfo(info.place(), link_.core_->context, link_.names().events().c_str(),
                         name_.c_str(), nullptr, &code);
  if (status != NATS_OK) return nats_failure("a consumer cannot be asked", status);
  if (info.get()->Delivered.Consumer != fetched_) return failure("NATS: messages were lost");
  return {};
}

void NatsConsumer::acknowledge() {
  if (subscription_->last.get() == nullptr) return;
  static_cast<void>(natsMsg_Ack(subscription_->last.get(), nullptr));
  natsMsg_Destroy(std::exchange(*subscription_->last.place(), nullptr));
}

}  // namespace lightcone::service
