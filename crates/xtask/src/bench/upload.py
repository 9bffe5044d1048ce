"""The measuring side of `cargo xtask bench upload`.

upload.py SLOVO PEER MEGABYTES PAIRS   prints one JSON object: seconds of each upload, in pairs, and memory in MB
"""

import base64
import hashlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

from auth import ask, signed_in, started

MB = 1024 * 1024


def made(path, megabytes):
    """A WAV file of noise-like bytes."""
    size = megabytes * MB
    block = os.urandom(MB)
    with path.open("wb") as out:
        head = b"RIFF" + (size - 8).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
        head += bytes([1, 0, 1, 0]) + (44100).to_bytes(4, "little") + (88200).to_bytes(4, "little") + bytes([2, 0, 16, 0])
        out.write(head + b"data" + (size - 44).to_bytes(4, "little") + block[44:])
        for _ in range(megabytes - 1):
            out.write(block)


def sent(address, head, path):
    """One request whose body is the file, by sendfile; gives the status and the seconds to the answer."""
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as connection, path.open("rb") as file:
        begun = time.perf_counter()
        connection.sendall(head.encode())
        connection.sendfile(file)
        status = int(connection.recv(65536).split(b" ")[1])
        return status, time.perf_counter() - begun


def memory(process, field):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(text.split(f"{field}:")[1].split()[0]) / 1024


class Peak(threading.Thread):
    """The most resident memory of a process while it is watched."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.most, self.done = process, 0.0, threading.Event()

    def run(self):
        while not self.done.wait(0.02):
            self.most = max(self.most, memory(self.process, "VmRSS"))


def upload(connection, address, token, path):
    """Creates an upload and sends the whole file with one PATCH."""
    name = base64.b64encode(b"bench.wav").decode()
    headers = {
        "Authorization": f"Bearer {token}",
        "Tus-Resumable": "1.0.0",
        "Upload-Length": str(path.stat().st_size),
        "Upload-Metadata": f"filename {name}",
    }
    connection.request("POST", "/api/v1/uploads", headers=headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 201, answer.status
    place = answer.headers["Location"]
    place = place[place.index("/api/") :]
    head = (
        f"PATCH {place} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nTus-Resumable: 1.0.0\r\n"
        f"Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
        f"Content-Length: {path.stat().st_size}\r\nConnection: close\r\n\r\n"
    )
    status, seconds = sent(address, head, path)
    assert status == 204, status
    connection.request("DELETE", place, headers={"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0"})
    connection.getresponse().read()
    return seconds


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(slovo, peer, megabytes, pairs):
    with tempfile.TemporaryDirectory(dir=os.environ.get("SLOVO_BENCH_FOLDER")) as folder:
        folder = pathlib.Path(folder)
        file = folder / "file.wav"
        made(file, megabytes)
        data = folder / "data"
        data.mkdir()
        server, connection = started(slovo, data)
        address = f"{connection.host}:{connection.port}"
        plain = subprocess.Popen([peer, folder / "plain"], stdout=subprocess.PIPE, text=True)
        try:
            token = signed_in(connection, data)["access_token"]
            other = plain.stdout.readline().strip()
            head = f"PUT / HTTP/1.1\r\nHost: {other}\r\nContent-Length: {file.stat().st_size}\r\nConnection: close\r\n\r\n"
            # Unmeasured: what both have to load once.
            upload(connection, address, token, file)
            sent(other, head, file)
            before = memory(server, "VmRSS")
            peak = Peak(server)
            peak.start()
            figures = []
            for turn in range(pairs):
                first = turn % 2 == 0
                ours = upload(connection, address, token, file) if first else None
                status, theirs = sent(other, head, file)
                assert status == 204, status
                ours = ours if first else upload(connection, address, token, file)
                figures.append([ours, theirs])
            peak.done.set()
            assert digest(folder / "plain") == digest(file)
            print(json.dumps({"pairs": figures, "before_mb": before, "peak_mb": peak.most}))
        finally:
            server.kill()
            plain.kill()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
