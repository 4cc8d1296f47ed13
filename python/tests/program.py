"""What the tests share: the program, whose answers are the measure, and its traces."""

import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("LIGHTCONE_PROGRAM", "lightcone")
SOURCE = os.environ.get("LIGHTCONE_SOURCE", ".")


def example(name):
    """A file of examples/."""
    return os.path.join(SOURCE, "examples", name)


def told(*words):
    """What the program says as JSON."""
    done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, check=False)
    return json.loads(done.stdout)


class TraceTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def generated(self, name, *options):
        """A random trace."""
        path = self.path(name)
        subprocess.run([PROGRAM, "generate", *options, "-o", path], check=True, capture_output=True)
        return path
