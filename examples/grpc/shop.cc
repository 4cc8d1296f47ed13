// The services of the shop. Only `watched` and `Served` know of Lightcone.
#include "grpc/shop.h"

#include <grpcpp/grpcpp.h>

#include <array>
#include <memory>
#include <utility>

#include "grpc/served.h"
#include "shop.grpc.pb.h"

namespace examples {
namespace {

using grpc::Status;

constexpr std::int64_t most_cents = 10'000;
constexpr std::array process_names = {"customer", "shop", "authoriser", "payments"};

class AuthoriserService final : public shop::Authoriser::Service {
  Status Authorise(grpc::ServerContext*, const shop::Order* order, shop::Answer* answer) override {
    answer->set_accepted(order->cents() <= most_cents);
    return Status::OK;
  }
};

class PaymentsService final : public shop::Payments::Service {
  Status Charge(grpc::ServerContext*, const shop::Order*, shop::Answer* answer) override {
    answer->set_accepted(true);
    return Status::OK;
  }
};

class ShopService final : public shop::Shop::Service {
 public:
  ShopService(const std::shared_ptr<grpc::Channel>& authoriser,
              const std::shared_ptr<grpc::Channel>& payments, bool bug)
      : authoriser_(shop::Authoriser::NewStub(authoriser)),
        payments_(shop::Payments::NewStub(payments)),
        bug_(bug) {}

 private:
  Status PlaceOrder(grpc::ServerContext*, const shop::Order* order, shop::Answer* answer) override {
    return bug_ ? place_at_once(*order, *answer) : place_in_turn(*order, *answer);
  }

  Status place_in_turn(const shop::Order& order, shop::Answer& answer) {
    grpc::ClientContext context;
    if (Status done = authoriser_->Authorise(&context, order, &answer); !done.ok()) return done;
    return answer.accepted() ? charge(order, answer) : Status::OK;
  }

  /// It saves a round trip. The authoriser gets its request first, and all orders of honest
  /// customers are answered as before.
  Status place_at_once(const shop::Order& order, shop::Answer& answer) {
    grpc::ClientContext context;
    grpc::CompletionQueue queue;
    const auto call = authoriser_->AsyncAuthorise(&context, order, &queue);
    shop::Answer authorised;
    Status asked;
    call->Finish(&authorised, &asked, nullptr);
    Status done = charge(order, answer);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    answer.set_accepted(answer.accepted() && authorised.accepted());
    return asked.ok() ? done : asked;
  }

  Status charge(const shop::Order& order, shop::Answer& answer) {
    grpc::ClientContext context;
    return payments_->Charge(&context, order, &answer);
  }

  std::unique_ptr<shop::Authoriser::Stub> authoriser_;
  std::unique_ptr<shop::Payments::Stub> payments_;
  bool bug_;
};

[[nodiscard]] lightcone::Expected<std::unique_ptr<lightcone::Process>> watched(const ShopRun& run,
                                                                               const char* name) {
  lightcone::ProcessOptions options;
  options.name = name;
  options.members = {process_names.begin(), process_names.end()};
  options.properties = run.properties;
  options.traces = run.traces;
  options.on_detection = run.on_detection;
  return lightcone::Process::start(std::move(options));
}

[[nodiscard]] int placed(shop::Shop::Stub& stub, int orders) {
  int accepted = 0;
  for (int i = 1; i <= orders; ++i) {
    shop::Order order;
    order.set_customer("customer " + std::to_string(i));
    order.set_cents(100 * i);
    grpc::ClientContext context;
    shop::Answer answer;
    if (stub.PlaceOrder(&context, order, &answer).ok() && answer.accepted()) ++accepted;
  }
  return accepted;
}

}  // namespace

lightcone::Expected<int> accepted_orders(const ShopRun& run) {
  std::array<std::unique_ptr<lightcone::Process>, process_names.size()> processes;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    auto process = watched(run, process_names[i]);
    if (!process) return lightcone::failure(process.error());
    processes[i] = std::move(*process);
  }
  auto& [customer, shop, authoriser, payments] = processes;
  AuthoriserService authoriser_service;
  PaymentsService payments_service;
  const Served authorises(authoriser_service, *authoriser), charges(payments_service, *payments);
  ShopService shop_service(authorises.channel_of(*shop), charges.channel_of(*shop), run.bug);
  const Served sells(shop_service, *shop);
  return placed(*shop::Shop::NewStub(sells.channel_of(*customer)), run.orders);
}

}  // namespace examples
