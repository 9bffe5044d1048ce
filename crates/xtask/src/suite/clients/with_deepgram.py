"""Deepgram's own client for Python."""

from deepgram import DeepgramClient
from deepgram.core.api_error import ApiError
from deepgram.environment import DeepgramClientEnvironment

from common import KEY, SERVER, SPEECH, said


def client(key):
    place = DeepgramClientEnvironment(base=SERVER, production=SERVER, agent=SERVER, agent_rest=SERVER)
    return DeepgramClient(api_key=key, environment=place)


def listen(key=KEY, **wanted):
    return client(key).listen.v1.media.transcribe_file(request=SPEECH.read_bytes(), **wanted)


def the_text_has_words_speakers_paragraphs_and_utterances():
    wanted = {"smart_format": True, "punctuate": True, "diarize": True, "utterances": True}
    answer = listen(model="nova-3", language="en", keyterm=["Asterisk"], **wanted)
    best = answer.results.channels[0].alternatives[0]
    said(best.transcript)
    assert 30 < answer.metadata.duration < 31 and len(answer.metadata.sha256) == 64, answer.metadata
    assert {word.speaker for word in best.words} == {0}, best.words
    assert " ".join(word.punctuated_word for word in best.words) == best.transcript
    assert best.paragraphs.transcript.startswith("Speaker 0: "), best.paragraphs
    spoken = " ".join(utterance.transcript for utterance in answer.results.utterances)
    assert spoken == best.transcript, answer.results.utterances


def the_language_is_detected_and_the_text_is_bare_without_options():
    answer = listen(model="whisper-large", detect_language=True)
    channel = answer.results.channels[0]
    assert channel.detected_language == "en", channel
    transcript = channel.alternatives[0].transcript
    said(transcript)
    assert transcript == transcript.lower() and "." not in transcript, transcript


def errors_are_those_that_the_client_knows():
    for wanted, status, code in [
        ({"redact": "pci"}, 400, "Bad Request"),
        ({"model": "gpt-9"}, 400, "Bad Request"),
        ({"key": "slovo_unknown"}, 401, "INVALID_AUTH"),
    ]:
        try:
            listen(**wanted)
        except ApiError as error:
            assert error.status_code == status and error.body["err_code"] == code, error
        else:
            raise AssertionError(f"{wanted} was accepted")
    address = "http://127.0.0.1/recording.wav"
    try:
        client(KEY).listen.v1.media.transcribe_url(url=address)
    except ApiError as error:
        assert error.status_code == 400 and error.body["err_code"] == "Bad Request", error
    else:
        raise AssertionError("an address of this network was fetched")


TESTS = [
    the_text_has_words_speakers_paragraphs_and_utterances,
    the_language_is_detected_and_the_text_is_bare_without_options,
    errors_are_those_that_the_client_knows,
]
