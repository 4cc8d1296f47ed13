"""Long work lets other threads run, and Ctrl-C ends it."""

import os
import signal
import subprocess
import sys
import threading
import time

import lightcone
from program import TraceTest

LONG_WORK = """
import lightcone, sys, time
trace = lightcone.read(sys.argv[1])
print("begun", flush=True)
try:
    trace.states(limit_seconds=300, limit_bytes=None)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print(len(trace), trace.past(0).sum() > 0, flush=True)
"""


class Interrupts(TraceTest):
    def setUp(self):
        super().setUp()
        # Too entangled to be counted without visiting the states.
        self.run_path = self.generated("long.lct", "--processes", "40", "--events", "4000", "--seed", "5")

    def test_ctrl_c_ends_long_work(self):
        program = subprocess.Popen([sys.executable, "-c", LONG_WORK, self.run_path],
                                   stdout=subprocess.PIPE, text=True)
        self.assertEqual(program.stdout.readline(), "begun\n")
        time.sleep(1)
        begun = time.monotonic()
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=60)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual(said, "interrupted\n4000 True\n")
        self.assertEqual(program.returncode, 0)

    def test_other_threads_run_meanwhile(self):
        trace = lightcone.read(self.run_path)
        over, rounds = threading.Event(), []

        def run():
            while not over.wait(0.01):
                rounds.append(time.monotonic())

        thread = threading.Thread(target=run)
        thread.start()
        states = trace.states(limit_seconds=1.5, limit_bytes=None)
        over.set()
        thread.join()
        self.assertIsNone(states.count)  # it took all the time it had
        self.assertGreater(len(rounds), 20)
