// The C interface: one process of a distributed program, watched as it runs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Functions that return int return 0, or -1 when they could not do what they were asked: then
 * lightcone_last_error() says why. Texts end with a zero, and are copied where they are kept. A
 * process may be used from several threads; its events happen in the order of the calls. */

/// One process. lightcone_start returns it, and lightcone_end takes it.
typedef struct lightcone_process lightcone_process;

/// Which member of a value is used.
typedef enum lightcone_type {
  LIGHTCONE_BOOLEAN = 1,
  LIGHTCONE_INTEGER,
  LIGHTCONE_REAL,
  LIGHTCONE_STRING
} lightcone_type;

/// A variable and the value it takes.
typedef struct lightcone_variable {
  const char* name;
  lightcone_type type;
  union {
    bool boolean;
    int64_t integer;
    double real;
    const char* string;
  } value;
} lightcone_variable;

/// What an event says about the state it creates. Every member may be left out, and the state
/// itself may be NULL.
typedef struct lightcone_state {
  const char* const* labels;
  size_t label_count;
  const lightcone_variable* variables;
  size_t variable_count;
  const char* text;
  const char* source;  ///< LIGHTCONE_HERE; without it the event has none
} lightcone_state;

/// The place of a call, for lightcone_state.source.
#define LIGHTCONE_TEXT_OF(x) #x
#define LIGHTCONE_LINE_TEXT(line) LIGHTCONE_TEXT_OF(line)
#define LIGHTCONE_HERE __FILE__ ":" LIGHTCONE_LINE_TEXT(__LINE__)

/// The bytes to send along with a message.
typedef struct lightcone_tag {
  const void* data;
  size_t size;
} lightcone_tag;

/// Any other bytes.
typedef struct lightcone_bytes {
  const void* data;
  size_t size;
} lightcone_bytes;

/// A message that a process has taken and not received yet.
typedef struct lightcone_message lightcone_message;

/// A message that has arrived: its tag, and what else the transport needs to make it again.
typedef struct lightcone_arrival {
  lightcone_tag tag;
  lightcone_bytes contents;
} lightcone_arrival;

/// Waits for the next message: for so many milliseconds, or without a limit if they are negative.
/// Returns 1 with the message, whose bytes must stay valid until lightcone_take returns or the next
/// call. Returns 0 if none came in time, or none will come any more.
typedef int (*lightcone_arrive)(int64_t milliseconds, lightcone_arrival* arrival, void* user);

/// A property that was decided at an event of this process. Valid only during the callback.
typedef struct lightcone_detection {
  const char* property;
  const char* verb;  ///< "forbid", "expect", "require" or "watch"
  bool failed;       ///< forbidden and found, or required and missing
  const char* process;
  uint64_t event;    ///< its rank; 0: the initial state
  const char* line;  ///< all of this in one line of text
} lightcone_detection;

/// How to start. Set everything to zero, then `size`, then what you need.
typedef struct lightcone_options {
  size_t size;  ///< sizeof(lightcone_options): tells later versions which members there are
  const char* name;
  const char* const*
      members;  ///< the processes that are known from the beginning, in the same order
  size_t member_count;
  const char* properties;       ///< the text of a property file
  const char* properties_file;  ///< or its path
  const char* const* labels;    ///< event labels that have the same name as declared labels
  size_t label_count;
  const char* trace;  ///< where to write an lct trace; NULL for none
  bool fifo;          ///< every message arrives, and in order: tags may be smaller
  bool clocks;        ///< whether to keep a vector clock
  /// Called at the event itself, in the thread that made it; may use the process.
  void (*on_detection)(const lightcone_detection* detection, void* user);
  /// Called with each tag that cannot be used and each failure to write the trace.
  void (*on_error)(const char* text, void* user);
  void* user;  ///< passed to the callbacks
  /// Its number among the processes of this name, counted from 1. With 0, files decide, if `traces`
  /// are written or the program is recorded; otherwise it is the first.
  uint32_t incarnation;
  uint32_t most_peers;       ///< how many processes there may be besides the members; 0 for 4096
  const char* traces;        ///< the directory to write a trace to, one file per incarnation
  uint64_t most_peer_bytes;  ///< how many bytes may be kept about them; 0 for 8 KiB each
  /// Returns the state of the program, for snapshots and checkpoints. The bytes must stay valid
  /// until the next call. It must not use the process.
  lightcone_bytes (*save)(void* user);
  /// Restores a state that was saved. Called before lightcone_start returns.
  void (*restore)(lightcone_bytes state, void* user);
  /// Called with each part that this process contributes to a snapshot.
  void (*on_snapshot_part)(lightcone_bytes part, void* user);
  const char* report_to;         ///< HOST:PORT or tls://HOST:PORT of a monitor that hears of events
  const char* report_execution;  ///< which execution it is part of; NULL: the monitor says
  const char* report_token;      ///< the token that the monitor asks for
  const char* report_certificates;  ///< PEM file: who signs the monitor's; NULL: the system's
} lightcone_options;

/// What a process has seen so far. ProcessCounts explains the members.
typedef struct lightcone_counts {
  uint64_t events, sent, received;
  uint64_t tag_bytes, tag_entries;
  uint64_t without_tag, bad_tags, redelivered, trace_failures;
  uint64_t forgotten;
  uint64_t unreported;
} lightcone_counts;

