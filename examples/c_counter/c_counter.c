// Two clients add to the counter of a store, in C: each process is one of the operating system, and
// takes its messages from a socket.
//
// c_counter [--bug]     with --bug, clients read the counter and write it back
#include <lightcone/c.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signal.h>

enum { processes = 3, longest = 4096 };
static const char* const names[processes] = {"store", "alice", "bob"};

/* The mailbox of each process: all others write to one end, and it reads from the other. */
static int mailboxes[processes][2];

/* One process, and its last message. */
struct actor {
  lightcone_process* process;
  int mailbox;
  char arrived[longest];
  char text[longest];
  int from;
};

static void give_up(const char* what) {
  fprintf(stderr, "%s: %s\n", what, lightcone_last_error());
  exit(EXIT_FAILURE);
}

/* A message on its way: who sends it, how long its text is, the text, and the tag. */
struct header {
  int from;
  size_t text_size;
};

static void send_text(struct actor* self, int me, int to, const char* text) {
  lightcone_tag tag;
  const lightcone_state state = {.text = text, .source = LIGHTCONE_HERE};
  if (lightcone_send(self->process, &names[to], 1, &state, &tag) != 0) give_up("send");
  char bytes[longest];
  const struct header header = {me, strlen(text)};
  const size_t size = sizeof header + header.text_size + tag.size;
  if (size > sizeof bytes) give_up("the message is too long");
  memcpy(bytes, &header, sizeof header);
  memcpy(bytes + sizeof header, text, header.text_size);
  memcpy(bytes + sizeof header + header.text_size, tag.data, tag.size);
  if (send(mailboxes[to][1], bytes, size, MSG_NOSIGNAL) != (ssize_t)size) give_up("cannot send");
}

/* Waits for the next message, as lightcone_take asks for it. */
static int arrive(int64_t milliseconds, lightcone_arrival* arrival, void* user) {
  struct actor* self = user;
  struct pollfd item = {.fd = self->mailbox, .events = POLLIN};
  if (poll(&item, 1, milliseconds < 0 ? -1 : (int)milliseconds) <= 0) return 0;
  const ssize_t size = recv(self->mailbox, self->arrived, sizeof self->arrived, 0);
  struct header header;
  if (size < (ssize_t)sizeof header) return 0;
  memcpy(&header, self->arrived, sizeof header);
  const size_t untagged = sizeof header + header.text_size;
  if (header.text_size > (size_t)size || untagged > (size_t)size) return 0;
  arrival->contents = (lightcone_bytes){self->arrived, untagged};
  arrival->tag = (lightcone_tag){self->arrived + untagged, (size_t)size - untagged};
  return 1;
}

/* Takes the next message, and makes its text and its sender known. */
static lightcone_message* take(struct actor* self) {
  lightcone_message* message = NULL;
  if (lightcone_take(self->process, "inbox", -1, arrive, self, &message) != 0) give_up("take");
  if (message == NULL) give_up("no message came");
  const lightcone_bytes contents = lightcone_contents(message);
  struct header header;
  memcpy(&header, contents.data, sizeof header);
  self->from = header.from;
  memcpy(self->text, (const char*)contents.data + sizeof header, header.text_size);
  self->text[header.text_size] = '\0';
  return message;
}

static void receive(struct actor* self, lightcone_message* message, const lightcone_state* state) {
  if (lightcone_receive_taken(self->process, &message, 1, state, NULL) != 0) give_up("receive");
}

static int be_store(struct actor* self, bool bug) {
  static const char* const put[] = {"put"};
  char text[32];
  long counter = 0;
  for (int messages = bug ? 4 : 2; messages > 0; --messages) {
    lightcone_message* message = take(self);
    if (strcmp(self->text, "get") == 0) {
      receive(self, message, NULL);
      snprintf(text, sizeof text, "%ld", counter);
      send_text(self, 0, self->from, text);
      continue;
    }
    counter = strcmp(self->text, "add") == 0 ? counter + 1 : atol(self->text);
    const lightcone_variable now = {"counter", LIGHTCONE_INTEGER, {.integer = counter}};
    const lightcone_state state = {.labels = put,
                                   .label_count = 1,
                                   .variables = &now,
                                   .variable_count = 1,
                                   .source = LIGHTCONE_HERE};
    receive(self, message, &state);
  }
  if (counter == 2) return EXIT_SUCCESS;
  fprintf(stderr, "store failed: an addition is lost\n");
  return EXIT_FAILURE;
}

static int be_client(struct actor* self, int me, bool bug) {
  char text[32];
  if (!bug) {
    send_text(self, me, 0, "add");
    return EXIT_SUCCESS;
  }
  send_text(self, me, 0, "get");
  receive(self, take(self), NULL);
  snprintf(text, sizeof text, "%ld", atol(self->text) + 1);
  send_text(self, me, 0, text);
  return EXIT_SUCCESS;
}

static int live(int me, bool bug) {
  static struct actor self;
  self.mailbox = mailboxes[me][0];
  const lightcone_options options = {
      .size = sizeof options, .name = names[me], .members = names, .member_count = processes};
  self.process = lightcone_start(&options, NULL);
  if (self.process == NULL) give_up(names[me]);
  const int status = me == 0 ? be_store(&self, bug) : be_client(&self, me, bug);
  lightcone_end(self.process);
  return status;
}

int main(int count, char** words) {
  const bool bug = count > 1 && strcmp(words[1], "--bug") == 0;
  for (int i = 0; i < processes; ++i) {
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, mailboxes[i]) != 0) give_up("no sockets");
  }
  for (int i = 0; i < processes; ++i) {
    const pid_t id = fork();
    if (id < 0) give_up("cannot start a process");
    if (id > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with the program
    exit(live(i, bug));
  }
  int status = 0, worst = EXIT_SUCCESS;
  while (wait(&status) > 0) {
    if (status != 0) worst = EXIT_FAILURE;
  }
  return worst;
}
