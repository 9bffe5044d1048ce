"""The measuring side of `cargo xtask bench lists`: clients that ask for the same thing again and again.

lists.py lists SLOVO LUA SEEDER JOBS SECONDS [URL]
lists.py recognition SLOVO LUA MODELS FILE SECONDS
Each prints a JSON object a line: a name, p50 and p99 in milliseconds, and how many rows there were.
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

from auth import EMAIL, PASSWORD, ask, signed_in, started

CLIENTS = 16
# The tag that many_jobs gives a third of the jobs.
TAG = "00000000-0000-7000-8000-000000000001"
PEER = "/api/v1/auth/me"


def targets(connection, token):
    """What is asked for, by what it shows."""
    yield "one row by its key", PEER
    yield "summary", "/api/v1/jobs/summary"
    jobs = "/api/v1/jobs"
    yield "list of 20", f"{jobs}?limit=20"
    yield "list of 100", f"{jobs}?limit=100"
    for name, sort in {"": "", ", by name": "&sort=name", ", by length": "&sort=-length"}.items():
        cursor = ""
        for _ in range(30):
            status, content, _ = ask(connection, "GET", f"{jobs}?limit=100{sort}&cursor={cursor}", token=token)
            assert status == 200, content
            cursor = json.loads(content)["next_cursor"] or ""
        yield f"page 31 of 100{name}", f"{jobs}?limit=100{sort}&cursor={cursor}"
    for name, query in {
        "completed": "status=completed",
        "failed": "status=error",
        "a state without a hit": "status=processing",
        "Lite": "mode=lite",
        "a language": "language=pl",
        "a language without a hit": "language=fr",
        "failed, Lite, a language": "status=error&mode=lite&language=de",
        "a common name": "q=" + quote("нарада"),
        "a rare name": "q=777",
        "a name without a hit": "q=" + quote("немає такого"),
        "two letters without a hit": "q=qx",
        "a name, cancelled": "status=cancelled&q=" + quote("інтерв"),
        "a tag": f"tag={TAG}",
        "a tag, failed": f"tag={TAG}&status=error",
    }.items():
        yield f"jobs: {name}", f"{jobs}?{query}"
    for sort in ("date", "name", "-name", "length", "-length", "state", "-state"):
        yield f"sorted: {sort}", f"{jobs}?sort={sort}"
    for name, query in {
        "completed": "status=completed",
        "failed, Lite, a language": "status=error&mode=lite&language=de",
        "a tag": f"tag={TAG}",
        "a tag, failed": f"tag={TAG}&status=error",
        "a common name": "q=" + quote("нарада"),
        "a rare name": "q=777",
        "a common name, a tag": f"tag={TAG}&q=" + quote("нарада"),
    }.items():
        for sort in ("name", "-length", "state"):
            yield f"sorted: {sort}, {name}", f"{jobs}?sort={sort}&{query}"
    for name, words in {
        "a common word": "година",
        "two common words": "година робота",
        "the beginning of words": "пи",
        "a rare word": "фенікулярія",
        "nothing": "немаєтакого",
    }.items():
        yield f"search: {name}", f"/api/v1/search?q={quote(words)}"
    for days in (7, 30, 90):
        yield f"usage of {days} days", f"/api/v1/me/usage?days={days}"
    yield "history of minutes", "/api/v1/me/usage-history"
    admin = "/api/v1/admin"
    yield "admin: jobs", f"{admin}/jobs"
    for name, text in {
        "a common name": "нарада",
        "a rare name": "777",
        "a name without a hit": "немає такого",
        "a part of an id": "0000019e1",
    }.items():
        yield f"admin: jobs, {name}", f"{admin}/jobs?search={quote(text)}"
    yield "admin: users", f"{admin}/users"
    yield "admin: users, nobody", f"{admin}/users?search=nobodyatall"
    for days in (7, 30, 90):
        yield f"admin: overview of {days} days", f"{admin}/overview?days={days}"


def wrk(base, path, token, clients, seconds, lua):
    printed = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(clients), "--duration", f"{seconds}s"]
        + ["--timeout", "30s", "--header", f"Authorization: Bearer {token}", "--script", lua, base + path],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return json.loads(printed.splitlines()[-1])


def measure(connection, token, name, path, clients, seconds, lua):
    """Asks once, to see what is answered, and then as often as can be."""
    status, content, _ = ask(connection, "GET", path, token=token)
    assert status == 200, (path, content)
    counted = wrk(f"http://{connection.host}:{connection.port}", path, token, clients, seconds, lua)
    assert counted["failed"] == 0, (path, counted)
    found = json.loads(content).get("items") if path.startswith("/api/") else None
    line = {"name": name, "p50": counted["p50"] / 1000, "p99": counted["p99"] / 1000}
    print(json.dumps(line | {"found": None if found is None else len(found)}), flush=True)


def ended(process):
    process.terminate()
    process.wait()


def lists(slovo, lua, seeder, jobs, seconds, postgres=None):
    with tempfile.TemporaryDirectory() as folder:
        process, connection = started(slovo, folder, postgres)
        signed_in(connection, folder)
        ended(process)
        url = postgres or f"sqlite://{pathlib.Path(folder, 'slovo.db')}"
        subprocess.run([seeder, url, EMAIL, jobs], check=True)
        # The recordings are not there.
        process, connection = started(slovo, folder, postgres, "--adopt")
        try:
            form = {"email": EMAIL, "password": PASSWORD}
            status, session, _ = ask(connection, "POST", "/api/v1/auth/login", form)
            assert status == 200, session
            token = json.loads(session)["access_token"]
            for name, path in targets(connection, token):
                measure(connection, token, name, path, CLIENTS, seconds, lua)
        finally:
            ended(process)


def job(connection, token, path):
    """Uploads a recording and has it recognised; gives the job's id."""
    content = pathlib.Path(path).read_bytes()
    headers = {"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0"}
    name = base64.b64encode(pathlib.Path(path).name.encode()).decode()
    head = headers | {"Upload-Length": str(len(content)), "Upload-Metadata": f"filename {name}"}
    connection.request("POST", "/api/v1/uploads", headers=head)
    answer = connection.getresponse()
    answer.read()
    location = answer.headers["Location"].split("/api/", 1)[1]
    head = headers | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    connection.request("PATCH", f"/api/{location}", content, head)
    connection.getresponse().read()
    settings = {"transcription_type": "full", "language_code": "en"}
    form = {"upload_id": location.rsplit("/", 1)[1], "settings": settings}
    status, made, _ = ask(connection, "POST", "/api/v1/jobs", form, token)
    assert status == 201, made
    return json.loads(made)["my_job_id"]


def recognition(slovo, lua, models, file, seconds):
    with tempfile.TemporaryDirectory() as folder:
        process, connection = started(slovo, folder, None, "--models", models)
        try:
            token = signed_in(connection, folder)["access_token"]
            # Several, so that recognition lasts longer than the measurement on a fast machine, too.
            jobs = [job(connection, token, file) for _ in range(4)]
            own = jobs[0]
            while json.loads(ask(connection, "GET", f"/api/v1/jobs/{own}", token=token)[1])["progress"]["stage"] != "transcribing":
                time.sleep(0.2)
            for name, path in {
                "one row by its key": PEER,
                "the first page": "/",
                "the list of jobs": "/api/v1/jobs",
                "the job": f"/api/v1/jobs/{own}",
            }.items():
                # Long enough for slices of time to be seen.
                measure(connection, token, name, path, 1, 4 * int(seconds), lua)
            states = [json.loads(ask(connection, "GET", f"/api/v1/jobs/{each}", token=token)[1])["status"] for each in jobs]
            assert "processing" in states, "the recording is too short for this machine"
        finally:
            ended(process)


if __name__ == "__main__":
    {"lists": lists, "recognition": recognition}[sys.argv[1]](*sys.argv[2:])
