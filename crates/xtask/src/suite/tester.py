"""What Schemathesis needs to know of Slovo: who asks, and how bytes are sent.

Everybody of these requests is the first account, which is an administrator. Some requests end
sessions, so it signs in again now and then.
"""

import json
import os
import pathlib
import sys
import time
import urllib.request

import schemathesis

API = os.environ["SLOVO_TEST_API"]
ACCOUNT = {"email": "tester@example.com", "password": "Correct-Horse-7"}


def post(path, body):
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(API + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@schemathesis.auth(refresh_interval=20)
class Session:
    def get(self, case, context):
        return post("/auth/login", ACCOUNT)["access_token"]

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.serializer("application/offset+octet-stream")
def octets(context, value):
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


# Headers of the connection and of the body's length. The HTTP library refuses wrong ones with an
# empty 400 before Slovo sees the request.
FRAMING = {"connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade"}


@schemathesis.hook
def before_call(context, case, kwargs):
    for name in [name for name in case.headers or {} if name.lower() in FRAMING]:
        del case.headers[name]


def code(outbox):
    """The code in the first mail: its text part has it alone in an indented line."""
    for _ in range(600):
        for mail in pathlib.Path(outbox).glob("*"):
            for line in mail.read_text().splitlines():
                if line.startswith("    "):
                    return line.strip()
        time.sleep(0.1)
    sys.exit("the code of the sign-up was not mailed")


if __name__ == "__main__":
    again = {"confirm_password": ACCOUNT["password"], "terms": True, "locale": "en"}
    begun = post("/auth/signup", ACCOUNT | again)
    post("/auth/verify", {"registration": begun["registration"], "code": code(sys.argv[1])})
