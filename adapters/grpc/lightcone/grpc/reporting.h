// Processes that report to a monitor over gRPC.
#pragma once

#include <grpcpp/security/credentials.h>
#include <lightcone/transport.h>

#include <memory>

namespace lightcone::grpc {

/// For `ProcessOptions::report_over`: events go in a stream to the address `report_to`, where
/// `lightcone monitor --grpc` takes them. `report_token` is sent as `authorization: Bearer TOKEN`.
/// The credentials say whether and how TLS is spoken.
[[nodiscard]] ConnectToMonitor reporting(
    std::shared_ptr<::grpc::ChannelCredentials> credentials = ::grpc::InsecureChannelCredentials());

}  // namespace lightcone::grpc
