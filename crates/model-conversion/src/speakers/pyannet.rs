//! Converts the segmentation model "segmentation-3.0" (PyanNet: SincNet, LSTM, linear layers) to
//! ONNX: it finds which of up to three speakers speak in every 17 ms of ten seconds.

use super::SpeakerConvertError;
use super::onnx::{Attribute, Graph};
use super::torch::Weights;

/// Band-pass filters of the first layer: half cosines, half sines.
const FILTERS: usize = 80;
/// Samples per filter.
const FILTER: usize = 251;
/// Lowest frequency and least width of a band, in Hz.
const MIN_HZ: f64 = 50.0;
const RATE: f64 = 16_000.0;
/// Channels after the second convolution.
const CHANNELS: usize = 60;
/// Size of an LSTM state, and number of LSTM layers.
const HIDDEN: usize = 128;
const LAYERS: usize = 4;
/// Number of classes (sets of speakers).
const CLASSES: usize = 7;

use Attribute::{Int, Ints, Text};

/// Writes the network with the weights from a file.
///
/// # Errors
/// When the file cannot be read or its tensors are not those of this network.
pub(super) fn convert(file: &[u8]) -> Result<Vec<u8>, SpeakerConvertError> {
    let mut writer = Writer {
        weights: Weights::open(file)?,
        graph: Graph::default(),
    };
    let input = writer.graph.input("samples", &["batch", "1", "samples"]);
    let mut value = writer.instance_norm(&input, "sincnet.wav_norm1d", 1)?;
    value = writer.filters(&value)?;
    value = writer.pooled(&value, 0, FILTERS)?;
    for (layer, inputs) in [(1, FILTERS), (2, CHANNELS)] {
        let name = format!("sincnet.conv1d.{layer}");
        let kernel = writer.tensor(&format!("{name}.weight"), &[CHANNELS, inputs, 5])?;
        let bias = writer.tensor(&format!("{name}.bias"), &[CHANNELS])?;
        let inputs = [value.as_str(), &kernel, &bias];
        let size = [Ints("kernel_shape", &[5])];
        value = writer.graph.node("Conv", &inputs, &size);
        value = writer.pooled(&value, layer, CHANNELS)?;
    }
    // The LSTM expects [frames, batch, channels].
    value = writer
        .graph
        .node("Transpose", &[&value], &[Ints("perm", &[2, 0, 1])]);
    for layer in 0..LAYERS {
        value = writer.lstm(&value, layer)?;
    }
    value = writer
        .graph
        .node("Transpose", &[&value], &[Ints("perm", &[1, 0, 2])]);
    for (layer, inputs) in [(0, 2 * HIDDEN), (1, HIDDEN)] {
        value = writer.linear(&value, &format!("linear.{layer}"), inputs, HIDDEN)?;
        value = writer.graph.node("LeakyRelu", &[&value], &[]);
    }
    value = writer.linear(&value, "classifier", HIDDEN, CLASSES)?;
    value = writer
        .graph
        .node("LogSoftmax", &[&value], &[Int("axis", -1)]);
    let shape = ["batch", "frames", &CLASSES.to_string()];
    Ok(writer.graph.finish(&value, "classes", &shape))
}

struct Writer<'a> {
    weights: Weights<'a>,
    graph: Graph,
}

