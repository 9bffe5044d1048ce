"""Makes the small models in this folder, and what onnx-asr gives with them.

The graphs are those of NeMo's exports (FastConformer encoder, LSTM decoder with joint network), but
narrow, and with made weights. The Rust tests compare their own numbers
with the ones written here. To make the files again:

    python3 -m venv venv
    venv/bin/pip install numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0 onnx-asr==0.12.0
    venv/bin/python make.py

The weights depend on the seed alone, so the files change only with the versions of the packages.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnx_asr
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

HERE = Path(__file__).parent
WIDTH = 8  # of an encoder frame
CHANNELS = 4  # of the subsampling
HEADS = 2
INNER = 16  # of the feed-forward layers
KERNEL = 9
LAYERS = 1
STATE = 6
STATE_LAYERS = 2
EMBEDDING = 5
JOINT = 12
LONGEST = 48  # encoder frames
DURATIONS = 5
TOKENS = [
    "<unk>", "<|nospeech|>", "▁", "▁при", "віт", "▁сло", "во", "а", "е", "и", "▁на", "ти", "ка",
    "▁the", "ing", "s", ",", ".", "?", "▁«", "»", "▁—", "й", "ь", "▁я", "ро", "ни", "▁з",
]


class Graph:
    """Nodes and weights under construction."""

    def __init__(self, seed):
        self.nodes, self.weights = [], []
        self.random = np.random.default_rng(seed)

    def constant(self, values, kind=np.int64):
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, dtype=kind), name))
        return name

    def made(self, *shape, scale=None):
        scale = scale or 1.6 / np.sqrt(np.prod(shape[1:]) if len(shape) > 2 else shape[0])
        return self.constant(self.random.standard_normal(shape) * scale, np.float32)

    def __call__(self, kind, *inputs, outputs=None, count=1, **attributes):
        names = outputs or [f"n{len(self.nodes)}_{place}" for place in range(count)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if len(names) == 1 else names

    def linear(self, x, size_in, size_out, bias=True):
        product = self("MatMul", x, self.made(size_in, size_out))
        return self("Add", product, self.made(size_out, scale=0.1)) if bias else product

    def norm(self, x):
        scale = self.constant(1 + 0.1 * self.random.standard_normal(WIDTH), np.float32)
        return self("LayerNormalization", x, scale, self.made(WIDTH, scale=0.1), axis=-1)

    def swish(self, x):
        return self("Mul", x, self("Sigmoid", x))

    def reshape(self, x, *shape):
        return self("Reshape", x, self.constant(shape))

    def save(self, path, inputs, outputs):
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "main", [info(*i) for i in inputs], [info(*o) for o in outputs], self.weights
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)


def subsample(g, x, length, bands):
    """Three convolutions with stride 2; all but the first depthwise separable."""
    x = g("Unsqueeze", g("Transpose", x, perm=[0, 2, 1]), g.constant([1]))
    both = dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for step in range(3):
        x = mask_frames(g, x, length)
        if step == 0:
            x = g("Conv", x, g.made(CHANNELS, 1, 3, 3), g.made(CHANNELS, scale=0.1), **both)
        else:
            depthwise = g.made(CHANNELS, 1, 3, 3)
            x = g("Conv", x, depthwise, g.made(CHANNELS, scale=0.1), group=CHANNELS, **both)
            pointwise = g.made(CHANNELS, CHANNELS, 1, 1)
            x = g("Conv", x, pointwise, g.made(CHANNELS, scale=0.1), kernel_shape=[1, 1])
        x = g("Relu", x)
        half = g("Div", g("Cast", g("Sub", length, g.constant(1)), to=TensorProto.FLOAT),
                 g.constant(2.0, np.float32))
        length = g("Cast", g("Add", g("Floor", half), g.constant(1.0, np.float32)),
                   to=TensorProto.INT64)
    x = g("Transpose", x, perm=[0, 2, 1, 3])
    size = CHANNELS * bands // 8
    return g.linear(g.reshape(x, 0, -1, size), size, WIDTH), length


def frames_of(g, x, axis):
    return g("Gather", g("Shape", x), g.constant(axis))


def valid_frames(g, x, axis, length):
    places = g("Range", g.constant(0), frames_of(g, x, axis), g.constant(1))
    return g("Less", g("Unsqueeze", places, g.constant([0])),
             g("Unsqueeze", length, g.constant([1])))


def mask_frames(g, x, length):
    valid = g("Unsqueeze", valid_frames(g, x, 2, length), g.constant([1, 3]))
    return g("Mul", x, g("Cast", valid, to=TensorProto.FLOAT))


def positions(g, x):
    """The part of the table of relative positions that fits the number of frames."""
    place = np.arange(LONGEST - 1, -LONGEST, -1)[:, None]
    rate = np.exp(np.arange(0, WIDTH, 2) * -(np.log(10000.0) / WIDTH))
    table = np.zeros((1, 2 * LONGEST - 1, WIDTH), dtype=np.float32)
    table[0, :, 0::2], table[0, :, 1::2] = np.sin(place * rate), np.cos(place * rate)
    count = frames_of(g, x, 1)
    first = g("Sub", g.constant(LONGEST), count)
    end = g("Sub", g("Add", g.constant(LONGEST), count), g.constant(1))
    one = g.constant([0])
    return g("Slice", g.constant(table, np.float32), g("Unsqueeze", first, one),
             g("Unsqueeze", end, one), g.constant([1]))


def attention(g, x, table, forbidden):
    size = WIDTH // HEADS
    heads = lambda y: g.reshape(y, 0, -1, HEADS, size)
    query = heads(g.linear(x, WIDTH, WIDTH))
    key = g("Transpose", heads(g.linear(x, WIDTH, WIDTH)), perm=[0, 2, 3, 1])
    value = g("Transpose", heads(g.linear(x, WIDTH, WIDTH)), perm=[0, 2, 1, 3])
    place = g("Transpose", heads(g.linear(table, WIDTH, WIDTH, bias=False)), perm=[0, 2, 3, 1])
    by_head = lambda bias: g("Transpose", g("Add", query, bias), perm=[0, 2, 1, 3])
    content = g("MatMul", by_head(g.made(HEADS, size, scale=0.3)), key)
    shifted = g("MatMul", by_head(g.made(HEADS, size, scale=0.3)), place)
    # Every row of distances is moved by one more place, by padding and reading it anew.
    shifted = g("Pad", shifted, g.constant([0, 0, 0, 1, 0, 0, 0, 0]))
    shape = g("Shape", shifted)
    rows, columns = (g("Slice", shape, g.constant([a]), g.constant([a + 1])) for a in (2, 3))
    turned = g("Concat", g.constant([1, HEADS]), columns, rows, axis=0)
    shifted = g("Reshape", shifted, turned)
    shifted = g("Slice", shifted, g.constant([1]), g.constant([2**31 - 1]), g.constant([2]))
    less = g("Sub", columns, g.constant([1]))
    shifted = g("Reshape", shifted, g("Concat", g.constant([1, HEADS]), rows, less, axis=0))
    shifted = g("Slice", shifted, g.constant([0]), rows, g.constant([3]))
    scores = g("Div", g("Add", content, shifted), g.constant(np.sqrt(size), np.float32))
    scores = g("Where", forbidden, g.constant(-10000.0, np.float32), scores)
    weights = g("Softmax", scores, axis=-1)
    weights = g("Where", forbidden, g.constant(0.0, np.float32), weights)
    mixed = g("Transpose", g("MatMul", weights, value), perm=[0, 2, 1, 3])
    return g.linear(g.reshape(mixed, 0, -1, WIDTH), WIDTH, WIDTH)


def convolution(g, x, padding):
    x = g("Transpose", x, perm=[0, 2, 1])
    wide = g("Conv", x, g.made(2 * WIDTH, WIDTH, 1), g.made(2 * WIDTH, scale=0.1), kernel_shape=[1])
    left, right = g("Split", wide, axis=1, count=2)
    x = g("Mul", left, g("Sigmoid", right))
    x = g("Where", padding, g.constant(0.0, np.float32), x)
    side = KERNEL // 2
    x = g("Conv", x, g.made(WIDTH, 1, KERNEL), g.made(WIDTH, scale=0.1), kernel_shape=[KERNEL],
          pads=[side, side], group=WIDTH)
    x = g("Conv", g.swish(x), g.made(WIDTH, WIDTH, 1), g.made(WIDTH, scale=0.1), kernel_shape=[1])
    return g("Transpose", x, perm=[0, 2, 1])


def feed_forward(g, x):
    inner = g.swish(g.linear(g.norm(x), WIDTH, INNER))
    return g("Mul", g.linear(inner, INNER, WIDTH), g.constant(0.5, np.float32))


def make_encoder(path, bands, seed):
    g = Graph(seed)
    x, length = subsample(g, "audio_signal", "length", bands)
    table = positions(g, x)
    valid = valid_frames(g, x, 1, length)
    rows = g("Unsqueeze", valid, g.constant([2]))
    columns = g("Unsqueeze", valid, g.constant([1]))
    forbidden = g("Not", g("Unsqueeze", g("And", rows, columns), g.constant([1])))
    padding = g("Not", columns)
    for _ in range(LAYERS):
        x = g("Add", x, feed_forward(g, x))
        x = g("Add", x, attention(g, g.norm(x), table, forbidden))
        x = g("Add", x, convolution(g, g.norm(x), padding))
        x = g("Add", x, feed_forward(g, x))
        x = g.norm(x)
    g("Transpose", x, perm=[0, 2, 1], outputs=["outputs"])
    g("Identity", length, outputs=["encoded_lengths"])
    g.save(
        path,
        [("audio_signal", TensorProto.FLOAT, ["batch", bands, "time"]),
         ("length", TensorProto.INT64, ["batch"])],
        [("outputs", TensorProto.FLOAT, ["batch", WIDTH, "frames"]),
         ("encoded_lengths", TensorProto.INT64, ["batch"])],
    )


def make_decoder(path, durations, seed, blank):
    g = Graph(seed)
    tokens = len(TOKENS) + 1
    embedded = g("Gather", g.made(tokens, EMBEDDING, scale=2.5), "targets")
    x = g("Transpose", embedded, perm=[1, 0, 2])
    hidden, cells = [], []
    for layer in range(STATE_LAYERS):
        size = EMBEDDING if layer == 0 else STATE
        part = lambda state: g("Slice", state, *(g.constant([it]) for it in (layer, layer + 1, 0)))
        x, h, c = g(
            "LSTM", x, g.made(1, 4 * STATE, size, scale=0.8), g.made(1, 4 * STATE, STATE, scale=0.8),
            g.made(1, 8 * STATE, scale=0.2), "", part("input_states_1"), part("input_states_2"),
            count=3, hidden_size=STATE,
        )
        x = g("Squeeze", x, g.constant([1]))
        hidden.append(h)
        cells.append(c)
    g("Concat", *hidden, axis=0, outputs=["output_states_1"])
    g("Concat", *cells, axis=0, outputs=["output_states_2"])
    g("Identity", "target_length", outputs=["prednet_lengths"])
    encoded = g.linear(g("Transpose", "encoder_outputs", perm=[0, 2, 1]), WIDTH, JOINT)
    said = g.linear(g("Transpose", x, perm=[1, 0, 2]), STATE, JOINT)
    joined = g("Add", g("Unsqueeze", encoded, g.constant([2])), g("Unsqueeze", said, g.constant([1])))
    size = tokens + durations
    scores = g("MatMul", g("Relu", joined), g.made(JOINT, size, scale=1.2))
    bias = g.random.standard_normal(size) * 0.3
    bias[tokens - 1] += blank
    g("Add", scores, g.constant(bias, np.float32), outputs=["outputs"])
    state = [STATE_LAYERS, "batch", STATE]
    g.save(
        path,
        [("encoder_outputs", TensorProto.FLOAT, ["batch", WIDTH, "time"]),
         ("targets", TensorProto.INT32, ["batch", "tokens"]),
         ("target_length", TensorProto.INT32, ["batch"]),
         ("input_states_1", TensorProto.FLOAT, state),
         ("input_states_2", TensorProto.FLOAT, state)],
        [("outputs", TensorProto.FLOAT, ["batch", "time", "tokens", size]),
         ("prednet_lengths", TensorProto.INT32, ["batch"]),
         ("output_states_1", TensorProto.FLOAT, state),
         ("output_states_2", TensorProto.FLOAT, state)],
    )


def audio(count):
    """Sawtooth tones with noise and pauses, by integers alone; the Rust tests make the same."""
    state, tone, loud, samples = 1, 0, 0, []
    for place in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        if place % 1600 == 0:
            tone, loud = (state >> 16) % 3000 + 300, (state >> 8) % 4
        saw = (place * tone) % 65536 - 32768
        noise = (state >> 16) % 2048 - 1024
        samples.append(saw * loud // 8 + noise // (4 - loud))
    return np.array(samples, dtype=np.float32) / 32768


def rounded(values, digits=6):
    return [round(float(value), digits) for value in np.asarray(values).ravel()]


def measure(folder, kind, samples, with_features=True):
    model = onnx_asr.load_model(kind, folder)
    asr = model.asr
    features, lengths = asr._preprocessor(samples[None], np.array([len(samples)]))
    encoded, encoded_lengths = asr._encode(features, lengths)
    result = model.with_timestamps().recognize(samples)
    frames = sorted({*range(0, features.shape[2], 60), features.shape[2] - 2, features.shape[2] - 1})
    return {
        "samples": len(samples),
        "feature_shape": list(features.shape[1:]),
        "feature_length": int(lengths[0]),
        "feature_frames": frames if with_features else [],
        "features": rounded(features[0].T[frames], 4) if with_features else [],
        "encoded": rounded(encoded[0, : encoded_lengths[0]], 5),
        "encoded_length": int(encoded_lengths[0]),
        "tokens": result.tokens,
        "timestamps": rounded(result.timestamps),
        "logprobs": rounded(result.logprobs, 5),
        "text": result.text,
    }


def write_vocabulary(path):
    lines = [f"{token} {place}\n" for place, token in enumerate([*TOKENS, "<blk>"])]
    path.write_text("".join(lines), encoding="utf-8")


def main():
    found = {"versions": {m.__name__: m.__version__ for m in (np, onnx, onnxruntime)}}
    # Seeds and preferences for the blank that give different tokens, and not too many.
    for name, kind, bands, durations, seed, blank, counts in [
        ("tdt", "nemo-conformer-tdt", 128, DURATIONS, 29, 3.5, [48_000, 30_321]),
        ("rnnt", "nemo-conformer-rnnt", 80, 0, 30, 8.0, [40_000]),
    ]:
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        make_encoder(folder / "encoder-model.onnx", bands, seed)
        make_decoder(folder / "decoder_joint-model.onnx", durations, seed + 1, blank)
        write_vocabulary(folder / "vocab.txt")
        (folder / "config.json").write_text(json.dumps({"features_size": bands}) + "\n")
        found[name] = [measure(folder, kind, audio(n), n == counts[0]) for n in counts]
        if name == "tdt":
            make_int8(folder)
            found["int8"] = [measure_int8(folder, kind, audio(count)) for count in counts]
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    (HERE / "expected.json").write_text(text + "\n", encoding="utf-8")
    for name in ("tdt", "rnnt", "int8"):
        for case in found[name]:
            print(name, case["encoded_length"], len(case["tokens"]), repr(case["text"]))


def make_int8(folder):
    """The encoder in int8, by the same tool as the published one."""
    target = folder / "encoder-model.int8.onnx"
    quantize_dynamic(folder / "encoder-model.onnx", target, weight_type=QuantType.QUInt8)
    kinds = {node.op_type for node in onnx.load(target).graph.node}
    assert {"ConvInteger", "MatMulInteger"} <= kinds, kinds


def measure_int8(folder, kind, samples):
    """onnx-asr takes both networks in int8 or none, so the encoder is given the usual name."""
    with tempfile.TemporaryDirectory() as other:
        for file in folder.iterdir():
            shutil.copy(file, other)
        shutil.move(Path(other, "encoder-model.int8.onnx"), Path(other, "encoder-model.onnx"))
        return measure(Path(other), kind, samples, with_features=False)


if __name__ == "__main__":
    sys.exit(main())
