// The traces that the tour shows.
#pragma once

#include <string_view>

namespace lightcone::cli {

/// A lock is given to one worker after the other, but nothing makes the second wait for the first.
inline constexpr std::string_view lock_trace =
    R"({"lightcone": 1, "processes": ["locks", "east", "west"]}
{"process": "east", "kind": "init", "vars": {"inside": false}}
{"process": "west", "kind": "init", "vars": {"inside": false}}
{"process": "locks", "kind": "send", "message": "grant1", "to": "east", "text": "for 10 seconds"}
{"process": "east", "kind": "receive", "message": "grant1", "vars": {"inside": true}}
{"process": "east", "kind": "internal", "vars": {"inside": false}, "text": "leaves"}
{"process": "locks", "kind": "internal", "text": "10 seconds are over"}
{"process": "locks", "kind": "send", "message": "grant2", "to": "west", "text": "for 10 seconds"}
{"process": "west", "kind": "receive", "message": "grant2", "vars": {"inside": true}}
{"process": "west", "kind": "internal", "vars": {"inside": false}, "text": "leaves"}
)";

/// Two clients add one to the same counter at the same time, and one addition is lost.
inline constexpr std::string_view counter_trace =
    R"({"lightcone": 1, "processes": ["alice", "store", "bob"]}
{"process": "store", "kind": "init", "vars": {"counter": 0}}
{"process": "alice", "kind": "send", "message": "get1", "to": "store"}
{"process": "bob", "kind": "send", "message": "get2", "to": "store"}
{"process": "store", "kind": "receive", "message": "get1"}
{"process": "store", "kind": "send", "message": "is0", "to": "alice", "labels": ["read"]}
{"process": "store", "kind": "receive", "message": "get2"}
{"process": "store", "kind": "send", "message": "also0", "to": "bob", "labels": ["read"]}
{"process": "alice", "kind": "receive", "message": "is0"}
{"process": "alice", "kind": "send", "message": "put1", "to": "store"}
{"process": "bob", "kind": "receive", "message": "also0"}
{"process": "bob", "kind": "send", "message": "put2", "to": "store"}
{"process": "store", "kind": "receive", "message": "put1"}
{"process": "store", "kind": "internal", "labels": ["write"], "vars": {"counter": 1}}
{"process": "store", "kind": "receive", "message": "put2"}
{"process": "store", "kind": "internal", "labels": ["write"], "vars": {"counter": 1}}
)";

/// The example on which control flows are usually explained: labels a to f on four processes.
inline constexpr std::string_view control_flow_trace =
    R"({"lightcone": 1, "processes": ["p1", "p2", "p3", "p4"]}
{"process": "p1", "kind": "internal", "labels": ["a"]}
{"process": "p1", "kind": "receive", "message": "m1"}
{"process": "p1", "kind": "internal", "labels": ["b"]}
{"process": "p1", "kind": "send", "message": "m2", "to": "p3"}
{"process": "p1", "kind": "receive", "message": "m3"}
{"process": "p1", "kind": "internal", "labels": ["a"]}
{"process": "p2", "kind": "internal", "labels": ["c"]}
{"process": "p2", "kind": "send", "message": "m1", "to": "p1"}
{"process": "p2", "kind": "internal", "labels": ["c"]}
{"process": "p2", "kind": "send", "message": "m4", "to": "p3"}
{"process": "p2", "kind": "send", "message": "m5", "to": "p4"}
{"process": "p3", "kind": "receive", "message": "m6"}
{"process": "p3", "kind": "internal", "labels": ["e"]}
{"process": "p3", "kind": "send", "message": "m7", "to": "p4"}
{"process": "p3", "kind": "receive", "message": "m2"}
{"process": "p3", "kind": "receive", "message": "m4"}
{"process": "p3", "kind": "internal", "labels": ["d"]}
{"process": "p3", "kind": "send", "message": "m3", "to": "p1"}
{"process": "p4", "kind": "internal", "labels": ["f"]}
{"process": "p4", "kind": "send", "message": "m6", "to": "p3"}
{"process": "p4", "kind": "receive", "message": "m5"}
{"process": "p4", "kind": "receive", "message": "m7"}
{"process": "p4", "kind": "internal", "labels": ["f"]}
)";

/// A trace that lost a line: `hello` is received, but never sent.
inline constexpr std::string_view torn_trace =
    R"({"process": "server", "kind": "internal", "labels": ["start"]}
{"process": "server", "kind": "receive", "message": "hello"}
{"process": "server", "kind": "send", "message": "welcome"}
)";

}  // namespace lightcone::cli
