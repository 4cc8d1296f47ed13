"""Runs all tests of the module. Usage: run_tests.py PROGRAM SOURCE_FOLDER."""

import os
import sys
import unittest

if __name__ == "__main__":
    os.environ["LIGHTCONE_PROGRAM"], os.environ["LIGHTCONE_SOURCE"] = sys.argv[1:3]
    tests = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
    result = unittest.TextTestRunner(verbosity=1).run(tests)
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
