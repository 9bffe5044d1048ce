"""Reads subtitles with ttconv, which shares nothing with what wrote them, and compares what it read.

subtitles.py FOLDER REPORT   each file is named TEXT.LIMITS.WORDS.FORMAT; the report is JUnit's XML
"""

import collections
import io
import logging
import pathlib
import re
import sys
import time
import xml.etree.ElementTree as et

import ttconv.imsc.reader
import ttconv.model as model
import ttconv.srt.reader
import ttconv.stl.reader
import ttconv.vtt.reader

# Half a frame and what thousandths are rounded by.
APART = 0.021
# It takes 30 frames a second for 29.97 in drop-frame time code, which is two frames behind the clock at most.
APART_AT_30 = 0.16
# What ttconv says of files that are right: SubRip has no escapes, so what looks like a tag is text, and of
# times of words it reads the first.
KNOWN = re.compile(r"Unknown tag|Unbalanced tag|Nested timestamp tag")


class Complaints(logging.Handler):
    """Keeps what ttconv warns of."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.told = []

    def emit(self, record):
        if not KNOWN.match(record.getMessage()):
            self.told.append(record.getMessage())


def document(file):
    data = file.read_bytes()
    if file.suffix == ".srt":
        return ttconv.srt.reader.to_model(io.StringIO(data.decode()))
    if file.suffix == ".vtt":
        return ttconv.vtt.reader.to_model(io.StringIO(data.decode()))
    if file.suffix == ".ttml":
        return ttconv.imsc.reader.to_model(et.ElementTree(et.fromstring(data)))
    return ttconv.stl.reader.to_model(io.BytesIO(data))


def said(element):
    if isinstance(element, model.Text):
        return element.get_text()
    if isinstance(element, model.Br):
        return "\n"
    return "".join(said(child) for child in element)


def cues(read):
    """Start, end and text of every cue, in seconds from the beginning."""
    found = []

    def walk(element, offset):
        begin = offset + (element.get_begin() or 0)
        if isinstance(element, model.P):
            found.append((begin, offset + element.get_end(), said(element)))
            return
        for child in element:
            walk(child, begin)

    body = read.get_body()
    if body is not None:
        walk(body, 0)
    return found


def near(one, other, apart):
    return len(one) == len(other) and all(
        abs(a[at] - b[at]) <= apart for a, b in zip(one, other) for at in (0, 1)
    )


def letters(text):
    return "".join(text.split())


def check(files, complaints):
    """What is wrong with the four files of one text, or nothing."""
    read = {}
    for format, file in sorted(files.items()):
        complaints.told.clear()
        try:
            read[format] = cues(document(file))
        except Exception as error:  # Whatever a reader stumbles over is the file's.
            return f"{format}: {type(error).__name__}: {error}"
        if complaints.told:
            return f"{format}: {complaints.told[0]}"
    if sorted(read) != ["srt", "stl", "ttml", "vtt"]:
        return f"only {sorted(read)}"
    for format in ("srt", "vtt"):
        if not near(read[format], read["ttml"], 0.0005):
            return f"{format} and ttml have other times"
    # In TTML the speaker stands before the text, in WebVTT in a tag, where ttconv reads no references.
    if not re.search(r"<v [^>]*&", files["vtt"].read_text()):
        for vtt, ttml in zip(read["vtt"], read["ttml"]):
            if not letters(ttml[2]).endswith(letters(vtt[2])):
                return f"{vtt[2]!r} in vtt is {ttml[2]!r} in ttml"
    apart = APART_AT_30 if ".30fps." in files["stl"].name else APART
    if not near(read["stl"], read["ttml"], apart):
        return "stl and ttml have other times"
    return None


def main():
    folder, report = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    complaints = Complaints()
    logging.getLogger("ttconv").addHandler(complaints)
    logging.getLogger("ttconv").propagate = False
    texts = collections.defaultdict(dict)
    for file in folder.iterdir():
        texts[file.stem][file.suffix[1:]] = file
    suite = et.Element("testsuite", name="ttconv")
    for name, files in sorted(texts.items()):
        begun = time.monotonic()
        wrong = check(files, complaints)
        taken = f"{time.monotonic() - begun:.3f}"
        case = et.SubElement(suite, "testcase", classname="ttconv", name=name, time=taken)
        if wrong:
            et.SubElement(case, "failure", message=wrong)
    et.ElementTree(suite).write(report, encoding="unicode")
    sys.exit(any(case.find("failure") is not None for case in suite) or not texts)


main()
