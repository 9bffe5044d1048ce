"""The measuring side of `cargo xtask bench edits`.

edits.py SLOVO EDITS [POSTGRES]   prints one JSON object: milliseconds of saving an edit
"""

import json
import pathlib
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import uuid

from auth import ask as sent, signed_in, started

WORDS = ["рада", "місто", "розмова", "день", "п’ять", "and", "the", "година", "слово", "їжак"]
WARM_UP = 20


def ask(connection, method, path, body=None, token=None):
    """One request that must succeed; gives the answer and how long it took in milliseconds."""
    status, content, took = sent(connection, method, path, body, token)
    if status >= 300:
        sys.exit(f"{method} {path}: {status} {content[:500]}")
    return json.loads(content), took / 1000


def text_of(words, user):
    """Statements that make a finished job of so many words, and its id."""
    job = str(uuid.uuid4())
    settings = '{"transcription_type":"full","language_code":"uk"}'
    yield (
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, filename_folded, "
        "content_type, file_size, has_video, input_settings, transcription_type, status, stage, queued_at, "
        f"run_after, created_at, shown_version) VALUES ('{job}', '{user}', '{uuid.uuid4()}', 'a.wav', 'a.wav', "
        f"'audio/wav', 1, 0, '{settings}', 'full', 'completed', 'finishing', 1, 1, 1, 1)"
    )
    yield (
        "INSERT INTO synced_output (my_job_id, version, full_text, language, mode, model, audio_duration, warnings, "
        f"created_at, settings) VALUES ('{job}', 1, '', 'uk', 'full', 'base', 36000, '[]', 1, '{settings}')"
    )
    yield f"INSERT INTO transcript_heads (my_job_id, version, seq) VALUES ('{job}', 1, 0)"
    yield f"INSERT INTO transcript_speakers VALUES ('{job}', 1, 'SPEAKER_0', 0, NULL, NULL)"
    for index in range(words // len(WORDS)):
        start = index * 3.6
        timed = [
            {"start": start + at * 0.3, "end": start + at * 0.3 + 0.25, "text": word, "confidence": 0.9}
            for at, word in enumerate(WORDS)
        ]
        yield (
            "INSERT INTO synced_segments (my_job_id, version, segment_index, speaker, text, start_time, end_time, "
            f"words) VALUES ('{job}', 1, {index}, 'SPEAKER_0', '{' '.join(WORDS)}', {start}, "
            f"{start + 3.4}, '{json.dumps(timed, ensure_ascii=False)}')"
        )
    return job


def made(words, user, folder, postgres):
    statements = text_of(words, user)
    lines = ["BEGIN;"]
    while True:
        try:
            lines.append(next(statements) + ";")
        except StopIteration as end:
            job = end.value
            break
    lines.append("COMMIT;")
    script = "\n".join(lines)
    if postgres:
        command = ["psql", "--quiet", "--set", "ON_ERROR_STOP=1", postgres]
        subprocess.run(command, input=script.encode(), check=True, stdout=subprocess.DEVNULL)
    else:
        connection = sqlite3.connect(pathlib.Path(folder, "slovo.db"), isolation_level=None)
        # Python's SQLite may be too old for the index of names, which nothing here reads.
        (trigger,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'job_names_new'").fetchone()
        connection.executescript(f"DROP TRIGGER job_names_new; {script} {trigger};")
        connection.close()
    return job


def main():
    slovo, edits = sys.argv[1], int(sys.argv[2])
    postgres = sys.argv[3] if len(sys.argv) > 3 else None
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        process, connection = started(slovo, folder, postgres)
        try:
            session = signed_in(connection, folder)
            user, token = session["user"]["id"], session["access_token"]
            sizes = {"short": 100, "long": 100_000}
            jobs = {name: made(words, user, folder, postgres) for name, words in sizes.items()}
            revisions = {name: {} for name in sizes}
            times = {name: [] for name in sizes}
            client = str(uuid.uuid4())
            for turn in range(WARM_UP + edits):
                for name in chance.sample(list(sizes), 2):
                    segment = chance.randrange(sizes[name] // len(WORDS))
                    revision = revisions[name].get(segment, 0)
                    words = list(WORDS)
                    words[chance.randrange(len(words))] = f"слово{turn}"
                    op = {"kind": "set_text", "segment": {"id": str(segment), "revision": revision}, "text": " ".join(words)}
                    body = {"version": 1, "client": client, "edits": [{"edit_id": str(uuid.uuid4()), "op": op}]}
                    _, took = ask(connection, "POST", f"/api/v1/jobs/{jobs[name]}/edits", body, token)
                    revisions[name][segment] = revision + 1
                    if turn >= WARM_UP:
                        times[name].append(took)
            _, read = ask(connection, "GET", f"/api/v1/jobs/{jobs['long']}/transcript?times=all", token=token)
        finally:
            process.terminate()
            process.wait()
    print(
        json.dumps(
            {
                "short_ms": statistics.median(times["short"]),
                "long_ms": statistics.median(times["long"]),
                "long_p95_ms": sorted(times["long"])[int(len(times["long"]) * 0.95)],
                "read_ms": read,
            }
        )
    )


main()
