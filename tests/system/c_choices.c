// A program in C whose every answer is left to chance: b prints the answers that it got, and
// receives the messages of a in pairs.
//
// c_choices [--pairs N] [--slow MICROSECONDS] [--unasked]
#include <lightcone/c.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char* const names[2] = {"a", "b"};
static int mailbox[2];
static int pairs = 20, slow = 200;
static bool unasked = false;

/* All that a process is where its state is saved. */
struct memory {
  int step, held;
  uint64_t sum;
};
static struct memory memory;

static lightcone_bytes save(void* user) {
  (void)user;
  return (lightcone_bytes){&memory, sizeof memory};
}

static void restore(lightcone_bytes state, void* user) {
  (void)user;
  if (state.size == sizeof memory) memcpy(&memory, state.data, sizeof memory);
}

static int parts = 0;
static void on_part(lightcone_bytes part, void* user) {
  (void)user;
  parts += part.size != 0;
}

static void must(int status, const char* what) {
  if (status == 0) return;
  fprintf(stderr, "%s: %s\n", what, lightcone_last_error());
  exit(EXIT_FAILURE);
}

static lightcone_process* start(const char* name) {
  const lightcone_options options = {.size = sizeof options,
                                     .name = name,
                                     .members = names,
                                     .member_count = 2,
                                     .save = save,
                                     .restore = restore,
                                     .on_snapshot_part = on_part};
  lightcone_process* process = lightcone_start(&options, NULL);
  must(process == NULL ? -1 : 0, name);
  return process;
}

static void be_a(void) {
  lightcone_process* process = start("a");
  for (; memory.step < 2 * pairs; ++memory.step) {
    must(lightcone_safe_point(process), "safe point");
    usleep((useconds_t)(rand() % (2 * slow + 1)));
    lightcone_tag tag;
    must(lightcone_send(process, &names[1], 1, NULL, &tag), "send");
    must(send(mailbox[1], tag.data, tag.size, MSG_NOSIGNAL) < 0 ? -1 : 0, "socket");
  }
  lightcone_end(process);
}

static char arrived[65536];

static int arrive(int64_t milliseconds, lightcone_arrival* arrival, void* user) {
  (void)user;
  struct pollfd item = {.fd = mailbox[0], .events = POLLIN};
  if (poll(&item, 1, milliseconds < 0 ? -1 : (int)milliseconds) <= 0) return 0;
  const ssize_t size = recv(mailbox[0], arrived, sizeof arrived, 0);
  if (size <= 0) return 0;
  arrival->tag = (lightcone_tag){arrived, (size_t)size};
  arrival->contents = (lightcone_bytes){"text", 4};
  return 1;
}

/* As a transport takes that knows both ways; polls first, and then waits. */
static lightcone_message* take(lightcone_process* process) {
  lightcone_message* message = NULL;
  lightcone_arrival next;
  if (lightcone_is_prompted(process)) {
    must(lightcone_take(process, "b", 0, arrive, NULL, &message), "take");
  } else if (arrive(0, &next, NULL) == 1) {
    must(lightcone_took(process, next.tag, next.contents, &message), "took");
  } else {
    must(lightcone_found_nothing(process), "found nothing");
  }
  printf(message == NULL ? "-" : "+");
  if (message == NULL) must(lightcone_take(process, "b", -1, arrive, NULL, &message), "take");
  must(message == NULL ? -1 : 0, "no message came");
  return message;
}

static lightcone_bytes dice(void* user) {
  static char text[16];
  (void)user;
  snprintf(text, sizeof text, "%d", rand() % 6);
  return (lightcone_bytes){text, strlen(text)};
}

static void ask(lightcone_process* process) {
  uint64_t time = 0, number = 0, chosen = 0;
  lightcone_bytes read = {NULL, 0};
  must(lightcone_time(process, &time), "time");
  must(lightcone_random(process, &number), "random");
  must(lightcone_choose(process, 3, &chosen), "choose");
  must(lightcone_read(process, dice, NULL, &read), "read");
  memory.sum = memory.sum * 31 + time + number + chosen + (uint64_t)atol(read.data);
  printf(" %llu\n", (unsigned long long)memory.sum);
}

/* Without taking: such a process cannot be replayed. */
static void receive_unasked(lightcone_process* process) {
  lightcone_arrival next;
  must(arrive(10000, &next, NULL) == 1 ? 0 : -1, "no message came");
  must(lightcone_receive(process, &next.tag, 1, NULL, NULL), "receive");
}

static void be_b(void) {
  lightcone_process* process = start("b");
  lightcone_message* messages[2] = {lightcone_next_restored(process), NULL};
  must((messages[0] != NULL) == (memory.held != 0) ? 0 : -1, "what was held");
  for (; memory.step < pairs; ++memory.step) {
    if (unasked) {
      receive_unasked(process);
      continue;
    }
    if (messages[0] == NULL) messages[0] = take(process);
    memory.held = 1;
    messages[1] = take(process);
    memory.held = 0;
    ask(process);
    const lightcone_variable sum = {"sum", LIGHTCONE_INTEGER, {.integer = (int64_t)memory.sum}};
    const lightcone_state state = {.variables = &sum, .variable_count = 1};
    const char* sender = NULL;
    must(lightcone_receive_taken(process, messages, 2, &state, &sender), "receive");
    must(strcmp(sender, "a"), "sender");
    messages[0] = NULL;
    if (memory.step == pairs / 2) must(lightcone_begin_snapshot(process, NULL), "snapshot");
  }
  lightcone_end(process);
  printf("%d parts\n", parts);
  fflush(stdout);
}

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    if (strcmp(words[i], "--unasked") == 0) unasked = true;
    if (strcmp(words[i], "--pairs") == 0 && ++i < count) pairs = atoi(words[i]);
    if (strcmp(words[i], "--slow") == 0 && ++i < count) slow = atoi(words[i]);
  }
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, mailbox) != 0) return EXIT_FAILURE;
  for (int i = 0; i < 2; ++i) {
    const pid_t id = fork();
    if (id < 0) return EXIT_FAILURE;
    if (id > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    srand((unsigned)getpid() ^ (unsigned)time(NULL));
    i == 0 ? be_a() : be_b();
    exit(EXIT_SUCCESS);
  }
  int status = 0, worst = EXIT_SUCCESS;
  while (wait(&status) > 0) {
    if (status != 0) worst = EXIT_FAILURE;
  }
  return worst;
}
