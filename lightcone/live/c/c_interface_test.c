// The C interface as a program in C11 uses and misuses it. A program may include both C headers.
#include <lightcone/c.h>
#include <lightcone/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition) expect((condition), #condition, __LINE__)

static void expect(bool holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "c_interface_test.c:%d: not so: %s (last error: %s)\n", line, what,
          lightcone_last_error());
}

/* What the callbacks have been told. */
struct told {
  int detections, errors;
  char line[512], error[512];
  uint64_t event;
};

static void on_detection(const lightcone_detection* detection, void* user) {
  struct told* told = user;
  ++told->detections;
  told->event = detection->event;
  snprintf(told->line, sizeof told->line, "%s", detection->line);
  EXPECT(strcmp(detection->property, "stale") == 0);
  EXPECT(strcmp(detection->verb, "forbid") == 0);
  EXPECT(strcmp(detection->process, "reader") == 0);
  EXPECT(detection->failed);
}

static void on_error(const char* text, void* user) {
  struct told* told = user;
  ++told->errors;
  snprintf(told->error, sizeof told->error, "%s", text);
}

static const char* const members[] = {"writer", "reader"};

static lightcone_options options_of(const char* name, struct told* told) {
  lightcone_options options = {.size = sizeof options,
                               .name = name,
                               .members = members,
                               .member_count = 2,
                               .properties =
                                   "label big = size > 10\n"
                                   "forbid stale : some flow at read ends with "
                                   "big -> read without invalidate\n",
                               .on_detection = on_detection,
                               .on_error = on_error,
                               .user = told};
  return options;
}

static void a_message_carries_what_was_seen(const char* trace) {
  struct told told = {0};
  lightcone_options options = options_of("writer", &told);
  lightcone_process* writer = lightcone_start(&options, NULL);
  options.name = "reader";
  options.trace = trace;
  lightcone_process* reader = lightcone_start(&options, NULL);
  EXPECT(writer != NULL && reader != NULL);

  const lightcone_variable variables[] = {
      {.name = "size", .type = LIGHTCONE_INTEGER, .value.integer = 11},
      {.name = "name", .type = LIGHTCONE_STRING, .value.string = "x"},
      {.name = "share", .type = LIGHTCONE_REAL, .value.real = 0.5},
      {.name = "done", .type = LIGHTCONE_BOOLEAN, .value.boolean = true}};
  const lightcone_state write = {.variables = variables, .variable_count = 4, .text = "big"};
  EXPECT(lightcone_event(writer, &write) == 0);
  lightcone_tag tag = {0};
  EXPECT(lightcone_send(writer, members + 1, 1, NULL, &tag) == 0);
  EXPECT(tag.size > 0);

  const char* const labels[] = {"read"};
  const lightcone_state read = {.labels = labels, .label_count = 1, .source = LIGHTCONE_HERE};
  const char* sender = NULL;
  EXPECT(lightcone_receive(reader, &tag, 1, &read, &sender) == 0);
  EXPECT(sender != NULL && strcmp(sender, "writer") == 0);
  EXPECT(told.detections == 1 && told.event == 1);
  EXPECT(strstr(told.line, "forbid: stale at event 1 of reader (read)") != NULL);
  EXPECT(strstr(told.line, "[c_interface_test.c:") != NULL);

  lightcone_counts counts;
  EXPECT(lightcone_get_counts(reader, &counts, sizeof counts) == 0);
  EXPECT(counts.events == 1 && counts.received == 1 && counts.bad_tags == 0);
  EXPECT(lightcone_flush(reader) == 0);
  lightcone_end(writer);
  lightcone_end(reader);
}

