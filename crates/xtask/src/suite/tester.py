"""What Schemathesis needs to know of Slovo: who asks, and how bytes are sent.

Everybody of these requests is the first account, which is an administrator. Some requests end
sessions, so it signs in again now and then.
"""

import json
import sys

import schemathesis

from account import ACCOUNT, post, sign_up


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


if __name__ == "__main__":
    sign_up(sys.argv[1])
