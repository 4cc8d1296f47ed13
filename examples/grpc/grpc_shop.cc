// Three services over gRPC. With `--bug`, one of them charges before it knows that it may.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

#include "grpc/shop.h"

namespace {

[[nodiscard]] std::string contents_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

int main(int count, char** words) {
  const bool bug = count > 1 && std::string_view(words[1]) == "--bug";
  if (count != (bug ? 4 : 3)) {
    std::fprintf(stderr, "usage: grpc_shop [--bug] PROPERTIES FOLDER\n");
    return 2;
  }
  examples::ShopRun run;
  run.bug = bug;
  run.properties = contents_of(words[count - 2]);
  run.traces = words[count - 1];
  run.on_detection = [](const lightcone::Detection& found) { std::puts(found.line().c_str()); };
  const auto accepted = examples::accepted_orders(run);
  if (!accepted) {
    std::fprintf(stderr, "%s\n", accepted.error().text().c_str());
    return 2;
  }
  std::printf("%d of %d orders were accepted\n", *accepted, run.orders);
  return 0;
}
