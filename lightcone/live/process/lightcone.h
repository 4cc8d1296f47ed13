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

/// One process; what lightcone_start returns, and lightcone_end takes.
typedef struct lightcone_process lightcone_process;

/// Which member of a value counts.
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

/// What an event says of the state it creates. Everything may be left out, and the state itself be
/// NULL.
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

/// A property that was decided at an event of this process. Only for the duration of the callback.
typedef struct lightcone_detection {
  const char* property;
  const char* verb;  ///< "forbid", "expect", "require" or "watch"
  bool failed;       ///< forbidden and found, or required and missing
  const char* process;
  uint64_t event;    ///< its rank; 0: the initial state
  const char* line;  ///< all of it, in one line for people
} lightcone_detection;

/// How to start. Set everything to zero, then `size`, then what you need.
typedef struct lightcone_options {
  size_t size;  ///< sizeof(lightcone_options): tells later versions which members there are
  const char* name;
  const char* const* members;  ///< whom all know of from the beginning, in the same order
  size_t member_count;
  const char* properties;       ///< the text of a property file
  const char* properties_file;  ///< or its path
  const char* const* labels;    ///< event labels that the property file declares labels of, too
  size_t label_count;
  const char* trace;  ///< where to write an lct trace; NULL: nowhere
  bool fifo;          ///< every message arrives, and in order: tags may be smaller
  bool clocks;        ///< keep a vector clock, too
  /// Called at the event itself, in the thread that made it; may use the process.
  void (*on_detection)(const lightcone_detection* detection, void* user);
  /// Called with each tag that cannot be used and each failure to write the trace.
  void (*on_error)(const char* text, void* user);
  void* user;  ///< handed to the callbacks
  /// Which process of this name it is, counted from 1. 0: by the files that are there, where
  /// `traces` are written or the program is recorded, else the first.
  uint32_t incarnation;
  uint32_t most_peers;       ///< for how many processes there is room beside members; 0: 4096
  const char* traces;        ///< in which directory to write a trace, a file an incarnation
  uint64_t most_peer_bytes;  ///< how many bytes may be kept of these processes; 0: 8 KiB for each
} lightcone_options;

/// What a process has seen so far; ProcessCounts says what each is.
typedef struct lightcone_counts {
  uint64_t events, sent, received;
  uint64_t tag_bytes, tag_entries;
  uint64_t without_tag, bad_tags, redelivered, trace_failures;
  uint64_t forgotten;
} lightcone_counts;

/// Starts with the process's initial state; NULL when that fails.
lightcone_process* lightcone_start(const lightcone_options* options,
                                   const lightcone_state* initial);
/// Ends the trace and frees the process, which no call may be using. NULL is no process.
void lightcone_end(lightcone_process* process);

/// Its name with the number of its incarnation, as tags and traces have it: `p1`, `p1~2`. Stays as
/// long as the process; NULL for none.
const char* lightcone_identity(const lightcone_process* process);

/// An internal event.
int lightcone_event(lightcone_process* process, const lightcone_state* state);

/// The event of sending a message to these receivers; none: to anyone. The tag's bytes belong to
/// the library and stay until the thread's next lightcone_send, of whichever process.
int lightcone_send(lightcone_process* process, const char* const* to, size_t to_count,
                   const lightcone_state* state, lightcone_tag* tag);

/// The event of receiving messages, one as a rule, with these tags. A tag of size 0 is that of a
/// peer without Lightcone. One that cannot be used is told of by on_error and counted, and is no
/// failure. `sender`, unless NULL, is set to the name of the first message's sender, without its
/// incarnation, "" if that is not known; the text stays until the thread's next lightcone_receive.
int lightcone_receive(lightcone_process* process, const lightcone_tag* tags, size_t tag_count,
                      const lightcone_state* state, const char** sender);

/// `size` is sizeof(lightcone_counts), as the program knows it.
int lightcone_get_counts(const lightcone_process* process, lightcone_counts* counts, size_t size);
/// Writes what the trace holds back.
int lightcone_flush(lightcone_process* process);

/// Why the thread's last call that failed did so; "" if none has. Never NULL; stays until the
/// thread's next failure.
const char* lightcone_last_error(void);

#ifdef __cplusplus
}
#endif
