"""The measuring side of `cargo xtask bench load`: readers, uploaders and listeners at the same time.

load.py SLOVO LUA SEEDER JOBS SECONDS [URL]
Prints a JSON object a line: what was measured, and figures with their units in the names.
"""

import http.client
import io
import json
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
import wave
from urllib.parse import quote

from auth import EMAIL, PASSWORD, ask, signed_in, started

READERS = 500
UPLOADERS = 50
LISTENERS = 20
IDLE_STREAMS = 5000
# As many as one user may have.
STREAMS_OF_A_USER = 10
THINKS_MS = (1000, 3000)
TUS = {"Tus-Resumable": "1.0.0"}


def recording():
    """Eight seconds of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(8 * 32000))
    return file.getvalue()


UPLOAD = recording()


def memory_mb(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def said(name, **figures):
    print(json.dumps({"name": name} | figures), flush=True)


def read(base, token, paths, seconds, folder, lua):
    """Users who read, think and read on."""
    plan = pathlib.Path(folder, "plan")
    plan.write_text("".join(f"path {path}\n" for path in paths) + f"token {token}\n")
    printed = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(READERS), "--duration", f"{seconds}s", "--timeout", "30s"]
        + ["--script", lua, base, "--", str(plan), *map(str, THINKS_MS)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return json.loads(printed.splitlines()[-1])


def upload(host, port, token, until, counts):
    """Uploads in two parts, and deletes it, again and again."""
    connection = http.client.HTTPConnection(host, port)
    own = TUS | {"Authorization": f"Bearer {token}"}
    half = len(UPLOAD) // 2

    def sent(method, path, body=None, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, own | named)
        answer = connection.getresponse()
        answer.read()
        return answer

    while time.monotonic() < until:
        begun = time.perf_counter()
        made = sent("POST", "/api/v1/uploads", Upload_Length=str(len(UPLOAD)), Upload_Metadata="filename dGFsay53YXY=")
        if made.status != 201:
            counts["failed"] += 1
            continue
        path = "/api/" + made.headers["Location"].split("/api/", 1)[1]
        kind = {"Content_Type": "application/offset+octet-stream"}
        first = sent("PATCH", path, UPLOAD[:half], Upload_Offset="0", **kind)
        second = sent("PATCH", path, UPLOAD[half:], Upload_Offset=str(half), **kind)
        deleted = sent("DELETE", path)
        counts["failed"] += sum(answer.status != 204 for answer in (first, second, deleted))
        counts["made"] += 1
        counts["slowest_ms"] = max(counts["slowest_ms"], (time.perf_counter() - begun) * 1000)
        time.sleep(1)


def stream(address, path, token):
    """Opens an event stream and reads its first event."""
    opened = socket.create_connection(address)
    opened.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    head = b""
    while b"event: state" not in head:
        piece = opened.recv(65536)
        assert piece, head
        head += piece
        assert head.startswith(b"HTTP/1.1 200"), head
    return opened


def login(connection, email):
    status, session, _ = ask(connection, "POST", "/api/v1/auth/login", {"email": email, "password": PASSWORD})
    assert status == 200, session
    return json.loads(session)["access_token"]


def waiting_job(connection, token):
    """A job that waits for a recording that nobody downloads."""
    settings = {"transcription_type": "lite", "language_code": "en", "url": "https://example.com/a.mp3"}
    status, made, _ = ask(connection, "POST", "/api/v1/jobs", {"settings": settings}, token)
    assert status == 201, made
    return "/api/v1/jobs/" + json.loads(made)["my_job_id"] + "/events"


def together(process, connection, folder, lua, seconds):
    token = login(connection, EMAIL)
    jobs = json.loads(ask(connection, "GET", "/api/v1/jobs?limit=20", token=token)[1])["items"]
    paths = ["/", "/api/v1/jobs?limit=20", "/api/v1/jobs/summary", "/api/v1/search?q=" + quote("фенікулярія")]
    paths += [f"/api/v1/jobs/{job['my_job_id']}" for job in jobs[:5]]
    for path in paths:
        status, content, _ = ask(connection, "GET", path, token=token)
        assert status == 200, (path, content)
    address = (connection.host, connection.port)
    people = [new_user(connection, folder, number) for number in range(UPLOADERS)]
    listeners = []
    for person in people[: LISTENERS // STREAMS_OF_A_USER]:
        path = waiting_job(connection, person)
        listeners += [stream(address, path, person) for _ in range(STREAMS_OF_A_USER)]
    before = memory_mb(process)
    counts = {"made": 0, "failed": 0, "slowest_ms": 0}
    until = time.monotonic() + seconds
    uploaders = [
        threading.Thread(target=upload, args=(*address, person, until, counts)) for person in people
    ]
    for uploader in uploaders:
        uploader.start()
    counted = read(f"http://{address[0]}:{address[1]}", token, paths, seconds, folder, lua)
    for uploader in uploaders:
        uploader.join()
    said(
        f"{READERS} readers, {UPLOADERS} uploaders, {LISTENERS} event streams",
        requests_per_second=counted["requests"] / counted["microseconds"] * 1e6,
        p50_ms=counted["p50"] / 1000,
        p99_ms=counted["p99"] / 1000,
        failed=counted["failed"] + counts["failed"],
        uploads=counts["made"],
        slowest_upload_ms=counts["slowest_ms"],
        memory_mb=memory_mb(process),
        added_mb=memory_mb(process) - before,
    )
    for listener in listeners:
        listener.close()


def new_user(connection, folder, number):
    """Signs up somebody else."""
    import auth

    known = auth.EMAIL
    auth.EMAIL = f"reader-{number}@example.com"
    try:
        return signed_in(connection, folder)["access_token"]
    finally:
        auth.EMAIL = known


def idle(process, connection, folder):
    address = (connection.host, connection.port)
    # The server has closed it while nothing was sent.
    connection.close()
    before = memory_mb(process)
    streams = []
    for number in range(IDLE_STREAMS // STREAMS_OF_A_USER):
        token = new_user(connection, folder, 1000 + number)
        path = waiting_job(connection, token)
        streams += [stream(address, path, token) for _ in range(STREAMS_OF_A_USER)]
    said(f"{len(streams)} idle event streams", added_mb=memory_mb(process) - before, memory_mb=memory_mb(process))
    for opened in streams:
        opened.close()


def main(slovo, lua, seeder, jobs, seconds, postgres=None):
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    # Behind a proxy, all clients have one address.
    options = ["--signups-per-hour", "100000", "--sample", "false", "--behind-proxy", "--connections", "6000"]
    with tempfile.TemporaryDirectory() as folder:
        process, connection = started(slovo, folder, postgres, *options)
        signed_in(connection, folder)
        process.terminate()
        process.wait()
        url = postgres or f"sqlite://{pathlib.Path(folder, 'slovo.db')}"
        subprocess.run([seeder, url, EMAIL, jobs], check=True)
        # Pages alone: the jobs of this measurement wait. The recordings of the others are not there.
        process, connection = started(slovo, folder, postgres, *options, "--adopt", verb="web")
        try:
            together(process, connection, folder, lua, int(seconds))
            idle(process, connection, folder)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