static void events_have_the_source_that_was_given(void) {
  struct told told = {0};
  lightcone_options options = options_of("writer", &told);
  lightcone_process* writer = lightcone_start(&options, NULL);
  options.name = "reader";
  lightcone_process* reader = lightcone_start(&options, NULL);
  const lightcone_variable size = {.name = "size", .type = LIGHTCONE_INTEGER, .value.integer = 11};
  const lightcone_state write = {.variables = &size, .variable_count = 1};
  lightcone_tag tag = {0};
  EXPECT(lightcone_send(writer, members + 1, 1, &write, &tag) == 0);
  const char* const labels[] = {"read"};
  const lightcone_state read = {.labels = labels, .label_count = 1};
  EXPECT(lightcone_receive(reader, &tag, 1, &read, NULL) == 0);
  EXPECT(told.detections == 1);
  EXPECT(strstr(told.line, "c_interface") == NULL);
  lightcone_end(writer);
  lightcone_end(reader);
}

static void tags_of_others_are_no_failure(void) {
  struct told told = {0};
  const lightcone_options options = options_of("reader", &told);
  lightcone_process* reader = lightcone_start(&options, NULL);
  const lightcone_tag tags[] = {{"\xC1 and no more", 13}, {NULL, 0}};
  const char* sender = NULL;
  EXPECT(lightcone_receive(reader, tags, 2, NULL, &sender) == 0);
  EXPECT(sender != NULL && sender[0] == '\0');
  EXPECT(told.errors == 1 && told.error[0] != '\0');
  lightcone_counts counts;
  EXPECT(lightcone_get_counts(reader, &counts, sizeof counts) == 0);
  EXPECT(counts.bad_tags == 1 && counts.without_tag == 1 && counts.events == 1);
  lightcone_end(reader);
}

static void misuse_is_said(void) {
  struct told told = {0};
  EXPECT(lightcone_start(NULL, NULL) == NULL);
  lightcone_options options = options_of("reader", &told);
  options.size = 0;
  EXPECT(lightcone_start(&options, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "size") != NULL);
  options = options_of(NULL, &told);
  EXPECT(lightcone_start(&options, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "needs a name") != NULL);
  options = options_of("reader", &told);
  options.properties = "forbid : nothing";
  EXPECT(lightcone_start(&options, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "properties:1:") != NULL);
  options = options_of("reader", &told);
  options.trace = "/nowhere/at/all.lct";
  EXPECT(lightcone_start(&options, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "/nowhere/at/all.lct") != NULL);
  options = options_of("reader", &told);
  options.members = NULL;
  EXPECT(lightcone_start(&options, NULL) == NULL);

  EXPECT(lightcone_event(NULL, NULL) == -1);
  EXPECT(lightcone_flush(NULL) == -1);
  lightcone_end(NULL);

  options = options_of("reader", &told);
  lightcone_process* reader = lightcone_start(&options, NULL);
  const char* const hole[] = {NULL};
  const lightcone_state labels = {.labels = hole, .label_count = 1};
  EXPECT(lightcone_event(reader, &labels) == -1);
  const lightcone_variable untyped = {.name = "x"};
  const lightcone_state variables = {.variables = &untyped, .variable_count = 1};
  EXPECT(lightcone_event(reader, &variables) == -1);
  EXPECT(strstr(lightcone_last_error(), "'x'") != NULL);
  EXPECT(lightcone_send(reader, NULL, 0, NULL, NULL) == -1);
  EXPECT(lightcone_receive(reader, NULL, 1, NULL, NULL) == -1);
  lightcone_counts counts;
  EXPECT(lightcone_get_counts(reader, &counts, sizeof counts) == 0);
  EXPECT(counts.events == 0);
  lightcone_end(reader);
}

/* A program of an earlier version knows fewer members, one of a later version more. */
static void other_versions_of_the_options(void) {
  struct told told = {0};
  struct {
    lightcone_options known;
    void* unknown;
  } later = {options_of("reader", &told), NULL};
  later.known.size = sizeof later;
  lightcone_process* reader = lightcone_start(&later.known, NULL);
  EXPECT(reader != NULL);
  lightcone_end(reader);
  later.unknown = &told;
  EXPECT(lightcone_start(&later.known, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "later version") != NULL);

  later.known.size = offsetof(lightcone_options, properties);
  reader = lightcone_start(&later.known, NULL);
  EXPECT(reader != NULL);
  uint64_t events = 7;
  EXPECT(lightcone_get_counts(reader, (lightcone_counts*)(void*)&events, sizeof events) == 0);
  EXPECT(events == 0);
  lightcone_end(reader);
}

