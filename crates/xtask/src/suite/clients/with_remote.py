"""`slovo remote`: the program as a client of the server."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from common import KEY, SERVER, SHORT, SPEECH, said

PROGRAM = sys.argv[3]


class Machine:
    """A home directory with a folder of recordings."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.home = self.folder / "home"
        self.home.mkdir()
        names = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "SLOVO_SERVER", "SLOVO_KEY"]
        self.env = {name: value for name, value in os.environ.items() if name not in names}
        self.env["HOME"] = str(self.home)

    def command(self, *arguments):
        return [PROGRAM, "remote", *map(str, arguments)]

    def run(self, *arguments, code=0, given=""):
        done = subprocess.run(
            self.command(*arguments), cwd=self.folder, env=self.env, input=given, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def lines(self, *arguments):
        return [json.loads(line) for line in self.run(*arguments, "--json").splitlines()]


def machine(signed_in=True):
    folder = tempfile.TemporaryDirectory()
    made = Machine(folder.name)
    made.keep = folder
    if signed_in:
        made.run("login", SERVER, given=KEY + "\n")
    return made


def a_folder_is_uploaded_followed_listed_exported_and_found():
    my = machine()
    stored = my.home / ".config/slovo/remote.json"
    assert stored.stat().st_mode & 0o777 == 0o600, oct(stored.stat().st_mode)
    talks = my.folder / "talks/deeper"
    talks.mkdir(parents=True)
    shutil.copy(SPEECH, talks / "remote-one.wav")
    shutil.copy(SHORT, talks.parent / "remote-two.wav")
    (talks / "notes.txt").write_text("no recording")
    jobs = my.lines("upload", "talks", "--language", "en", "--watch")
    assert [job["status"] for job in jobs] == ["completed"] * 2, jobs
    names = {job["original_filename"]: job["my_job_id"] for job in jobs}
    assert set(names) == {"remote-one.wav", "remote-two.wav"}, names
    listed = my.lines("list", "--name", "remote-", "--status", "completed")
    assert {job["my_job_id"] for job in listed} == set(names.values()), listed
    said(my.run("export", names["remote-one.wav"], "--output", "-"))
    (made,) = my.run("export", names["remote-one.wav"], "--format", "srt").split()
    assert (my.folder / made).read_text().startswith("1\n00:00:0")
    my.run("export", names["remote-one.wav"], "--format", "srt", code=1)
    my.run("export", names["remote-one.wav"], "--format", "srt", "--force")
    for _ in range(60):
        # The index is made a moment after the text.
        found = subprocess.run(my.command("search", "congratulations"), env=my.env, capture_output=True, text=True)
        if names["remote-one.wav"] in found.stdout:
            break
        time.sleep(0.5)
    assert names["remote-one.wav"] in found.stdout and "0:00:0" in found.stdout, found.stdout
    my.run("search", "zzyzx", code=1)
    my.run("watch", names["remote-two.wav"])


def an_upload_goes_on_after_a_kill():
    my = machine()
    # Large enough to be sent in several pieces.
    large = my.folder / "large.wav"
    command = ["ffmpeg", "-v", "error", "-stream_loop", "60", "-i", SPEECH, "-ar", "48000", "-ac", "2", large]
    subprocess.run(command, check=True)
    assert large.stat().st_size > 64 << 20, large.stat().st_size
    started = subprocess.Popen(my.command("upload", large), env=my.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    notes = my.home / ".local/state/slovo/uploads"
    while not (notes.is_dir() and list(notes.iterdir())):
        assert started.poll() is None, started.communicate()
        time.sleep(0.002)
    started.send_signal(signal.SIGKILL)
    started.wait()
    (note,) = notes.iterdir()
    before = note.read_text()
    (job,) = my.lines("upload", large, "--language", "en")
    assert not list(notes.iterdir()), "the upload is not forgotten"
    assert before.startswith("/api/v1/uploads/"), before
    (listed,) = my.lines("list", "--name", "large.wav")
    assert listed["my_job_id"] == job["my_job_id"], listed


def failures_have_exit_codes():
    my = machine()
    (my.folder / "broken.wav").write_bytes(b"RIFF no recording")
    my.run("upload", "broken.wav", code=3)
    my.run("upload", "missing.wav", code=1)
    my.run("watch", "01980000-0000-7000-8000-000000000000", code=3)
    my.run("watch", "../../admin/users", code=3)
    my.run("upload", code=2)
    my.run("upload", "broken.wav", "--mode", "best", code=2)
    my.run("logout")
    my.run("list", code=5)
    stranger = machine(signed_in=False)
    stranger.run("login", SERVER, given="slovo_unknown\n", code=5)
    stranger.run("login", "ftp://example.com", given=KEY, code=2)
    assert not (stranger.home / ".config/slovo/remote.json").exists()


TESTS = [
    a_folder_is_uploaded_followed_listed_exported_and_found,
    an_upload_goes_on_after_a_kill,
    failures_have_exit_codes,
]
