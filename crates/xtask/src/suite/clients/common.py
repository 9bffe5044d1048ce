"""What the tests of all clients share: the recording, its words, and an account with a key."""

import pathlib
import subprocess
import sys

from account import ACCOUNT, API, post, sign_up

OUTBOX = sys.argv[1]
SOUNDS = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison")
# Its text is in the package; words that the recogniser gets wrong are left out.
SPEECH = SOUNDS / "demo-congrats.wav"
WORDS = {"congratulations", "successfully", "installed", "executed", "sample", "configuration", "demonstration"}
# Short, for tests of the protocol rather than of the text.
SHORT = SOUNDS / "vm-intro.wav"
SERVER = API.removesuffix("/api/v1")
BASE = SERVER + "/v1"


class Skipped(Exception):
    """A test that cannot run here; its text says what it needs."""


def new_key(token, api=API):
    wanted = {"name": "clients", "scopes": ["transcribe", "read"], "password": ACCOUNT["password"]}
    return post("/me/api-keys", wanted, token, api)["secret"]


TOKEN = sign_up(OUTBOX)["access_token"]
KEY = new_key(TOKEN)
# As an address with a key, for clients whose settings have only an address.
WITH_KEY = SERVER.replace("://", f"://slovo:{KEY}@")


def said(text):
    heard = {word.strip(".,!?").lower() for word in text.split()}
    assert len(WORDS & heard) >= 6, text


def samples(file):
    """The recording without a header: 16 bits, 16,000 samples per second, one channel."""
    command = ["ffmpeg", "-v", "error", "-i", file, "-f", "s16le", "-ac", "1", "-ar", "16000", "-"]
    return subprocess.run(command, check=True, capture_output=True).stdout
