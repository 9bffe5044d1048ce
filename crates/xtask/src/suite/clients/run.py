"""Runs the tests of all clients and writes a JUnit report."""

import pathlib
import sys
import time
import xml.etree.ElementTree as et

import with_deepgram
import with_docs
import with_openai
import with_remote
import with_requests
import with_wyoming
from common import Skipped

REPORT = pathlib.Path(sys.argv[2])


def outcome(test):
    """The element of a test that did not pass: its name and its message."""
    try:
        test()
    except Skipped as reason:
        print(f"skipped: {test.__name__}: {reason}")
        return "skipped", str(reason)
    except Exception as error:  # Whatever happens in a test is its failure.
        return "failure", f"{type(error).__name__}: {error}"


def main():
    suite = et.Element("testsuite", name="clients")
    for module in [with_openai, with_deepgram, with_requests, with_wyoming, with_remote, with_docs]:
        for test in module.TESTS:
            begun = time.monotonic()
            ended = outcome(test)
            taken = f"{time.monotonic() - begun:.3f}"
            case = et.SubElement(suite, "testcase", classname=module.__name__, name=test.__name__, time=taken)
            if ended:
                et.SubElement(case, ended[0], message=ended[1])
    et.ElementTree(suite).write(REPORT, encoding="unicode")
    sys.exit(suite.find("testcase/failure") is not None)


main()
