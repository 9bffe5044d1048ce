"""The examples of the page `/docs`, run as they stand: only the key and the recording are put in."""

import contextlib
import html
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import requests

from account import post

from common import KEY, SERVER, SHORT, TOKEN

# Node's packages of the web app.
MODULES = pathlib.Path(sys.argv[4])


def examples(language):
    """The blocks of code of the page, in their order."""
    page = requests.get(f"{SERVER}/docs", params={"lang": language}, timeout=60).text
    blocks = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.S)
    return [html.unescape(re.sub(r"<[^>]*>", "", block)).replace("slovo_…", KEY) for block in blocks]


BLOCKS = examples("en")
SETUP = next(block for block in BLOCKS if block.startswith("SLOVO="))


def stored(folder, text):
    """A script in a folder with Node's packages."""
    pathlib.Path(folder, "node_modules").symlink_to(MODULES)
    script = pathlib.Path(folder, "example.mjs")
    script.write_text(text)
    return script


@contextlib.contextmanager
def running(command, text):
    """A program that runs until it is killed."""
    with tempfile.TemporaryDirectory() as folder:
        script = stored(folder, text)
        pipe = subprocess.PIPE
        started = subprocess.Popen([command, script], cwd=folder, stdout=pipe, stderr=pipe, text=True)
        try:
            yield started
        finally:
            started.kill()
            started.wait()


def listen():
    return socket.create_server(("127.0.0.1", 0))


def run(*command, text):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ffmpeg", "-v", "error", "-i", SHORT, f"{folder}/interview.mp3"], check=True)
        script = stored(folder, text)
        done = subprocess.run([*command, script], cwd=folder, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        made = {file.name: file.read_text() for file in pathlib.Path(folder).glob("*.srt")}
        return done.stdout, made


def found(start):
    return [block for block in BLOCKS if block.startswith(start)]


def the_steps_lead_from_a_file_to_subtitles():
    assert shutil.which("jq"), "jq is missing"
    steps = [*found("UPLOAD="), *found("JOB="), *found("curl -N"), *found("curl -OJ")]
    assert len(steps) == 4, steps
    _, made = run("bash", "-eu", text="\n".join([SETUP, *steps]))
    (subtitles,) = made.values()
    assert subtitles.startswith("1\n00:00:0"), made


def commands_of_other_services_answer_with_subtitles():
    commands = [*found("curl $SLOVO/v1/"), *found("curl $SLOVO/inference")]
    assert len(commands) == 2, commands
    for command in commands:
        printed, _ = run("bash", "-eu", text="\n".join([SETUP, command]))
        assert printed.startswith("1\n00:00:0"), f"{command}\n{printed}"


def programs_in_python_print_the_text():
    programs = [*found("from openai"), *found("from deepgram")]
    assert len(programs) == 2, programs
    for program in programs:
        printed, _ = run(sys.executable, text=program)
        assert len(printed) > 20, f"{program}\n{printed}"


def the_program_for_node_prints_the_text():
    (program,) = found("import { createReadStream }")
    printed, _ = run("node", text=program)
    assert len(printed) > 20, printed


def receivers_of_webhooks_verify_their_calls():
    receivers = [*found("import { createServer }"), *found("from http.server")]
    assert len(receivers) == 2, receivers
    for receiver, command in zip(receivers, ["node", sys.executable], strict=True):
        with listen() as free:
            port = free.getsockname()[1]
        form = {
            "name": command,
            "url": f"http://127.0.0.1:{port}/",
            "is_active": True,
            "events": ["job.completed"],
        }
        added = post("/me/webhooks", form, TOKEN)
        program = receiver.replace("whsec_…", added["secret"]).replace("8000", str(port))
        with running(command, text=program) as started:
            tested = answer_of_test(added["webhook"]["id"])
            started.kill()
            printed, errors = started.communicate()
            assert tested["status"] == 204, f"{tested}\n{printed}\n{errors}"
            assert printed.startswith("test"), printed
        forged = receiver.replace("whsec_…", "whsec_" + "A" * 40).replace("8000", str(port))
        with running(command, text=forged) as started:
            tested = answer_of_test(added["webhook"]["id"])
            started.kill()
            assert tested["status"] == 400, tested


def answer_of_test(webhook):
    """The result of a test, once the receiver listens."""
    for _ in range(100):
        tested = post(f"/me/webhooks/{webhook}/test", {}, TOKEN)
        if tested["error"] != "no_connection":
            break
        time.sleep(0.2)
    return tested


def an_assistant_lists_the_recordings():
    (program,) = found("import { Client, Streamable")
    printed, _ = run("node", text=program)
    assert "interview.mp3" in printed, printed


def examples_are_the_same_in_both_languages():
    assert examples("uk") == BLOCKS


TESTS = [
    the_steps_lead_from_a_file_to_subtitles,
    commands_of_other_services_answer_with_subtitles,
    programs_in_python_print_the_text,
    the_program_for_node_prints_the_text,
    receivers_of_webhooks_verify_their_calls,
    an_assistant_lists_the_recordings,
    examples_are_the_same_in_both_languages,
]
