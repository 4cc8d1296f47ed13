// Calls of gRPC that carry Lightcone's tag as metadata: interceptors for clients and for servers.
#pragma once

#include <grpcpp/support/client_interceptor.h>
#include <grpcpp/support/server_interceptor.h>
#include <lightcone/process.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

/// Services do not change: who makes the channel or the server registers the interceptors. A peer
/// without Lightcone can take part. It ignores the metadata, and its own calls have none.
///
/// A call makes two events on each side. The client sends the request and takes the response. The
/// server takes the request and sends the response with the status. In a stream, the metadata that
/// a server sends first carries a tag, too. Messages inside a stream have no metadata in gRPC, and
/// make no events.
namespace lightcone::grpc {

/// The metadata entry that carries a tag, in requests and in responses.
inline constexpr char metadata_key[] = "lightcone-bin";

/// How calls become events.
struct InterceptorOptions {
  /// Whether events carry labels. A server's are METHOD and `end METHOD`, a client's `call METHOD`
  /// and `return METHOD`; where the status is not OK, the later one also has `error`.
  bool labels = true;
  /// A longer tag is replaced by one that the receiver refuses and counts. gRPC refuses calls with
  /// more than 8 KiB of metadata, where binary entries take a third more, unless channel and server
  /// say otherwise (GRPC_ARG_MAX_METADATA_SIZE).
  std::size_t most_tag_bytes = 4096;
  /// Of a channel: the name of the process that serves it. Then calls can be counted, so that the
  /// process has a part in snapshots, and a monitor forgets calls that have arrived. Empty: which
  /// process takes a call is not known. A channel to several servers has no such name.
  std::string server = {};
};

using ClientInterceptors =
    std::vector<std::unique_ptr<::grpc::experimental::ClientInterceptorFactoryInterface>>;
using ServerInterceptors =
    std::vector<std::unique_ptr<::grpc::experimental::ServerInterceptorFactoryInterface>>;

/// For `grpc::experimental::CreateCustomChannelWithInterceptors`. The process must outlive the
/// channel and its calls. Others can be added at the end.
[[nodiscard]] ClientInterceptors client_interceptors(Process& process,
                                                     const InterceptorOptions& options = {});

/// For `grpc::ServerBuilder::experimental().SetInterceptorCreators`. The process must outlive the
/// server.
[[nodiscard]] ServerInterceptors server_interceptors(Process& process,
                                                     const InterceptorOptions& options = {});

}  // namespace lightcone::grpc
