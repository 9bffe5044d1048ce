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

REPORT = pathlib.Path(sys.argv[2])


def failure(test):
    try:
        test()
    except Exception as error:  # Whatever happens in a test is its failure.
        return f"{type(error).__name__}: {error}"


def main():
    suite = et.Element("testsuite", name="clients")
    for module in [with_openai, with_deepgram, with_requests, with_wyoming, with_remote, with_docs]:
        for test in module.TESTS:
            begun = time.monotonic()
            wrong = failure(test)
            taken = f"{time.monotonic() - begun:.3f}"
            case = et.SubElement(suite, "testcase", classname=module.__name__, name=test.__name__, time=taken)
            if wrong:
                et.SubElement(case, "failure", message=wrong)
    et.ElementTree(suite).write(REPORT, encoding="unicode")
    sys.exit(suite.find("testcase/failure") is not None)


main()
