// Services, their instances, threads, or spans themselves.
#include <lightcone/trace/spans/span_processes.h>

namespace lightcone {

SpanProcesses::SpanProcesses(const SpanTable& table, ProcessBy by)
    : table_(table), by_(by), thread_(table.names.find("thread.id")) {}

std::string SpanProcesses::text(SpanRange attributes, std::string_view name) const {
  const NameIndex known = table_.names.find(name);
  const Value* value = known == NameIndex::none ? nullptr : table_.find(attributes, known);
  return value == nullptr ? std::string() : table_.spelled(*value);
}

std::string SpanProcesses::service(SpanRange resource) const {
  std::string name = text(resource, "service.name");
  return name.empty() ? "unknown_service" : name;
}

/// The service with its instance, else with host and number of the process, else alone.
std::string SpanProcesses::instance(SpanRange resource) const {
  const std::string service = this->service(resource);
  const std::string instance = text(resource, "service.instance.id");
  if (!instance.empty()) return service + "/" + instance;
  std::string host = text(resource, "host.name");
  if (host.empty()) host = text(resource, "host.id");
  const std::string pid = text(resource, "process.pid");
  if (host.empty() || pid.empty()) return service;
  return service + "/" + host + ":" + pid;
}

std::string SpanProcesses::name(const Span& span) const {
  const SpanRange resource = table_.resources[span.resource];
  switch (by_) {
    case ProcessBy::service: return service(resource);
    case ProcessBy::instance: return instance(resource);
    case ProcessBy::thread: {
      const Value* thread =
          thread_ == NameIndex::none ? nullptr : table_.find(span.attributes, thread_);
      if (thread == nullptr) return instance(resource);
      return instance(resource) + "/thread " + table_.spelled(*thread);
    }
    case ProcessBy::span: break;
  }
  return service(resource) + "/" + hex_of(span.id) + (span.shared ? "/server" : "");
}

}  // namespace lightcone
