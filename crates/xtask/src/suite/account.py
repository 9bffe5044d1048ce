"""An account on a server that a test has started: signed up with the code of its mail."""

import json
import os
import pathlib
import sys
import time
import urllib.request

API = os.environ["SLOVO_TEST_API"]
ACCOUNT = {"email": "tester@example.com", "password": "Correct-Horse-7"}


def post(path, body, token=None, api=API):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(api + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def code(outbox):
    """The code in the first mail: its text part has it alone in an indented line."""
    for _ in range(600):
        for mail in pathlib.Path(outbox).glob("*"):
            for line in mail.read_text().splitlines():
                if line.startswith("    "):
                    return line.strip()
        time.sleep(0.1)
    sys.exit("the code of the sign-up was not mailed")


def sign_up(outbox, api=API):
    """Signs up and returns the session."""
    again = {"confirm_password": ACCOUNT["password"], "terms": True, "locale": "en"}
    begun = post("/auth/signup", ACCOUNT | again, api=api)
    given = {"registration": begun["registration"], "code": code(outbox)}
    return post("/auth/verify", given, api=api)
