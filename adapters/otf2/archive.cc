// Reads definitions and events by the callbacks of the OTF2 library.
#include "archive.h"

#include <otf2/otf2.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace lightcone::otf2 {
namespace {

/// The definitions as they stand in the archive: by numbers that refer to each other.
struct Definitions {
  struct Group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    std::vector<std::uint64_t> members;
  };
  struct LocationEntry {
    std::uint32_t name, group;
  };
  struct CommunicatorEntry {
    std::uint32_t name, group;
  };

  std::map<std::uint32_t, std::string> strings;
  std::map<std::uint32_t, std::uint32_t> location_groups;  // their names
  std::map<Location, LocationEntry> locations;
  std::map<std::uint32_t, std::uint32_t> regions;  // their names
  std::map<std::uint32_t, Group> groups;
  std::map<std::uint32_t, CommunicatorEntry> communicators;
  std::uint64_t ticks_per_second = 1, first_tick = 0;

  [[nodiscard]] std::string text(std::uint32_t string) const {
    const auto found = strings.find(string);
    return found == strings.end() ? std::string() : found->second;
  }
};

Definitions& definitions(void* data) { return *static_cast<Definitions*>(data); }

OTF2_CallbackCode on_clock(void* data, std::uint64_t resolution, std::uint64_t offset,
                           std::uint64_t /*length*/, std::uint64_t /*realtime*/) {
  definitions(data).ticks_per_second = std::max<std::uint64_t>(1, resolution);
  definitions(data).first_tick = offset;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* string) {
  definitions(data).strings[self] = string;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location_group(void* data, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                    OTF2_LocationGroupType /*type*/,
                                    OTF2_SystemTreeNodeRef /*parent*/,
                                    OTF2_LocationGroupRef /*creator*/) {
  definitions(data).location_groups[self] = name;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef name,
                              OTF2_LocationType /*type*/, std::uint64_t /*events*/,
                              OTF2_LocationGroupRef group) {
  definitions(data).locations[self] = {name, group};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name,
                            OTF2_StringRef /*canonical*/, OTF2_StringRef /*description*/,
                            OTF2_RegionRole /*role*/, OTF2_Paradigm /*paradigm*/,
                            OTF2_RegionFlag /*flags*/, OTF2_StringRef /*file*/,
                            std::uint32_t /*begin*/, std::uint32_t /*end*/) {
  definitions(data).regions[self] = name;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef /*name*/,
                           OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag /*flags*/,
                           std::uint32_t count, const std::uint64_t* members) {
  definitions(data).groups[self] = {type, paradigm, {members, members + count}};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_communicator(void* data, OTF2_CommRef self, OTF2_StringRef name,
                                  OTF2_GroupRef group, OTF2_CommRef /*parent*/,
                                  OTF2_CommFlag /*flags*/) {
  definitions(data).communicators[self] = {name, group};
  return OTF2_CALLBACK_SUCCESS;
}

/// What is told of events while they are read.
struct EventSink {
  Archive& archive;
  std::set<std::uint32_t> wanted_regions = {};
  // Requests of receives by location and number: when they were posted.
  std::map<std::pair<Location, std::uint64_t>, std::uint64_t> posted = {};
  std::uint64_t told = 0;  // so many events were told, of all locations
};

EventSink& sink(void* data) { return *static_cast<EventSink*>(data); }

OTF2_CallbackCode add_region(void* data, Location location, std::uint64_t time,
                             OTF2_RegionRef region, ArchiveEvent::Kind kind) {
  EventSink& to = sink(data);
  ++to.told;
  if (!to.wanted_regions.contains(region)) return OTF2_CALLBACK_SUCCESS;
  ArchiveEvent event;
  event.kind = kind;
  event.time = time;
  event.region = region;
  to.archive.events[location].push_back(event);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                           OTF2_AttributeList* /*attributes*/, OTF2_RegionRef region) {
  return add_region(data, location, time, region, ArchiveEvent::Kind::enter);
}

OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                           OTF2_AttributeList* /*attributes*/, OTF2_RegionRef region) {
  return add_region(data, location, time, region, ArchiveEvent::Kind::leave);
}

void add_message(void* data, Location location, std::uint64_t time, ArchiveEvent::Kind kind,
                 std::uint32_t peer, std::uint32_t communicator, std::uint32_t tag,
                 std::uint64_t bytes, std::uint64_t posted_at) {
  ArchiveEvent event;
  event.kind = kind;
  event.time = time;
  event.peer = peer;
  event.communicator = communicator;
  event.tag = tag;
  event.bytes = bytes;
  event.posted_at = posted_at;
  sink(data).archive.events[location].push_back(event);
}

OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                          OTF2_AttributeList* /*attributes*/, std::uint32_t receiver,
                          OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  add_message(data, location, time, ArchiveEvent::Kind::send, receiver, communicator, tag, bytes,
              ++sink(data).told);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                           OTF2_AttributeList* attributes, std::uint32_t receiver,
                           OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                           std::uint64_t /*request*/) {
  return on_send(location, time, data, attributes, receiver, communicator, tag, bytes);
}

