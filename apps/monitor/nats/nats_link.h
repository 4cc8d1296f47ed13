// A connection to NATS with its streams and its bucket; what it needs of libnats is in its source
// alone.
#pragma once

#include <lightcone/error.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "nats/partition.h"
#include "nats/partition_names.h"

struct natsMsgList;

namespace lightcone::service {

/// What is published. The server drops a message whose id it has seen in the last two minutes.
struct OutgoingMessage {
  std::string subject = {};
  std::string id = {};
  std::string client = {};  ///< empty: anyone
  std::string bytes = {};
  bool is_spans = false;  ///< not lines
};

/// A value of the bucket.
struct BucketEntry {
  std::string value = {};
  std::uint64_t revision = 0;
};

/// Safe to use from several threads. Calls wait for some seconds at most. A connection that breaks
/// is made again; until then calls fail.
class NatsLink {
 public:
  /// Connects, and makes the streams and the bucket if they are not there.
  [[nodiscard]] static Expected<std::unique_ptr<NatsLink>> connect(const std::string& url,
                                                                   StreamNames names);
  NatsLink(const NatsLink&) = delete;
  NatsLink& operator=(const NatsLink&) = delete;
  ~NatsLink();

  [[nodiscard]] const StreamNames& names() const;
  [[nodiscard]] bool is_connected() const;

  /// Returns when the stream has it.
  [[nodiscard]] Expected<void> publish(const OutgoingMessage& message);
  /// Publishes if `last` is the last message of the subject; 0: there is none. Returns its
  /// sequence number; nothing if somebody else published in between.
  [[nodiscard]] Expected<std::optional<std::uint64_t>> publish_after(const OutgoingMessage& message,
                                                                     std::uint64_t last);
  /// The sequence number of the last message of a subject; 0: there is none.
  [[nodiscard]] Expected<std::uint64_t> last_of(const std::string& stream,
                                                const std::string& subject);
  /// Reads the messages of a subject from `first` to `last`, which must be there.
  [[nodiscard]] Expected<void> read(const std::string& stream, const std::string& subject,
                                    std::uint64_t first, std::uint64_t last,
                                    const std::function<void(const StreamMessage&)>& take);
  /// Removes the messages of a subject before this one.
  [[nodiscard]] Expected<void> remove_before(const std::string& stream, const std::string& subject,
                                             std::uint64_t first);

  /// Tells those who listen to the subject now, and stores nothing. They may answer at `reply`.
  [[nodiscard]] Expected<void> tell(const std::string& subject, const std::string& bytes,
                                    const std::string& reply = {});

  [[nodiscard]] Expected<std::optional<BucketEntry>> get(const std::string& key);
  /// Sets a value if `last` is its revision; 0: there is none. Returns the new revision; nothing if
  /// somebody else was faster.
  [[nodiscard]] Expected<std::optional<std::uint64_t>> put_after(const std::string& key,
                                                                 const std::string& value,
                                                                 std::uint64_t last);
  [[nodiscard]] Expected<void> put(const std::string& key, const std::string& value);
  [[nodiscard]] Expected<void> remove(const std::string& key);
  [[nodiscard]] Expected<std::vector<std::string>> keys();

 private:
  class Core;
  friend class NatsConsumer;
  friend class NatsListener;
  explicit NatsLink(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

/// Hears what is told to a subject, in a thread of its own.
class NatsListener {
 public:
  /// Called with what was told, and where an answer is wanted; empty: nowhere.
  using Hear = std::function<void(const std::string& bytes, const std::string& reply)>;

  [[nodiscard]] static Expected<std::unique_ptr<NatsListener>> start(NatsLink& link,
                                                                     const std::string& subject,
                                                                     Hear hear);
  NatsListener(const NatsListener&) = delete;
  NatsListener& operator=(const NatsListener&) = delete;
  ~NatsListener();

 private:
  struct Subscription;
  NatsListener(std::unique_ptr<Subscription> subscription, Hear hear);
  void run();

  std::unique_ptr<Subscription> subscription_;
  Hear hear_;
  std::atomic<bool> stops_ = false;
  std::thread thread_;
};

/// The durable consumer of a partition. Messages come in order, and none is left out: if somebody
/// else takes one of them, `fetch` fails, and the consumer has to be made anew.
class NatsConsumer {
 public:
  /// The consumer begins with the message `first`, wherever it was.
  [[nodiscard]] static Expected<std::unique_ptr<NatsConsumer>> start(NatsLink& link,
                                                                     std::uint32_t partition,
                                                                     std::uint64_t first);
  NatsConsumer(const NatsConsumer&) = delete;
  NatsConsumer& operator=(const NatsConsumer&) = delete;
  ~NatsConsumer();

  /// Waits a short time for one message; there may be none.
  [[nodiscard]] Expected<std::vector<StreamMessage>> fetch_one();
  /// Messages that are pending, of so many bytes together. One that is larger comes alone.
  [[nodiscard]] Expected<std::vector<StreamMessage>> fetch_pending(std::size_t bytes);
  /// All that was fetched has been decided.
  void acknowledge();
  /// How many messages of the partition were not fetched yet, as far as known.
  [[nodiscard]] std::uint64_t pending() const { return pending_; }

 private:
  struct Subscription;
  NatsConsumer(NatsLink& link, std::string name, std::unique_ptr<Subscription> subscription);
  [[nodiscard]] Expected<std::vector<StreamMessage>> take(natsMsgList& list);
  [[nodiscard]] Expected<void> check_idle();

  NatsLink& link_;
  std::string name_;
  std::unique_ptr<Subscription> subscription_;
  std::uint64_t fetched_ = 0;  // messages, as the consumer counts them
  std::uint64_t pending_ = 0;
  int idle_ = 0;
};

}  // namespace lightcone::service
