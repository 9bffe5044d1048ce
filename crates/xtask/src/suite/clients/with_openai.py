"""OpenAI's own client for Python, on real speech: every format, the stream, and errors."""

import base64
import subprocess
import warnings

import openai

from common import BASE, KEY, SHORT, SOUNDS, SPEECH, said

CLIENT = openai.OpenAI(api_key=KEY, base_url=BASE, max_retries=0)


def transcribe(recording=SPEECH, **wanted):
    with recording.open("rb") as file:
        return CLIENT.audio.transcriptions.create(**{"model": "whisper-1", "file": file, "language": "en"} | wanted)


def json_has_the_text_and_its_length():
    answer = transcribe()
    said(answer.text)
    assert answer.usage.type == "duration" and 30 <= answer.usage.seconds <= 32, answer.usage


def text_is_text():
    assert len(transcribe(SHORT, response_format="text")) > 20


def subtitles_have_times():
    srt, vtt = transcribe(SHORT, response_format="srt"), transcribe(SHORT, response_format="vtt")
    assert srt.startswith("1\n00:00:0") and " --> " in srt, srt[:80]
    assert vtt.startswith("WEBVTT") and " --> " in vtt, vtt[:80]


def verbose_json_has_segments_and_words():
    answer = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    said(answer.text)
    assert answer.language == "english" and 30 < answer.duration < 31, answer
    assert " ".join(word.word for word in answer.words) == answer.text
    times = [time for segment in answer.segments for time in (segment.start, segment.end)]
    assert times == sorted(times) and len(answer.segments) >= 3, times


def the_language_is_detected_without_one():
    answer = transcribe(SHORT, response_format="verbose_json", language=openai.omit)
    assert answer.language == "english", answer.language


def diarized_json_has_speakers():
    answer = transcribe(model="gpt-4o-transcribe-diarize", response_format="diarized_json", chunking_strategy="auto")
    assert {segment.speaker for segment in answer.segments} == {"A"}, answer.segments
    said(" ".join(segment.text for segment in answer.segments))


def probabilities_come_if_asked_for():
    answer = transcribe(SHORT, model="gpt-4o-transcribe", include=["logprobs"])
    assert "".join(token.token for token in answer.logprobs) == answer.text
    assert all(token.logprob <= 0 for token in answer.logprobs)


def a_stream_ends_with_the_whole_text():
    events = list(transcribe(model="gpt-4o-transcribe", stream=True))
    done = [event for event in events if event.type == "transcript.text.done"]
    assert len(done) == 1 and events[-1] is done[0]
    said(done[0].text)
    deltas = [event.delta for event in events if event.type == "transcript.text.delta"]
    assert "".join(deltas) == done[0].text and len(deltas) > 1, deltas


def a_diarized_stream_names_speakers():
    events = list(transcribe(model="gpt-4o-transcribe-diarize", response_format="diarized_json", stream=True))
    segments = [event for event in events if event.type == "transcript.text.segment"]
    assert segments and all(event.speaker == "A" for event in segments), segments


def known_speakers_are_named():
    sounds = [("Carlo", "it_IT_m_Carlo"), ("Allison", "en_US_f_Allison")]
    command = ["ffmpeg", "-v", "error", "-t", "6", "-f", "wav", "-"]
    references = []
    for _, folder in sounds:
        file = SOUNDS.parent / folder / "demo-abouttotry.wav"
        wav = subprocess.run([*command[:3], "-i", file, *command[3:]], check=True, capture_output=True).stdout
        references.append("data:audio/wav;base64," + base64.b64encode(wav).decode())
    wanted = {"known_speaker_names": [name for name, _ in sounds], "known_speaker_references": references}
    answer = transcribe(model="gpt-4o-transcribe-diarize", response_format="diarized_json", **wanted)
    assert {segment.speaker for segment in answer.segments} == {"Allison"}, answer.segments


def a_translation_is_english():
    with SHORT.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(CLIENT.audio.translations.create(model="whisper-1", file=file).text) > 20


def models_are_listed():
    names = [model.id for model in CLIENT.models.list()]
    assert {"whisper-1", "gpt-4o-transcribe", "full", "lite"} <= set(names), names
    assert CLIENT.models.retrieve("whisper-1").id == "whisper-1"


def refused(kind, code, param, **wanted):
    try:
        transcribe(**wanted)
    except kind as error:
        assert (error.code, error.param) == (code, param), error
    else:
        raise AssertionError(f"{wanted} was accepted")


def errors_are_those_that_the_client_knows():
    refused(openai.BadRequestError, "model_not_found", "model", model="dall-e-3")
    refused(openai.BadRequestError, "language_unsupported", "language", language="xx")
    refused(openai.BadRequestError, "content_refused", "file", file=("a.wav", b"no recording " * 99))
    refused(openai.BadRequestError, "file_empty", "file", file=("a.wav", b""))
    stranger = openai.OpenAI(api_key="slovo_unknown", base_url=BASE, max_retries=0)
    try:
        stranger.models.list()
    except openai.AuthenticationError as error:
        assert error.code == "invalid_api_key", error
    else:
        raise AssertionError("an unknown key was accepted")


TESTS = [
    json_has_the_text_and_its_length,
    text_is_text,
    subtitles_have_times,
    verbose_json_has_segments_and_words,
    the_language_is_detected_without_one,
    diarized_json_has_speakers,
    probabilities_come_if_asked_for,
    a_stream_ends_with_the_whole_text,
    a_diarized_stream_names_speakers,
    known_speakers_are_named,
    a_translation_is_english,
    models_are_listed,
    errors_are_those_that_the_client_knows,
]
