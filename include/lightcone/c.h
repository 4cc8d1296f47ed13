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
  const char* source;  ///< LIGHTCONE_HERE
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
} lightcone_options;

/// What a process has seen so far. ProcessCounts explains the members.
typedef struct lightcone_counts {
  uint64_t events, sent, received;
  uint64_t tag_bytes, tag_entries;
  uint64_t without_tag, bad_tags, redelivered, trace_failures;
  uint64_t forgotten;
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

/// The event of receiving messages, usually one, with these tags. A message of a peer without
/// Lightcone has a tag of size 0. A tag that cannot be used is reported to on_error and counted;
/// this is not a failure. `sender`, unless NULL, is set to the name of the sender of the first
/// message, without its incarnation, or to "" if it is not known. The text is valid until the next
/// lightcone_receive of this thread.
int lightcone_receive(lightcone_process* process, const lightcone_tag* tags, size_t tag_count,
                      const lightcone_state* state, const char** sender);

/// `size` is sizeof(lightcone_counts).
int lightcone_get_counts(const lightcone_process* process, lightcone_counts* counts, size_t size);
/// Writes everything that the trace has not written yet.
int lightcone_flush(lightcone_process* process);

/// Returns why the last failed call of this thread failed, or "" if none has failed. It is never
/// NULL, and is valid until the next failure of this thread.
const char* lightcone_last_error(void);

#ifdef __cplusplus
}
#endif
