"""The measuring side of `cargo xtask bench server`: `slovo serve` beside `slovo transcribe`.

server.py SLOVO MODELS FILE CUT PAIRS   prints one JSON object; CUT is the file's first 28 s
"""

import base64
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")


def cpu(stat):
    """User and system seconds of a process or a thread by its `stat` file."""
    fields = pathlib.Path(stat).read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Server:
    """A server on a folder of its own, with somebody signed in."""

    def __init__(self, slovo, models, folder):
        self.folder = pathlib.Path(folder)
        log = self.folder / "log"
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [slovo, "serve", "--port", "0", "--data", folder, "--models", models],
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        while not (said := re.search(r"Slovo is at (http://\S+)", log.read_text())):
            if self.process.poll() is not None:
                sys.exit(f"the server ended: {log.read_text()}")
            time.sleep(0.05)
        self.base = said[1]
        self.headers = {}
        password = "Correct-Horse-7"
        form = {"email": "bench@example.com", "password": password, "confirm_password": password, "terms": True}
        begun = json.load(self.post("/api/v1/auth/signup", form | {"locale": "en"}))
        code = {"registration": begun["registration"], "code": self.code()}
        session = json.load(self.post("/api/v1/auth/verify", code))
        self.headers["Authorization"] = "Bearer " + session["access_token"]

    def send(self, method, path, body=None, **headers):
        headers = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        return urllib.request.urlopen(
            urllib.request.Request(self.base + path, data=body, method=method, headers=headers)
        )

    def post(self, path, value):
        return self.send("POST", path, json.dumps(value).encode(), Content_Type="application/json")

    def code(self):
        """From the mail, which is a file as long as there is no mail server."""
        mails = sorted(self.folder.glob("outbox/*.eml"))
        return re.search(r"^    (\w{5})\s*$", mails[-1].read_text(), re.MULTILINE)[1]

    def own_cpu(self):
        """Of the threads that do not recognise; they live as long as the process."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return sum(
            cpu(task / "stat") for task in tasks.iterdir() if "recognition" not in (task / "comm").read_text()
        )

    def job(self, file):
        """One recording, uploaded and recognised."""
        content = pathlib.Path(file).read_bytes()
        name = base64.b64encode(pathlib.Path(file).name.encode()).decode()
        stat = f"/proc/{self.process.pid}/stat"
        all_before, own_before = cpu(stat), self.own_cpu()
        tus = {"Tus_Resumable": "1.0.0"}
        made = self.send(
            "POST", "/api/v1/uploads", b"", Upload_Length=str(len(content)), Upload_Metadata=f"filename {name}", **tus
        )
        location = made.headers["Location"]
        self.send(
            "PATCH", location, content, Upload_Offset="0", Content_Type="application/offset+octet-stream", **tus
        )
        uploaded = time.perf_counter()
        settings = {"transcription_type": "full", "language_code": "en"}
        made = self.post("/api/v1/jobs", {"upload_id": location.rsplit("/", 1)[1], "settings": settings})
        first = None
        with self.send("GET", f"/api/v1/jobs/{json.load(made)['my_job_id']}/events") as events:
            for line in events:
                event = line.decode().strip().removeprefix("event: ")
                if event == "segments" and first is None:
                    first = time.perf_counter() - uploaded
                if event in ("completed", "failed", "error"):
                    break
        if event != "completed":
            sys.exit(f"the job ended as {event}")
        wall = time.perf_counter() - uploaded
        return {
            "wall": wall,
            "cpu": cpu(stat) - all_before,
            "own_cpu": self.own_cpu() - own_before,
            "first_text": first,
        }


def transcribe(slovo, models, file, folder):
    """The same recording without a server."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(
        [slovo, "transcribe", file, "--models", models, "--language", "en", "--words"]
        + ["--format", "json", "--output", f"{folder}/out.json"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"wall": wall, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


def main(slovo, models, file, cut, pairs):
    with tempfile.TemporaryDirectory() as folder:
        chunk = transcribe(slovo, models, cut, folder)["wall"]
        server = Server(slovo, models, folder)
        measured = []
        for pair in range(int(pairs)):
            # Turn about, so that a machine that gets slower is not held against either.
            if pair % 2:
                job, alone = server.job(file), transcribe(slovo, models, file, folder)
            else:
                alone, job = transcribe(slovo, models, file, folder), server.job(file)
            measured.append({"alone": alone, "job": job})
        server.process.terminate()
        server.process.wait()
    json.dump({"chunk": chunk, "pairs": measured}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
