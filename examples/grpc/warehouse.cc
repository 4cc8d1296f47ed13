// The services of the warehouse. Only `watched`, `Served` and `Busy` know of Lightcone.
#include "grpc/warehouse.h"

#include <grpcpp/grpcpp.h>

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "grpc/served.h"
#include "warehouse.grpc.pb.h"

namespace examples {
namespace {

using grpc::ServerContext;
using grpc::Status;
using warehouse::Done;
using warehouse::Order;

constexpr std::array process_names = {"customer", "gateway", "orders",
                                      "stock",    "billing", "shipping"};

/// What the services log, one line at a time.
struct WarehouseLog {
  void log(const std::string& line) {
    const std::lock_guard lock(mutex);
    if (run.log) run.log(line);
  }
  const WarehouseRun& run;
  std::mutex mutex = {};
};

/// A process is busy as long as this lives.
class Busy {
 public:
  Busy(lightcone::Process& process, WarehouseLog& around, std::string what)
      : process_(process), around_(around), what_(std::move(what)) {
    around_.log(what_ + " begins");
    process_.event({.labels = {what_}, .variables = {{"busy", std::int64_t{1}}}});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ~Busy() {
    process_.event({.labels = {what_ + " done"}, .variables = {{"busy", std::int64_t{0}}}});
    around_.log(what_ + " ends");
  }

 private:
  lightcone::Process& process_;
  WarehouseLog& around_;
  std::string what_;
};

/// Calls a method of another service.
template <class Stub, class Method>
Status call(Stub& stub, Method method, const Order& order) {
  grpc::ClientContext context;
  Done done;
  return (stub.*method)(&context, order, &done);
}

class ShippingService final : public warehouse::Shipping::Service {
 public:
  ShippingService(lightcone::Process& process, WarehouseLog& around)
      : process_(process), around_(around) {}

 private:
  Status Ship(ServerContext*, const Order*, Done*) override {
    const Busy busy(process_, around_, "shipping");
    return Status::OK;
  }
  lightcone::Process& process_;
  WarehouseLog& around_;
};

class BillingService final : public warehouse::Billing::Service {
 public:
  BillingService(lightcone::Process& process, WarehouseLog& around)
      : process_(process), around_(around) {}

 private:
  Status Charge(ServerContext*, const Order*, Done*) override { return Status::OK; }
  Status Refund(ServerContext*, const Order*, Done*) override {
    const Busy busy(process_, around_, "refund");
    return Status::OK;
  }
  lightcone::Process& process_;
  WarehouseLog& around_;
};

/// Hands orders to the shipping service, and does not wait for it.
class StockService final : public warehouse::Stock::Service {
 public:
  explicit StockService(const std::shared_ptr<grpc::Channel>& shipping)
      : shipping_(warehouse::Shipping::NewStub(shipping)) {}
  ~StockService() override { wait(); }
  /// Waits until the order has left.
  void wait() {
    const std::lock_guard lock(mutex_);
    if (hands_over_.joinable()) hands_over_.join();
  }

 private:
  Status Reserve(ServerContext*, const Order* order, Done*) override {
    const std::lock_guard lock(mutex_);
    hands_over_ = std::thread([this, copy = *order] {
      static_cast<void>(call(*shipping_, &warehouse::Shipping::Stub::Ship, copy));
    });
    return Status::OK;
  }
  Status Recall(ServerContext*, const Order*, Done*) override {
    wait();
    return Status::OK;
  }

  std::unique_ptr<warehouse::Shipping::Stub> shipping_;
  std::mutex mutex_;
  std::thread hands_over_;
};

class OrdersService final : public warehouse::Orders::Service {
 public:
  OrdersService(const std::shared_ptr<grpc::Channel>& stock,
                const std::shared_ptr<grpc::Channel>& billing, bool careful)
      : stock_(warehouse::Stock::NewStub(stock)),
        billing_(warehouse::Billing::NewStub(billing)),
        careful_(careful) {}

 private:
  Status Accept(ServerContext*, const Order* order, Done*) override {
    if (Status done = call(*stock_, &warehouse::Stock::Stub::Reserve, *order); !done.ok()) {
      return done;
    }
    return call(*billing_, &warehouse::Billing::Stub::Charge, *order);
  }
  Status Cancel(ServerContext*, const Order* order, Done*) override {
    if (careful_) {
      Status done = call(*stock_, &warehouse::Stock::Stub::Recall, *order);
      if (!done.ok()) return done;
    }
    return call(*billing_, &warehouse::Billing::Stub::Refund, *order);
  }

  std::unique_ptr<warehouse::Stock::Stub> stock_;
  std::unique_ptr<warehouse::Billing::Stub> billing_;
  bool careful_;
};

class GatewayService final : public warehouse::Gateway::Service {
 public:
  explicit GatewayService(const std::shared_ptr<grpc::Channel>& orders)
      : orders_(warehouse::Orders::NewStub(orders)) {}

 private:
  Status Buy(ServerContext*, const Order* order, Done*) override {
    return call(*orders_, &warehouse::Orders::Stub::Accept, *order);
  }
  Status Regret(ServerContext*, const Order* order, Done*) override {
    return call(*orders_, &warehouse::Orders::Stub::Cancel, *order);
  }

  std::unique_ptr<warehouse::Orders::Stub> orders_;
};

[[nodiscard]] lightcone::Expected<std::unique_ptr<lightcone::Process>> watched(
    const WarehouseRun& run, const char* name) {
  lightcone::ProcessOptions options;
  options.name = name;
  options.members = {process_names.begin(), process_names.end()};
  options.traces = run.traces;
  options.report_to = run.report_to;
  options.report_execution = run.execution;
  return lightcone::Process::start(std::move(options), {.variables = {{"busy", std::int64_t{0}}}});
}

/// Buys, waits until the order has left for certain, and regrets it.
[[nodiscard]] Status buy_and_regret(warehouse::Gateway::Stub& gateway, StockService& stock) {
  Order order;
  order.set_number(17);
  if (Status bought = call(gateway, &warehouse::Gateway::Stub::Buy, order); !bought.ok()) {
    return bought;
  }
  stock.wait();
  return call(gateway, &warehouse::Gateway::Stub::Regret, order);
}

}  // namespace

lightcone::Expected<void> handle_order(const WarehouseRun& run) {
  std::array<std::unique_ptr<lightcone::Process>, process_names.size()> processes;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    auto process = watched(run, process_names[i]);
    if (!process) return lightcone::failure(process.error());
    processes[i] = std::move(*process);
  }
  auto& [customer, gateway, orders, stock, billing, shipping] = processes;
  WarehouseLog around{run};
  ShippingService shipping_service(*shipping, around);
  BillingService billing_service(*billing, around);
  const Served ships(shipping_service, *shipping), bills(billing_service, *billing);
  StockService stock_service(ships.channel_of(*stock));
  const Served keeps(stock_service, *stock);
  OrdersService orders_service(keeps.channel_of(*orders), bills.channel_of(*orders), run.careful);
  const Served accepts(orders_service, *orders);
  GatewayService gateway_service(accepts.channel_of(*gateway));
  const Served opens(gateway_service, *gateway);
  const Status done =
      buy_and_regret(*warehouse::Gateway::NewStub(opens.channel_of(*customer)), stock_service);
  if (!done.ok()) return lightcone::failure(done.error_message());
  return {};
}

}  // namespace examples