static void a_process_may_start_again(void) {
  struct told told = {0};
  lightcone_options options = options_of("writer", &told);
  lightcone_process* first = lightcone_start(&options, NULL);
  options.incarnation = 2;
  options.most_peers = 16;
  lightcone_process* second = lightcone_start(&options, NULL);
  EXPECT(first != NULL && second != NULL);
  EXPECT(strcmp(lightcone_identity(first), "writer") == 0);
  EXPECT(strcmp(lightcone_identity(second), "writer~2") == 0);
  EXPECT(lightcone_identity(NULL) == NULL);
  options = options_of("reader", &told);
  lightcone_process* reader = lightcone_start(&options, NULL);
  const char* const to[] = {"reader"};
  lightcone_process* const writers[] = {first, second};
  for (size_t i = 0; i < 2; ++i) {
    lightcone_tag tag = {0};
    const char* sender = NULL;
    EXPECT(lightcone_send(writers[i], to, 1, NULL, &tag) == 0);
    EXPECT(lightcone_receive(reader, &tag, 1, NULL, &sender) == 0);
    EXPECT(sender != NULL && strcmp(sender, "writer") == 0);
  }
  lightcone_counts counts;
  EXPECT(lightcone_get_counts(reader, &counts, sizeof counts) == 0);
  EXPECT(counts.received == 2 && counts.redelivered == 0 && counts.forgotten == 0);
  options.name = "writer~2";
  EXPECT(lightcone_start(&options, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "incarnation") != NULL);
  options.name = "reporter";
  options.report_to = "tls://127.0.0.1:1";
  options.report_certificates = "/nowhere";
  EXPECT(lightcone_start(&options, NULL) == NULL);
  EXPECT(strstr(lightcone_last_error(), "holds no certificates") != NULL);
  lightcone_end(first);
  lightcone_end(second);
  lightcone_end(reader);
}

/* Messages that wait for lightcone_take, and how long it was ready to wait. */
struct waiting {
  lightcone_tag tags[4];
  size_t count, next;
  int64_t asked;
};

static int arrive(int64_t milliseconds, lightcone_arrival* arrival, void* user) {
  struct waiting* waiting = user;
  waiting->asked = milliseconds;
  if (waiting->next == waiting->count) return 0;
  arrival->tag = waiting->tags[waiting->next++];
  arrival->contents = (lightcone_bytes){"hello", 5};
  return 1;
}

