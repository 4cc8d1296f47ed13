# Wildcard receives of Python objects and buffers on mpi4py: recv, irecv, probe and Waitany.
import array
import os
import random
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
messages = 10


def noise():
    if "NOISE" in os.environ and random.random() < 0.5:
        time.sleep(random.random() / 2000)


def say(*words):
    line = " ".join(map(str, (rank, *words))) + "\n"
    print(line, end="", flush=True)  # in one piece, since all ranks share an output


def send(tag):
    for number in range(messages):
        noise()
        world.send({"from": rank, "number": number}, dest=0, tag=tag)


def receive_objects():
    status = MPI.Status()
    for _ in range(messages * (size - 1)):
        came = world.recv(source=MPI.ANY_SOURCE, tag=1, status=status)
        say("recv", status.Get_source(), came)


def receive_later():
    for _ in range(messages * (size - 1)):
        say("irecv", world.irecv(source=MPI.ANY_SOURCE, tag=2).wait())


def receive_probed():
    status = MPI.Status()
    for _ in range(messages * (size - 1)):
        message = world.mprobe(source=MPI.ANY_SOURCE, tag=3, status=status)
        say("mprobe", status.Get_source(), message.recv())


def receive_buffers():
    buffers = [array.array("i", [0]) for _ in range(size - 1)]
    for _ in range(messages):
        requests = [world.Irecv(buffer, MPI.ANY_SOURCE, 4) for buffer in buffers]
        for _ in requests:
            which = MPI.Request.Waitany(requests)
            say("Waitany", which, buffers[which][0])


if rank == 0:
    receive_objects()
    receive_later()
    receive_probed()
    receive_buffers()
else:
    for tag in (1, 2, 3):
        send(tag)
    for number in range(messages):
        noise()
        world.Send(array.array("i", [100 * rank + number]), dest=0, tag=4)
say("sum", world.allreduce(rank))