/// Starts with the initial state of the process. Returns NULL if that fails.
lightcone_process* lightcone_start(const lightcone_options* options,
                                   const lightcone_state* initial);
/// Ends the trace and frees the process. No call may be using it. NULL is allowed.
void lightcone_end(lightcone_process* process);

/// Returns its name with the number of its incarnation, as in tags and traces: `p1`, `p1~2`. It is
/// valid as long as the process. Returns NULL for NULL.
const char* lightcone_identity(const lightcone_process* process);

/// An internal event.
int lightcone_event(lightcone_process* process, const lightcone_state* state);

/// The event of sending a message to these receivers; with none, to any process. The bytes of the
/// tag belong to the library. They are valid until the next lightcone_send of this thread.
int lightcone_send(lightcone_process* process, const char* const* to, size_t to_count,
                   const lightcone_state* state, lightcone_tag* tag);

/// Takes the next message of a mailbox: waits for so many milliseconds, or without a limit if they
/// are negative. Calls `arrive` as often as needed. In a replay or an exploration, others say which
/// message it is; messages that arrive before their turn are kept. `message` is set to NULL if none
/// came in time.
int lightcone_take(lightcone_process* process, const char* mailbox, int64_t milliseconds,
                   lightcone_arrive arrive, void* user, lightcone_message** message);
/// What `arrive` gave of the message besides its tag. Valid as long as the message.
lightcone_bytes lightcone_contents(const lightcone_message* message);
/// The event of receiving messages that were taken, usually one. If it succeeds, they are freed.
/// `sender`, unless NULL, is set to the name of the sender of the first message, without its
/// incarnation, or to "" if it is not known. The text is valid until the next receive of this
/// thread. A tag that cannot be used is reported to on_error and counted; this is not a failure.
int lightcone_receive_taken(lightcone_process* process, lightcone_message* const* messages,
                            size_t message_count, const lightcone_state* state,
                            const char** sender);
/// Frees a message that is not received. NULL is allowed.
void lightcone_drop(lightcone_message* message);

/// For transports whose messages are costly to make into bytes: returns whether others say which
/// message the process takes. If so, call lightcone_take. Otherwise take what comes and say so with
/// the next two functions.
bool lightcone_is_prompted(const lightcone_process* process);
/// The process takes the message with this tag. `message` is set to NULL if it is a marker, which
/// is not for the program: then take the next one.
int lightcone_took(lightcone_process* process, lightcone_tag tag, lightcone_bytes contents,
                   lightcone_message** message);
/// The process asked for a message and got none.
int lightcone_found_nothing(lightcone_process* process);

/// The event of receiving messages that were not taken, by their tags. Such a process can be
/// watched and traced, but not replayed. A message of a peer without Lightcone has a tag of size 0.
/// Otherwise as lightcone_receive_taken.
int lightcone_receive(lightcone_process* process, const lightcone_tag* tags, size_t tag_count,
                      const lightcone_state* state, const char** sender);

/* Answers that could have been different. A program that gets them here gets the same answers in a
 * replay. */

/// The time in nanoseconds since the beginning of 1970.
int lightcone_time(lightcone_process* process, uint64_t* nanoseconds);
int lightcone_random(lightcone_process* process, uint64_t* number);
/// One of so many alternatives, at least one, counted from 0.
int lightcone_choose(lightcone_process* process, uint64_t alternatives, uint64_t* chosen);
/// Any other input from outside. In a replay it comes from the journal, and `from_outside` is not
/// called. What that returns must stay valid until lightcone_read returns. The bytes that are read
/// belong to the library. They are valid until the next lightcone_read of this thread.
int lightcone_read(lightcone_process* process, lightcone_bytes (*from_outside)(void* user),
                   void* user, lightcone_bytes* bytes);

/// Begins a snapshot of the whole program now. All that has happened to the process so far is part
/// of it. Needs on_snapshot_part. `number`, unless NULL, is set to the number of the snapshot.
int lightcone_begin_snapshot(lightcone_process* process, uint64_t* number);
/// A marker, which is sent like a message without contents, and is not one. If the channel is FIFO,
/// it tells the receiver that all messages before it belong to the last snapshot. The bytes are
/// valid until the next lightcone_send or lightcone_marker of this thread.
int lightcone_marker(lightcone_process* process, const char* to, lightcone_tag* tag);
/// For a process that asks for no messages. Its state may be saved here.
int lightcone_safe_point(lightcone_process* process);
/// Returns whether the process continues from a checkpoint, so that it must not repeat what a
/// process does at its beginning.
bool lightcone_restored(const lightcone_process* process);
/// If so, returns the messages that it had taken and not received, one per call and in the order of
/// taking. Returns NULL if there are no more.
lightcone_message* lightcone_next_restored(lightcone_process* process);

/// `size` is sizeof(lightcone_counts).
int lightcone_get_counts(const lightcone_process* process, lightcone_counts* counts, size_t size);
/// Writes everything that the trace has not written yet.
int lightcone_flush(lightcone_process* process);

/// Returns the version of the library, as in "0.1.0".
const char* lightcone_version(void);
/// Returns why the last failed call of this thread failed, or "" if none has failed. It is never
/// NULL, and is valid until the next failure of this thread.
const char* lightcone_last_error(void);

#ifdef __cplusplus
}
#endif