OTF2_CallbackCode on_receive(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                             OTF2_AttributeList* /*attributes*/, std::uint32_t sender,
                             OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  add_message(data, location, time, ArchiveEvent::Kind::receive, sender, communicator, tag, bytes,
              ++sink(data).told);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_request(OTF2_LocationRef location, OTF2_TimeStamp /*time*/, void* data,
                             OTF2_AttributeList* /*attributes*/, std::uint64_t request) {
  sink(data).posted[{location, request}] = ++sink(data).told;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp /*time*/, void* data,
                               OTF2_AttributeList* /*attributes*/, std::uint64_t request) {
  ++sink(data).told;
  sink(data).posted.erase({location, request});
  return OTF2_CALLBACK_SUCCESS;
}

/// MPI matches receives in the order in which they were posted, not in that of their ends.
OTF2_CallbackCode on_ireceive(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                              OTF2_AttributeList* /*attributes*/, std::uint32_t sender,
                              OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                              std::uint64_t request) {
  EventSink& to = sink(data);
  ++to.told;
  const auto posted = to.posted.find({location, request});
  const std::uint64_t posted_at = posted == to.posted.end() ? to.told : posted->second;
  if (posted != to.posted.end()) to.posted.erase(posted);
  add_message(data, location, time, ArchiveEvent::Kind::receive, sender, communicator, tag, bytes,
              posted_at);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                                      OTF2_AttributeList* /*attributes*/) {
  add_message(data, location, time, ArchiveEvent::Kind::collective_begin, 0, 0, 0, 0,
              ++sink(data).told);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_collective_end(OTF2_LocationRef location, OTF2_TimeStamp time, void* data,
                                    OTF2_AttributeList* /*attributes*/, OTF2_CollectiveOp operation,
                                    OTF2_CommRef communicator, std::uint32_t root,
                                    std::uint64_t sent, std::uint64_t received) {
  add_message(data, location, time, ArchiveEvent::Kind::collective_end, root, communicator,
              operation, sent + received, ++sink(data).told);
  return OTF2_CALLBACK_SUCCESS;
}

/// The end of a send that does not wait says nothing new.
OTF2_CallbackCode on_sent(OTF2_LocationRef /*location*/, OTF2_TimeStamp /*time*/, void* data,
                          OTF2_AttributeList* /*attributes*/, std::uint64_t /*request*/) {
  ++sink(data).told;
  return OTF2_CALLBACK_SUCCESS;
}

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};

class ArchiveReader {
 public:
  explicit ArchiveReader(const std::string& anchor)
      : anchor_(anchor), reader_(OTF2_Reader_Open(anchor.c_str())) {}

  [[nodiscard]] Expected<Archive> read(const std::function<bool(const std::string&)>& is_wanted) {
    if (!reader_) return fail("is not an OTF2 archive that can be opened");
    OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get());
    if (auto ok = read_definitions(); !ok) return failure(ok.error());
    Archive archive;
    archive.ticks_per_second = definitions_.ticks_per_second;
    archive.first_tick = definitions_.first_tick;
    name_locations(archive);
    if (auto ok = find_members(archive); !ok) return failure(ok.error());
    EventSink events{archive};
    for (const auto& [region, name] : definitions_.regions) {
      archive.regions[region] = definitions_.text(name);
      if (is_wanted(archive.regions[region])) events.wanted_regions.insert(region);
    }
    if (auto ok = read_events(events); !ok) return failure(ok.error());
    return archive;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> fail(const std::string& what) const {
    return failure(what, anchor_);
  }

  [[nodiscard]] Expected<void> read_definitions() {
    OTF2_GlobalDefReader* const reader = OTF2_Reader_GetGlobalDefReader(reader_.get());
    if (reader == nullptr) return fail("has no definitions that can be read");
    OTF2_GlobalDefReaderCallbacks* const calls = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, on_string);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(calls, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, on_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, on_communicator);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader_.get(), reader, calls, &definitions_);
    OTF2_GlobalDefReaderCallbacks_Delete(calls);
    std::uint64_t count = 0;
    const OTF2_ErrorCode error =
        OTF2_Reader_ReadAllGlobalDefinitions(reader_.get(), reader, &count);
    if (error != OTF2_SUCCESS) return fail(reason("definitions", error));
    return {};
  }

  [[nodiscard]] static std::string reason(const std::string& of, OTF2_ErrorCode error) {
    return "its " + of + " cannot be read: " + OTF2_Error_GetDescription(error);
  }

  /// The name of its group, if it is alone in it. Names that are not unique get a number.
  void name_locations(Archive& archive) const {
    std::map<std::uint32_t, std::size_t> in_group;
    for (const auto& [location, entry] : definitions_.locations) ++in_group[entry.group];
    std::set<std::string> used;
    for (const auto& [location, entry] : definitions_.locations) {
      const auto group = definitions_.location_groups.find(entry.group);
      std::string name = group == definitions_.location_groups.end()
                             ? std::string()
                             : definitions_.text(group->second);
      if (name.empty() || in_group[entry.group] > 1) {
        name += (name.empty() ? "" : "/") + definitions_.text(entry.name);
      }
      if (name.empty()) name = "location " + std::to_string(location);
      if (!used.insert(name).second) {
        name += " (" + std::to_string(location) + ")";
        used.insert(name);
      }
      archive.locations[location] = {name, entry.group};
    }
  }

  /// The members of a group of ranks are numbers within the list of all locations that communicate
  /// by the same means.
  [[nodiscard]] Expected<void> find_members(Archive& archive) const {
    for (const auto& [self, entry] : definitions_.communicators) {
      Archive::Communicator made{definitions_.text(entry.name), {}};
      const auto group = definitions_.groups.find(entry.group);
      if (group == definitions_.groups.end()) continue;
      const Definitions::Group* const all = all_locations(group->second.paradigm);
      for (const std::uint64_t member : group->second.members) {
        const bool is_direct = group->second.type != OTF2_GROUP_TYPE_COMM_GROUP;
        if (!is_direct && (all == nullptr || member >= all->members.size())) {
          return fail("its communicator " + made.name + " has a member that is not there");
        }
        made.members.push_back(is_direct ? member : all->members[member]);
      }
      archive.communicators[self] = std::move(made);
    }
    return {};
  }

  [[nodiscard]] const Definitions::Group* all_locations(OTF2_Paradigm paradigm) const {
    for (const auto& [self, group] : definitions_.groups) {
      const bool is_list = group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
      if (is_list && group.paradigm == paradigm) return &group;
    }
    return nullptr;
  }

  [[nodiscard]] Expected<void> read_events(EventSink& events) {
    for (const auto& [location, entry] : definitions_.locations) {
      OTF2_Reader_SelectLocation(reader_.get(), location);
    }
    // Archives may have no local definitions; what they map is mapped while events are read.
    const bool has_local = OTF2_Reader_OpenDefFiles(reader_.get()) == OTF2_SUCCESS;
    OTF2_Reader_OpenEvtFiles(reader_.get());
    for (const auto& [location, entry] : definitions_.locations) {
      if (has_local) {
        if (OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader_.get(), location)) {
          std::uint64_t count = 0;
          OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), local, &count);
          OTF2_Reader_CloseDefReader(reader_.get(), local);
        }
      }
      OTF2_Reader_GetEvtReader(reader_.get(), location);
    }
    if (has_local) OTF2_Reader_CloseDefFiles(reader_.get());
    return read_opened_events(events);
  }

  [[nodiscard]] Expected<void> read_opened_events(EventSink& events) {
    OTF2_GlobalEvtReader* const reader = OTF2_Reader_GetGlobalEvtReader(reader_.get());
    if (reader == nullptr) return fail("has no events that can be read");
    OTF2_GlobalEvtReaderCallbacks* const calls = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(calls, on_enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(calls, on_leave);
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(calls, on_send);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(calls, on_isend);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(calls, on_sent);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(calls, on_receive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, on_request);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(calls, on_ireceive);
    OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback(calls, on_cancelled);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, on_collective_begin);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, on_collective_end);
    OTF2_Reader_RegisterGlobalEvtCallbacks(reader_.get(), reader, calls, &events);
    OTF2_GlobalEvtReaderCallbacks_Delete(calls);
    std::uint64_t count = 0;
    const OTF2_ErrorCode error = OTF2_Reader_ReadAllGlobalEvents(reader_.get(), reader, &count);
    OTF2_Reader_CloseGlobalEvtReader(reader_.get(), reader);
    OTF2_Reader_CloseEvtFiles(reader_.get());
    if (error != OTF2_SUCCESS) return fail(reason("events", error));
    events.archive.left_out = count - std::min(count, events.told);
    return {};
  }

  std::string anchor_;
  std::unique_ptr<OTF2_Reader, CloseReader> reader_;
  Definitions definitions_;
};

}  // namespace

Expected<Archive> Archive::read(const std::string& anchor,
                                const std::function<bool(const std::string&)>& is_wanted_region) {
  return ArchiveReader(anchor).read(is_wanted_region);
}

}  // namespace lightcone::otf2
