"""The measuring side of `cargo xtask bench openai`: OpenAI's endpoint beside `slovo transcribe`.

openai.py SLOVO MODELS FILE PAIRS   prints one JSON object
"""

import json
import pathlib
import sys
import tempfile
import threading
import time

from server import Server, transcribe

BOUNDARY = "slovo-bench"


def form(file):
    """A multipart body with the recording."""
    fields = {"model": "whisper-1", "language": "en", "response_format": "json", "stream": "true"}
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{pathlib.Path(file).name}"\r\n\r\n'
    return b"".join([*parts, head.encode(), pathlib.Path(file).read_bytes(), f"\r\n--{BOUNDARY}--\r\n".encode()])


def newest(server):
    """The id of the newest job."""
    with server.send("GET", "/api/v1/jobs?limit=1") as answer:
        items = json.load(answer)["items"]
    return items[0]["my_job_id"] if items else None


def first_segments(server, before, found):
    """Notes when the text of the job after `before` begins to exist."""
    while (job := newest(server)) == before:
        time.sleep(0.01)
    with server.send("GET", f"/api/v1/jobs/{job}/events") as events:
        for line in events:
            if line.decode().strip() in ("event: segments", "event: completed"):
                found.append(time.perf_counter())
                return


def streamed(server, file):
    """One request; the delta is that of the first streamed text after the text exists, in seconds."""
    found = []
    watcher = threading.Thread(target=first_segments, args=(server, newest(server), found))
    watcher.start()
    body = form(file)
    began, first = time.perf_counter(), None
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    with server.send("POST", "/v1/audio/transcriptions", body, Content_Type=kind) as events:
        for line in events:
            if b"transcript.text.delta" in line and first is None:
                first = time.perf_counter()
            if b"[DONE]" in line:
                break
    wall = time.perf_counter() - began
    watcher.join()
    return {"wall": wall, "first_delta": first - began, "after_text": first - found[0]}


def main(slovo, models, file, pairs):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(slovo, models, folder)
        streamed(server, file)
        transcribe(slovo, models, file, folder)
        measured = []
        for pair in range(int(pairs)):
            # Turn about, so that a machine that gets slower is not held against either.
            if pair % 2:
                request, alone = streamed(server, file), transcribe(slovo, models, file, folder)
            else:
                alone, request = transcribe(slovo, models, file, folder), streamed(server, file)
            measured.append({"alone": alone["wall"], "request": request})
        server.process.terminate()
        server.process.wait()
    json.dump(measured, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
