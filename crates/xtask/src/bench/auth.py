"""The measuring side of `cargo xtask bench auth`.

auth.py SLOVO   prints one JSON object: medians in microseconds and how far two answers differ
"""

import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

PASSWORD = "Correct-Horse-7"
EMAIL = "bench@example.com"
TOKEN_PAIRS = 4000
LOGIN_PAIRS = 150
WARM_UP = 300


def started(slovo, folder, postgres=None, *more, verb="serve"):
    log = pathlib.Path(folder, "log")
    limits = ["--logins-per-minute", "1000000", "--logins-per-account", "1000000"]
    env = dict(os.environ, **({"DATABASE_URL": postgres} if postgres else {}))
    with log.open("w") as out:
        process = subprocess.Popen(
            [slovo, verb, "--port", "0", "--data", folder, "--log", "warn", *limits, *more],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=env,
        )
    while not (said := re.search(r"Slovo is at http://(\S+)", log.read_text())):
        if process.poll() is not None:
            sys.exit(f"the server ended: {log.read_text()}")
        time.sleep(0.05)
    return process, http.client.HTTPConnection(said[1])


def ask(connection, method, path, body=None, token=None):
    """One request; gives the status, the body and how long it took in microseconds."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    text = None if body is None else json.dumps(body)
    begun = time.perf_counter_ns()
    connection.request(method, path, text, headers)
    answer = connection.getresponse()
    content = answer.read()
    return answer.status, content, (time.perf_counter_ns() - begun) / 1000


def signed_in(connection, folder):
    """Signs up with the code of the mail; gives the session."""
    form = {"email": EMAIL, "password": PASSWORD, "confirm_password": PASSWORD, "terms": True, "locale": "en"}
    _, begun, _ = ask(connection, "POST", "/api/v1/auth/signup", form)
    mail = sorted(pathlib.Path(folder).glob("outbox/*.eml"))[-1].read_text()
    code = re.search(r"^    (\w{5})\s*$", mail, re.MULTILINE)[1]
    form = {"registration": json.loads(begun)["registration"], "code": code}
    status, session, _ = ask(connection, "POST", "/api/v1/auth/verify", form)
    assert status == 201, session
    return json.loads(session)


def token_cost(connection, token):
    """An action that asks for no session beside one that does nothing but look at it."""
    without, with_token = [], []
    for i in range(WARM_UP + TOKEN_PAIRS):
        status, _, open_us = ask(connection, "GET", "/api/v1/auth/options")
        assert status == 200
        status, _, closed_us = ask(connection, "GET", "/api/v1/auth/me", token=token)
        assert status == 200
        if i >= WARM_UP:
            without.append(open_us)
            with_token.append(closed_us)
    return statistics.median(without), statistics.median(with_token)


def logins(connection):
    known, unknown, right = [], [], []
    for i in range(LOGIN_PAIRS):
        for times, email in ((known, EMAIL), (unknown, f"nobody-{i}@example.com")):
            form = {"email": email, "password": f"Wrong-Horse-{i}"}
            status, _, taken = ask(connection, "POST", "/api/v1/auth/login", form)
            assert status == 401
            times.append(taken)
        if i % 5 == 0:
            status, _, taken = ask(connection, "POST", "/api/v1/auth/login", {"email": EMAIL, "password": PASSWORD})
            assert status == 200
            right.append(taken)
    return known, unknown, right


def difference(left, right):
    """The standard score of the rank sum (Mann and Whitney): beyond 3 they differ."""
    ranked = sorted([(value, 0) for value in left] + [(value, 1) for value in right])
    ranks = sum(rank for rank, (_, side) in enumerate(ranked, 1) if side == 0)
    n, m = len(left), len(right)
    spread = (n * m * (n + m + 1) / 12) ** 0.5
    return (ranks - n * (n + m + 1) / 2) / spread


def main():
    with tempfile.TemporaryDirectory() as folder:
        process, connection = started(sys.argv[1], folder)
        try:
            token = signed_in(connection, folder)["access_token"]
            without, with_token = token_cost(connection, token)
            known, unknown, right = logins(connection)
        finally:
            process.terminate()
            process.wait()
    print(
        json.dumps(
            {
                "without_us": without,
                "with_us": with_token,
                "known_us": statistics.median(known),
                "unknown_us": statistics.median(unknown),
                "right_us": statistics.median(right),
                "score": difference(known, unknown),
            }
        )
    )


if __name__ == "__main__":
    main()
