// A stream of lines to the service `lightcone.v1.Monitor`, by the generic calls of gRPC.
#include <lightcone/grpc/reporting.h>

#include <grpcpp/completion_queue.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace lightcone::grpc {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::system_clock;

constexpr milliseconds longest_connect{2000}, longest_send{10'000}, longest_farewell{2000};
constexpr char report_method[] = "/lightcone.v1.Monitor/Report";
constexpr char bytes_field[] = "\x0a";  // field 1, of a length that is said

/// EventBatch and EventAnswer (lightcone_monitor.proto) have one field with bytes.
[[nodiscard]] ::grpc::ByteBuffer message_with(std::string_view lines) {
  std::string head = bytes_field;
  for (std::uint64_t rest = lines.size();;) {
    const auto low = static_cast<unsigned char>(rest & 0x7f);
    rest >>= 7;
    head += static_cast<char>(rest == 0 ? low : low | 0x80);
    if (rest == 0) break;
  }
  const ::grpc::Slice slices[] = {::grpc::Slice(head), ::grpc::Slice(lines.data(), lines.size())};
  return {slices, 2};
}

/// Returns the first field; nothing if the message has another form.
[[nodiscard]] std::optional<std::string> field_of(const ::grpc::ByteBuffer& message) {
  ::grpc::Slice slice;
  if (!message.DumpToSingleSlice(&slice).ok()) return std::nullopt;
  std::string_view bytes(reinterpret_cast<const char*>(slice.begin()), slice.size());
  if (!bytes.starts_with(bytes_field)) return std::nullopt;
  bytes.remove_prefix(1);
  std::uint64_t size = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    size |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80)
      return size <= bytes.size() ? std::optional(std::string(bytes.substr(0, size)))
                                  : std::nullopt;
  }
  return std::nullopt;
}

/// Text as a string of JSON.
[[nodiscard]] std::string quoted(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return json + '"';
}

/// What the end of a stream says, as a line that the monitor might have written; empty: nothing.
[[nodiscard]] std::string line_of(const ::grpc::Status& status) {
  using enum ::grpc::StatusCode;
  const ::grpc::StatusCode code = status.error_code();
  const bool is_for_now = code == RESOURCE_EXHAUSTED;
  if (!is_for_now && code != UNAUTHENTICATED && code != PERMISSION_DENIED &&
      code != INVALID_ARGUMENT && code != UNIMPLEMENTED) {
    return {};
  }
  return "{\"refused\": " + quoted(status.error_message()) +
         (is_for_now ? ", \"again\": true}" : "}");
}

/// One stream. What was begun is waited for here, in the thread that calls.
class StreamConnection final : public MonitorConnection {
 public:
  StreamConnection(const std::shared_ptr<::grpc::Channel>& channel, const std::string& token)
      : stub_(channel) {
    if (!token.empty()) context_.AddMetadata("authorization", "Bearer " + token);
    stream_ = stub_.PrepareCall(&context_, report_method, &queue_);
    begin(StreamCall::start);
    stream_->StartCall(tag_of(StreamCall::start));
    const bool has_begun = wait_for(StreamCall::start, longest_connect);
    if (has_begun) {
      read_next();
    } else if (is_open_) {
      close();
    }
  }
  ~StreamConnection() override {
    if (is_open_) {
      begin(StreamCall::write);
      stream_->WritesDone(tag_of(StreamCall::write));
      // Until the monitor has read all, and ends the stream.
      const auto end = Clock::now() + longest_farewell;
      while (is_open_ && take_event(end)) {
      }
    }
    context_.TryCancel();
    queue_.Shutdown();
    void* tag = nullptr;
    for (bool is_good = false; queue_.Next(&tag, &is_good);) {
    }
  }

  [[nodiscard]] bool is_open() const override { return is_open_; }
  [[nodiscard]] std::string trouble() const override { return trouble_; }

  void send(std::string_view lines) override {
    if (!is_open_ || lines.empty()) return;
    begin(StreamCall::write);
    stream_->Write(message_with(lines), tag_of(StreamCall::write));
    if (!wait_for(StreamCall::write, longest_send)) close();
  }

  [[nodiscard]] std::vector<std::string> receive(milliseconds patience) override {
    const auto end = Clock::now() + patience;
    while (is_open_ && lines_.empty() && take_event(end)) {
    }
    return std::exchange(lines_, {});
  }

 private:
  enum class StreamCall : std::uint8_t { start, write, read, finish };
  static constexpr std::size_t steps = 4;

  [[nodiscard]] static void* tag_of(StreamCall step) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(step) + 1);
  }
  void begin(StreamCall step) { is_under_way_[static_cast<std::size_t>(step)] = true; }
  [[nodiscard]] bool is_under_way(StreamCall step) const {
    return is_under_way_[static_cast<std::size_t>(step)];
  }

  /// False: nothing more came in time.
  bool take_event(Clock::time_point end) {
    void* tag = nullptr;
    bool is_good = false;
    if (queue_.AsyncNext(&tag, &is_good, end) != ::grpc::CompletionQueue::GOT_EVENT) return false;
    const auto step = static_cast<StreamCall>(reinterpret_cast<std::uintptr_t>(tag) - 1);
    is_under_way_[static_cast<std::size_t>(step)] = false;
    if (step == StreamCall::finish) {
      end_with(status_);
    } else if (!is_good) {
      ask_for_end();
    } else if (step == StreamCall::read) {
      if (auto line = field_of(read_)) lines_.push_back(std::move(*line));
      read_next();
    }
    return true;
  }

  void read_next() {
    begin(StreamCall::read);
    stream_->Read(&read_, tag_of(StreamCall::read));
  }

  /// The stream has ended: its status says why.
  void ask_for_end() {
    if (is_ending_) return;
    is_ending_ = true;
    begin(StreamCall::finish);
    stream_->Finish(&status_, tag_of(StreamCall::finish));
  }

  void end_with(const ::grpc::Status& status) {
    is_open_ = false;
    if (auto line = line_of(status); !line.empty()) {
      lines_.push_back(std::move(line));
    } else if (!status.ok()) {
      trouble_ = status.error_message();
    }
  }

  /// False: it was not done in time, or the stream has ended.
  [[nodiscard]] bool wait_for(StreamCall step, milliseconds patience) {
    const auto end = Clock::now() + patience;
    while (is_open_ && (is_under_way(step) || is_ending_)) {
      if (!take_event(end)) return false;
    }
    return is_open_;
  }

  void close() {
    is_open_ = false;
    context_.TryCancel();
  }

  ::grpc::GenericStub stub_;
  ::grpc::ClientContext context_;
  ::grpc::CompletionQueue queue_;
  std::unique_ptr<::grpc::GenericClientAsyncReaderWriter> stream_;
  ::grpc::ByteBuffer read_;
  ::grpc::Status status_;
  bool is_under_way_[steps] = {};
  bool is_open_ = true, is_ending_ = false;
  std::vector<std::string> lines_;
  std::string trouble_;
};

}  // namespace

ConnectToMonitor reporting(std::shared_ptr<::grpc::ChannelCredentials> credentials) {
  return
      [credentials = std::move(credentials)](const std::string& address, const std::string& token) {
        // A channel that has failed tries again when it wants to. The reporter knows when.
        ::grpc::ChannelArguments arguments;
        arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
        return std::make_unique<StreamConnection>(
            ::grpc::CreateCustomChannel(address, credentials, arguments), token);
      };
}

}  // namespace lightcone::grpc