impl Writer<'_> {
    fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<String, SpeakerConvertError> {
        let numbers = self.weights.take(name, shape.iter().product())?;
        Ok(self.graph.weights(shape, &numbers))
    }

    fn instance_norm(
        &mut self,
        input: &str,
        name: &str,
        channels: usize,
    ) -> Result<String, SpeakerConvertError> {
        let scale = self.tensor(&format!("{name}.weight"), &[channels])?;
        let shift = self.tensor(&format!("{name}.bias"), &[channels])?;
        let inputs = [input, &scale, &shift];
        Ok(self.graph.node("InstanceNormalization", &inputs, &[]))
    }

    /// Max pooling over three frames, normalisation, leaky rectifier.
    fn pooled(
        &mut self,
        input: &str,
        layer: usize,
        channels: usize,
    ) -> Result<String, SpeakerConvertError> {
        let attributes = [Ints("kernel_shape", &[3]), Ints("strides", &[3])];
        let value = self.graph.node("MaxPool", &[input], &attributes);
        let value = self.instance_norm(&value, &format!("sincnet.norm1d.{layer}"), channels)?;
        Ok(self.graph.node("LeakyRelu", &[&value], &[]))
    }

    fn filters(&mut self, input: &str) -> Result<String, SpeakerConvertError> {
        let low = self
            .weights
            .take("sincnet.conv1d.0.filterbank.low_hz_", FILTERS / 2)?;
        let band = self
            .weights
            .take("sincnet.conv1d.0.filterbank.band_hz_", FILTERS / 2)?;
        let window = self
            .weights
            .take("sincnet.conv1d.0.filterbank.window_", FILTER / 2)?;
        let kernel = self
            .graph
            .weights(&[FILTERS, 1, FILTER], &band_passes(&low, &band, &window));
        let attributes = [
            Ints("kernel_shape", &[FILTER as i64]),
            Ints("strides", &[10]),
        ];
        let value = self.graph.node("Conv", &[input, &kernel], &attributes);
        Ok(self.graph.node("Abs", &[&value], &[]))
    }

    /// One layer in both directions: [frames, batch, channels] -> [frames, batch, 256].
    fn lstm(&mut self, input: &str, layer: usize) -> Result<String, SpeakerConvertError> {
        let inputs = if layer == 0 { CHANNELS } else { 2 * HIDDEN };
        let mut parts: [Vec<f32>; 3] = Default::default();
        for direction in ["", "_reverse"] {
            let mut take = |kind: &str, width: usize| {
                let name = format!("lstm.{kind}_l{layer}{direction}");
                let gates = self.weights.take(&name, 4 * HIDDEN * width)?;
                Ok::<_, SpeakerConvertError>(reordered(&gates, width))
            };
            parts[0].extend(take("weight_ih", inputs)?);
            parts[1].extend(take("weight_hh", HIDDEN)?);
            parts[2].extend(take("bias_ih", 1)?);
            parts[2].extend(take("bias_hh", 1)?);
        }
        let weights = self.graph.weights(&[2, 4 * HIDDEN, inputs], &parts[0]);
        let recurrent = self.graph.weights(&[2, 4 * HIDDEN, HIDDEN], &parts[1]);
        let bias = self.graph.weights(&[2, 8 * HIDDEN], &parts[2]);
        let value = self.graph.node(
            "LSTM",
            &[input, &weights, &recurrent, &bias],
            &[
                Text("direction", "bidirectional"),
                Int("hidden_size", HIDDEN as i64),
            ],
        );
        // [frames, directions, batch, 128]
        let value = self
            .graph
            .node("Transpose", &[&value], &[Ints("perm", &[0, 2, 1, 3])]);
        let shape = self.graph.integers(&[0, 0, -1]);
        Ok(self.graph.node("Reshape", &[&value, &shape], &[]))
    }

    fn linear(
        &mut self,
        input: &str,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<String, SpeakerConvertError> {
        let rows = self
            .weights
            .take(&format!("{name}.weight"), outputs * inputs)?;
        let columns: Vec<f32> = (0..inputs)
            .flat_map(|column| rows.iter().skip(column).step_by(inputs).copied())
            .collect();
        let matrix = self.graph.weights(&[inputs, outputs], &columns);
        let bias = self.tensor(&format!("{name}.bias"), &[outputs])?;
        let product = self.graph.node("MatMul", &[input, &matrix], &[]);
        Ok(self.graph.node("Add", &[&product, &bias], &[]))
    }
}

/// Reorders PyTorch's gates (input, forget, cell, output) to ONNX's order (input, output, forget,
/// cell).
fn reordered(gates: &[f32], width: usize) -> Vec<f32> {
    let gate = |index: usize| &gates[index * HIDDEN * width..(index + 1) * HIDDEN * width];
    [gate(0), gate(3), gate(1), gate(2)].concat()
}

/// The band-pass filters: 40 even ones (cosines), then 40 odd ones (sines) of the same bands.
/// Computed in 64 bits so that platform differences in the last bit of a sine do not reach the
/// file.
fn band_passes(low: &[f32], band: &[f32], window: &[f32]) -> Vec<f32> {
    let half = FILTER / 2;
    let mut filters = Vec::with_capacity(FILTERS * FILTER);
    for is_even in [true, false] {
        for (low, band) in low.iter().zip(band) {
            let low = MIN_HZ + f64::from(low.abs());
            let high = (low + MIN_HZ + f64::from(band.abs())).clamp(MIN_HZ, RATE / 2.0);
            let width = 2.0 * (high - low);
            let left: Vec<f64> = (0..half)
                .map(|place| {
                    let time = std::f64::consts::TAU * (place as f64 - half as f64) / RATE;
                    let wave = if is_even {
                        (high * time).sin() - (low * time).sin()
                    } else {
                        (low * time).cos() - (high * time).cos()
                    };
                    wave / (time / 2.0) * f64::from(window[place]) / width
                })
                .collect();
            let (centre, sign) = if is_even { (1.0, 1.0) } else { (0.0, -1.0) };
            filters.extend(left.iter().map(|value| *value as f32));
            filters.push(centre);
            filters.extend(left.iter().rev().map(|value| (sign * value) as f32));
        }
    }
    filters
}
