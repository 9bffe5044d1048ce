"""Requests as programs send them, written after their sources: Bazarr, Speakr, whisper.cpp's example,
wyoming-openai, Open WebUI, n8n and Nextcloud."""

import json

import requests

from common import BASE, KEY, SERVER, SHORT, SPEECH, WITH_KEY, said, samples

TOKEN = {"authorization": f"Bearer {KEY}"}


def posted(address, status=200, **wanted):
    answer = requests.post(address, timeout=600, **wanted)
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    return answer


def bazarr_gets_subtitles_and_a_language():
    # Its connection test: the endpoint with `/status`, whose `version` it shows.
    tested = requests.get(f"{WITH_KEY}/status", allow_redirects=False, timeout=5)
    assert tested.status_code == 200 and tested.json()["version"].startswith("Slovo "), tested.text
    # Samples of the whole recording without a header; the key is in the address.
    files = {"audio_file": samples(SPEECH)}
    wanted = {"task": "transcribe", "language": "en", "output": "srt", "encode": "false", "video_file": {None}}
    subtitles = posted(f"{WITH_KEY}/asr", params=wanted, files=files).content.decode()
    assert subtitles.startswith("1\n00:00:0") and " --> " in subtitles, subtitles
    said(subtitles)
    wanted = {"encode": "false", "video_file": {"/films/Day.mkv"}}
    found = posted(f"{WITH_KEY}/detect-language", params=wanted, files=files).json()
    assert (found["language_code"], found["detected_language"]) == ("en", "english"), found


def speakr_gets_segments_with_speakers():
    wanted = {
        "encode": "true", "task": "transcribe", "output": "json", "language": "en",
        "diarize": "true", "enable_diarization": "true", "min_speakers": 1, "max_speakers": 3,
        "initial_prompt": "Asterisk", "hotwords": "demonstration",
    }
    with SPEECH.open("rb") as file:
        files = {"audio_file": ("talk.wav", file, "audio/wav")}
        answer = posted(f"{WITH_KEY}/asr", params=wanted, files=files).json()
    said(" ".join(segment["text"] for segment in answer["segments"]))
    assert answer["language"] == "en"
    assert all(segment["speaker"] and segment["start"] < segment["end"] for segment in answer["segments"]), answer


def whisper_cpp_answers_its_own_example():
    with SHORT.open("rb") as file:
        form = {"temperature": "0.0", "temperature_inc": "0.2", "response_format": "json"}
        answer = posted(f"{SERVER}/inference", files={"file": file}, data=form, headers=TOKEN)
    assert list(answer.json()) == ["text"] and len(answer.json()["text"]) > 20, answer.json()


def wyoming_openai_sends_the_file_last():
    parts = [("model", (None, "whisper-1")), ("response_format", (None, "json"))]
    parts.append(("file", ("recording.wav", SHORT.read_bytes(), "audio/x-wav")))
    assert posted(f"{BASE}/audio/transcriptions", files=parts, headers=TOKEN).json()["text"]


def open_webui_may_leave_the_model_empty_and_sends_chunks():
    line = "\r\n"
    head = f'--b{line}Content-Type: text/plain{line}Content-Disposition: form-data; name="model"{line * 2}{line}'
    head += f'--b{line}Content-Type: application/octet-stream{line}'
    head += f'Content-Disposition: form-data; name="file"; filename="0.wav"{line * 2}'

    def chunks():
        yield head.encode()
        yield SHORT.read_bytes()
        yield f"{line}--b--{line}".encode()

    kind = {"content-type": "multipart/form-data; boundary=b"}
    answer = posted(f"{BASE}/audio/transcriptions", data=chunks(), headers=TOKEN | kind)
    assert answer.json()["text"] and answer.headers["content-type"].startswith("application/json")


def n8n_sends_a_file_without_a_name():
    body = b'--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n'
    body += b'--b\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: audio/wav\r\n\r\n'
    body += SHORT.read_bytes() + b"\r\n--b--\r\n"
    kind = {"content-type": "multipart/form-data; boundary=b"}
    assert posted(f"{BASE}/audio/transcriptions", data=body, headers=TOKEN | kind).json()["text"]


def nextcloud_asks_for_models_probes_and_transcribes():
    models = requests.get(f"{BASE}/models", headers=TOKEN, timeout=60).json()["data"]
    assert models and all(model["id"] for model in models)
    # Its probe: 401 and 404 would switch speech off.
    probe = [("model", (None, "invalid-model")), ("file", ("file.mp3", b"a"))]
    posted(f"{BASE}/audio/translations", 400, files=probe, headers=TOKEN)
    parts = [("model", (None, "whisper-1")), ("file", ("file.mp3", SHORT.read_bytes()))]
    parts.append(("response_format", (None, "verbose_json")))
    answer = posted(f"{BASE}/audio/transcriptions", files=parts, headers=TOKEN).json()
    assert answer["text"] and answer["segments"][-1]["end"] > 1, json.dumps(answer)


TESTS = [
    bazarr_gets_subtitles_and_a_language,
    speakr_gets_segments_with_speakers,
    whisper_cpp_answers_its_own_example,
    wyoming_openai_sends_the_file_last,
    open_webui_may_leave_the_model_empty_and_sends_chunks,
    n8n_sends_a_file_without_a_name,
    nextcloud_asks_for_models_probes_and_transcribes,
]
