"""The library `wyoming`, which Home Assistant uses: with a server of its own, whose key has to be known
when it starts, and through wyoming-openai, which asks OpenAI's endpoint."""

import asyncio
import contextlib
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong

from account import sign_up

from common import BASE, KEY, SPEECH, Skipped, new_key, said, samples

PROGRAM = sys.argv[3]
FORMAT = {"rate": 16000, "width": 2, "channels": 1}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(command, ports, environment=None, log=subprocess.DEVNULL):
    """A program that serves these ports."""
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for port in ports:
            for _ in range(600):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                assert process.poll() is None, f"{command[0]} ended: {process.returncode}"
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def server(folder, key=None):
    """A server with its data in this folder; yields the ports of HTTP and Wyoming."""
    http, wyoming = free_port(), free_port()
    command = [PROGRAM, "serve", "--port", str(http), "--data", folder]
    environment = os.environ | {"SLOVO_EDITION": "organisation"}
    if key:
        command += ["--wyoming", f"127.0.0.1:{wyoming}"]
        environment["SLOVO_WYOMING_KEY"] = key
    with pathlib.Path(folder, "log").open("w") as log:
        with running(command, [http] + [wyoming] * bool(key), environment, log):
            yield http, wyoming


async def until(client, kind):
    """The next event of this kind, and all before it."""
    before = []
    while event := await asyncio.wait_for(client.read_event(), 600):
        if kind.is_type(event.type):
            return kind.from_event(event), before
        before.append(event)
    raise AssertionError(f"the connection ended after {before}")


async def speak(client, language, model=None):
    await client.write_event(Transcribe(name=model, language=language).event())
    await client.write_event(AudioStart(**FORMAT).event())
    audio = samples(SPEECH)
    for at in range(0, len(audio), 2048):
        await client.write_event(AudioChunk(audio=audio[at:at + 2048], **FORMAT).event())
    await client.write_event(AudioStop().event())


async def conversation(port):
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Describe().event())
        info, _ = await until(client, Info)
        program = info.asr[0]
        assert program.installed and program.supports_transcript_streaming, program
        assert {"uk", "en"} <= {code for model in program.models for code in model.languages}
        await client.write_event(Ping(text="hello").event())
        assert (await until(client, Pong))[0].text == "hello"
        await speak(client, "en")
        transcript, before = await until(client, Transcript)
        said(transcript.text)
        assert transcript.language == "en"
        chunks = [event.data["text"] for event in before if event.type == "transcript-chunk"]
        assert before[0].type == "transcript-start" and "".join(chunks) == transcript.text, before
    # As Home Assistant: a new connection for each command. A refusal ends it.
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await speak(client, "tlh")
        error, _ = await until(client, Error)
        assert error.code == "language_unsupported", error
        assert await client.read_event() is None


def home_assistant_describes_speaks_and_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        with server(folder) as (http, _):
            api = f"http://127.0.0.1:{http}/api/v1"
            key = new_key(sign_up(f"{folder}/outbox", api)["access_token"], api)
        with server(folder, key) as (_, port):
            asyncio.run(conversation(port))


async def through_wyoming_openai(port, streams):
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Describe().event())
        info, _ = await until(client, Info)
        program = next(program for program in info.asr if program.models[0].name == "whisper-1")
        assert program.supports_transcript_streaming == streams, program
        await speak(client, "en", "whisper-1")
        transcript, before = await until(client, Transcript)
        said(transcript.text)
        chunks = [event.data["text"] for event in before if event.type == "transcript-chunk"]
        assert (len(chunks) > 1 and "".join(chunks).split() == transcript.text.split()) if streams else not chunks, before


def wyoming_openai_asks_with_and_without_streaming():
    python = os.environ.get("SLOVO_TEST_WYOMING_OPENAI")
    if not python:
        raise Skipped("needs a Python 3.12 or newer with the package wyoming-openai: SLOVO_TEST_WYOMING_OPENAI names it")
    for option in ["--stt-models", "--stt-streaming-models"]:
        port = free_port()
        address = ["--uri", f"tcp://127.0.0.1:{port}", "--stt-openai-url", BASE, "--stt-openai-key", KEY]
        command = [python, "-m", "wyoming_openai", *address, "--languages", "en", "uk", option, "whisper-1"]
        with running(command, [port]):
            asyncio.run(through_wyoming_openai(port, option == "--stt-streaming-models"))


TESTS = [home_assistant_describes_speaks_and_is_refused, wyoming_openai_asks_with_and_without_streaming]
