"""Scorer of `cargo xtask bench diarization`, with pyannote.metrics.

Reads one JSON object from standard input: {"rttm": path, "turns": [{start, end, speaker}]};
prints one: error rates in percent and how many speakers there are.

A collar of 0.25 s leaves a quarter of a second on both sides of every border of the truth
unscored; pyannote.metrics wants the sum of both sides. Everything from the recording's
first to its last scored moment counts, silence included.
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")

from pyannote.core import Annotation, Segment, Timeline  # noqa: E402
from pyannote.metrics.diarization import DiarizationErrorRate  # noqa: E402


def annotation(turns):
    result = Annotation()
    for number, (start, end, speaker) in enumerate(turns):
        result[Segment(start, end), number] = speaker
    return result


def rttm(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if fields and fields[0] == "SPEAKER":
                start, length = float(fields[3]), float(fields[4])
                yield start, start + length, fields[7]


def main():
    given = json.load(sys.stdin)
    truth = list(rttm(given["rttm"]))
    found = [(turn["start"], turn["end"], turn["speaker"]) for turn in given["turns"]]
    extent = Segment(0, max([end for _, end, _ in truth + found], default=1.0))
    reference, hypothesis = annotation(truth), annotation(found)
    result = {
        "speech": sum(end - start for start, end, _ in truth),
        "true": len({speaker for _, _, speaker in truth}),
        "found": len({speaker for _, _, speaker in found}),
    }
    for name, collar, skip in [
        ("collar", 0.5, False),
        ("collar_alone", 0.5, True),
        ("bare", 0.0, False),
        ("bare_alone", 0.0, True),
    ]:
        metric = DiarizationErrorRate(collar=collar, skip_overlap=skip)
        parts = metric(reference, hypothesis, uem=Timeline([extent]), detailed=True)
        result[name] = parts["diarization error rate"] * 100
        if name == "collar":
            result["scored"] = parts["total"]
            result["confusion"] = parts["confusion"]
    json.dump(result, sys.stdout)


main()
