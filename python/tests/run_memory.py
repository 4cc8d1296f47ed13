"""Loads a trace of 10 million events, and compares the memory with that of the program.

Usage: run_memory.py PROGRAM SOURCE_FOLDER [EVENTS]
"""

import os
import subprocess
import sys
import tempfile

LOAD = """
import lightcone, sys
trace = lightcone.read(sys.argv[1])
columns = trace.columns
arrays = [columns.first, columns.process_of, columns.kinds, columns.sends, columns.takes_begin,
          columns.takes, columns.sent_by, columns.order]
print(len(trace), sum(int(array.sum(dtype="uint64")) for array in arrays) > 0)
"""
MOST = 1.2


def most_memory(*words):
    """The most memory that a program held, in kilobytes."""
    program = subprocess.Popen(words, stdout=subprocess.PIPE)
    said = program.stdout.read()
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = status
    if status != 0:
        sys.exit(f"{words[0]} failed")
    return usage.ru_maxrss, said


if __name__ == "__main__":
    lightcone, events = sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else "10000000"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.lct")
        subprocess.run([lightcone, "generate", "--events", events, "-o", path], check=True)
        program, _ = most_memory(lightcone, "info", path)
        module, said = most_memory(sys.executable, "-c", LOAD, path)
    ratio = module / program
    print(f"info: {program} KB; module: {module} KB; ratio {ratio:.2f}, at most {MOST}")
    sys.exit(0 if said.decode() == f"{events} True\n" and ratio < MOST else 1)
