// Five services over gRPC. A state that no line of their logs shows is told by the monitor.
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "grpc/warehouse.h"

int main(int count, char** words) {
  examples::WarehouseRun run;
  run.careful = count > 1 && std::string_view(words[1]) == "--careful";
  const int first = run.careful ? 2 : 1;
  if (count < first + 1 || count > first + 2) {
    std::fprintf(stderr, "usage: grpc_warehouse [--careful] FOLDER [MONITOR]\n");
    return 2;
  }
  run.traces = words[first];
  if (count > first + 1) run.report_to = words[first + 1];
  run.execution = "order 17";
  run.log = [](const std::string& line) { std::puts(line.c_str()); };
  const auto handled = examples::handle_order(run);
  if (handled) return 0;
  std::fprintf(stderr, "%s\n", handled.error().text().c_str());
  return 2;
}