static void messages_are_taken_and_then_received(void) {
  struct told told = {0};
  lightcone_options options = options_of("writer", &told);
  lightcone_process* writer = lightcone_start(&options, NULL);
  options.name = "reader";
  lightcone_process* reader = lightcone_start(&options, NULL);
  EXPECT(!lightcone_is_prompted(reader) && !lightcone_restored(reader));
  EXPECT(lightcone_next_restored(reader) == NULL);
  lightcone_tag tag = {0};
  EXPECT(lightcone_send(writer, members + 1, 1, NULL, &tag) == 0);
  struct waiting waiting = {.tags = {tag, {NULL, 0}}, .count = 2};
  lightcone_message* messages[2] = {NULL, NULL};
  EXPECT(lightcone_take(reader, "inbox", -1, arrive, &waiting, &messages[0]) == 0);
  EXPECT(waiting.asked == -1 && messages[0] != NULL);
  EXPECT(lightcone_take(reader, "inbox", 7, arrive, &waiting, &messages[1]) == 0);
  EXPECT(waiting.asked == 7 && messages[1] != NULL);
  const lightcone_bytes contents = lightcone_contents(messages[0]);
  EXPECT(contents.size == 5 && memcmp(contents.data, "hello", 5) == 0);

  lightcone_message* const twice[2] = {messages[0], messages[0]};
  lightcone_message* const missing[2] = {messages[0], NULL};
  EXPECT(lightcone_receive_taken(reader, twice, 2, NULL, NULL) == -1);
  EXPECT(strstr(lightcone_last_error(), "twice") != NULL);
  EXPECT(lightcone_receive_taken(reader, missing, 2, NULL, NULL) == -1);
  EXPECT(lightcone_receive_taken(writer, messages, 2, NULL, NULL) == -1);
  EXPECT(strstr(lightcone_last_error(), "another process") != NULL);
  const char* sender = NULL;
  EXPECT(lightcone_receive_taken(reader, messages, 2, NULL, &sender) == 0);
  EXPECT(sender != NULL && strcmp(sender, "writer") == 0);

  lightcone_message* none = messages[0];
  EXPECT(lightcone_take(reader, "inbox", 0, arrive, &waiting, &none) == 0 && none == NULL);
  EXPECT(lightcone_found_nothing(reader) == 0);
  EXPECT(lightcone_send(writer, members + 1, 1, NULL, &tag) == 0);
  EXPECT(lightcone_took(reader, tag, contents, &none) == 0 && none != NULL);
  lightcone_drop(none);
  lightcone_drop(NULL);
  lightcone_counts counts;
  EXPECT(lightcone_get_counts(reader, &counts, sizeof counts) == 0);
  EXPECT(counts.events == 1 && counts.received == 1 && counts.without_tag == 1);
  lightcone_end(writer);
  lightcone_end(reader);
}

static lightcone_bytes from_outside(void* user) { return (lightcone_bytes){user, strlen(user)}; }

static void on_part(lightcone_bytes part, void* user) {
  if (part.size != 0) ++((struct told*)user)->detections;
}

static void choices_and_snapshots(void) {
  struct told told = {0};
  lightcone_options options = options_of("writer", &told);
  options.on_snapshot_part = on_part;
  lightcone_process* process = lightcone_start(&options, NULL);
  uint64_t number = 0, first = 0, second = 0;
  EXPECT(lightcone_time(process, &number) == 0 && number > 0);
  EXPECT(lightcone_random(process, &first) == 0 && lightcone_random(process, &second) == 0);
  EXPECT(first != second);
  EXPECT(lightcone_choose(process, 3, &number) == 0 && number < 3);
  EXPECT(lightcone_choose(process, 0, &number) == -1);
  EXPECT(lightcone_choose(process, 3, NULL) == -1);
  char text[] = "a file";
  lightcone_bytes read = {NULL, 0};
  EXPECT(lightcone_read(process, from_outside, text, &read) == 0);
  EXPECT(read.size == 6 && memcmp(read.data, text, 6) == 0);
  EXPECT(lightcone_read(process, NULL, NULL, &read) == -1);
  EXPECT(lightcone_begin_snapshot(process, &number) == 0 && number == 1);
  EXPECT(lightcone_begin_snapshot(process, NULL) == 0);
  lightcone_tag marker = {0};
  EXPECT(lightcone_marker(process, "reader", &marker) == 0 && marker.size > 0);
  EXPECT(lightcone_marker(process, NULL, &marker) == -1);
  EXPECT(lightcone_safe_point(process) == 0);
  lightcone_end(process);
  EXPECT(told.detections >= 2);
  EXPECT(lightcone_time(NULL, &number) == -1 && lightcone_safe_point(NULL) == -1);
  EXPECT(lightcone_take(NULL, "", 0, arrive, NULL, NULL) == -1);
  EXPECT(strcmp(lightcone_version(), "") != 0);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  EXPECT(strcmp(lightcone_last_error(), "") == 0);
  a_message_carries_what_was_seen(words[1]);
  events_have_the_source_that_was_given();
  tags_of_others_are_no_failure();
  misuse_is_said();
  other_versions_of_the_options();
  a_process_may_start_again();
  messages_are_taken_and_then_received();
  choices_and_snapshots();
  lightcone_mpi_event("nobody records");  // does nothing
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
