// A program as a user of the adapter for ZeroMQ writes it: two processes, one message.
#include <lightcone/zeromq/messages.h>

#include <iostream>

int main() {
  auto anna = lightcone::Process::start({.name = "anna"});
  auto ben = lightcone::Process::start({.name = "ben"});
  if (!anna || !ben) return 1;
  zmq::context_t context;
  zmq::socket_t out(context, zmq::socket_type::pair), in(context, zmq::socket_type::pair);
  in.bind("inproc://greetings");
  out.connect("inproc://greetings");

  lightcone::zeromq::Message message;
  if (!lightcone::zeromq::send(out, **anna, "ben", {"hello"})) return 1;
  if (!lightcone::zeromq::receive(in, **ben, message)) return 1;
  std::cout << message.text() << " from " << message.sender << '\n';
}
