//! Converts the speaker embedding CAM++ ("context-aware masking", 3D-Speaker) to ONNX.
//!
//! The published weights are PyTorch's; the network is rebuilt here, with every normalisation that
//! follows a convolution folded into it.

use super::SpeakerConvertError;
use super::onnx::{Attribute, Graph};
use super::torch::Weights;

/// Mel bands of the input.
const BANDS: usize = 80;
/// Dimensions of the embedding.
pub(super) const DIMENSIONS: usize = 192;
/// Channels of the two-dimensional front part.
const HEAD: usize = 32;
/// Channels that every dense layer adds.
const GROWTH: usize = 32;
/// Channels inside a dense layer.
const BOTTLENECK: usize = 128;
/// Layers and dilation of the three dense blocks.
const BLOCKS: [(usize, i64); 3] = [(12, 1), (24, 2), (16, 2)];
/// PyTorch's epsilon, which is added to a variance before the division.
const EPSILON: f32 = 1e-5;
/// The least factor of a normalisation: so small that any value in the network times this is
/// practically zero.
const MIN_FACTOR: f32 = 1e-30;
/// Frames after the first layer, which has stride 2, for 148 input frames. With up to 100 frames
/// the network's context segments are one segment, the whole window; longer windows would need
/// separate segments.
const FRAMES: f32 = 74.0;

use Attribute::{Int, Ints};

/// Writes the network with the weights from a file.
///
/// # Errors
/// When the file cannot be read or its tensors are not those of this network.
pub(super) fn convert(file: &[u8]) -> Result<Vec<u8>, SpeakerConvertError> {
    let mut writer = Writer {
        weights: Weights::open(file)?,
        graph: Graph::default(),
    };
    let input = writer
        .graph
        .input("features", &["batch", "frames", &BANDS.to_string()]);
    let head = writer.head(&input)?;
    let mut channels = 128;
    let mut value = writer.convolution(
        &head,
        Layer {
            name: "xvector.tdnn.linear",
            norm: Some("xvector.tdnn.nonlinear.batchnorm"),
            shape: &[channels, HEAD * BANDS / 8, 5],
            bias: false,
            attributes: &[Ints("strides", &[2]), Ints("pads", &[2, 2])],
        },
    )?;
    value = writer.graph.node("Relu", &[&value], &[]);
    for (index, (layers, dilation)) in BLOCKS.into_iter().enumerate() {
        let number = index + 1;
        for layer in 1..=layers {
            let name = format!("xvector.block{number}.tdnnd{layer}");
            let new = writer.dense_layer(&value, &name, channels, dilation)?;
            value = writer
                .graph
                .node("Concat", &[&value, &new], &[Int("axis", 1)]);
            channels += GROWTH;
        }
        let name = format!("xvector.transit{number}");
        value = writer.normalised(&value, &format!("{name}.nonlinear.batchnorm"), channels)?;
        value = writer.convolution(
            &value,
            Layer::plain(&format!("{name}.linear"), &[channels / 2, channels, 1]),
        )?;
        channels /= 2;
    }
    value = writer.normalised(&value, "xvector.out_nonlinear.batchnorm", channels)?;
    value = writer.statistics(&value);
    value = writer.convolution(
        &value,
        Layer {
            norm: Some("xvector.dense.nonlinear.batchnorm"),
            ..Layer::plain("xvector.dense.linear", &[DIMENSIONS, channels * 2, 1])
        },
    )?;
    value = writer.graph.node("Flatten", &[&value], &[Int("axis", 1)]);
    let shape = ["batch", &DIMENSIONS.to_string()];
    Ok(writer.graph.finish(&value, "embedding", &shape))
}

/// A convolution and the normalisation after it.
#[derive(Clone, Copy)]
struct Layer<'a> {
    name: &'a str,
    norm: Option<&'a str>,
    /// Outputs, inputs, kernel.
    shape: &'a [usize],
    bias: bool,
    attributes: &'a [Attribute<'a>],
}

impl<'a> Layer<'a> {
    fn plain(name: &'a str, shape: &'a [usize]) -> Self {
        Self {
            name,
            norm: None,
            shape,
            bias: false,
            attributes: &[],
        }
    }
}

/// Scale and bias of a normalisation, per channel.
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
}

struct Writer<'a> {
    weights: Weights<'a>,
    graph: Graph,
}

impl Writer<'_> {
    fn norm(&mut self, name: &str, channels: usize) -> Result<Norm, SpeakerConvertError> {
        let mean = self
            .weights
            .take(&format!("{name}.running_mean"), channels)?;
        let variance = self
            .weights
            .take(&format!("{name}.running_var"), channels)?;
        // The last one has no learned scale and bias.
        let (weight, bias) = if name.starts_with("xvector.dense") {
            (vec![1.0; channels], vec![0.0; channels])
        } else {
            (
                self.weights.take(&format!("{name}.weight"), channels)?,
                self.weights.take(&format!("{name}.bias"), channels)?,
            )
        };
        let scale: Vec<f32> = weight
            .iter()
            .zip(&variance)
            .map(|(weight, variance)| weight / (variance + EPSILON).sqrt())
            .collect();
        let shift = bias
            .iter()
            .zip(&mean)
            .zip(&scale)
            .map(|((bias, mean), scale)| bias - mean * scale)
            .collect();
        Ok(Norm { scale, shift })
    }

    /// A layer's weights with its normalisation folded in, and the biases.
    fn folded(
        &mut self,
        layer: Layer<'_>,
    ) -> Result<(Vec<f32>, Option<Vec<f32>>), SpeakerConvertError> {
        let outputs = layer.shape[0];
        let count = layer.shape.iter().product();
        let mut kernel = self
            .weights
            .take(&format!("{}.weight", layer.name), count)?;
        let mut bias = match layer.bias {
            true => Some(
                self.weights
                    .take(&format!("{}.bias", layer.name), outputs)?,
            ),
            false => None,
        };
        if let Some(norm) = layer.norm {
            let norm = self.norm(norm, outputs)?;
            for (row, scale) in kernel.chunks_mut(count / outputs).zip(&norm.scale) {
                row.iter_mut().for_each(|weight| *weight *= scale);
            }
            bias = Some(norm.shift);
        }
        Ok((kernel, bias))
    }

    fn convolution(
        &mut self,
        input: &str,
        layer: Layer<'_>,
    ) -> Result<String, SpeakerConvertError> {
        let (kernel, bias) = self.folded(layer)?;
        Ok(self.convolved(
            input,
            layer.shape,
            &kernel,
            bias.as_deref(),
            layer.attributes,
        ))
    }

    fn convolved(
        &mut self,
        input: &str,
        shape: &[usize],
        kernel: &[f32],
        bias: Option<&[f32]>,
        attributes: &[Attribute<'_>],
    ) -> String {
        let kernel = self.graph.weights(shape, kernel);
        let bias = bias.map(|bias| self.graph.weights(&[shape[0]], bias));
        let mut inputs = vec![input, &kernel];
        inputs.extend(bias.as_deref());
        // Readers infer the number of dimensions from this attribute.
        let sizes: Vec<i64> = shape[2..].iter().map(|size| *size as i64).collect();
        let mut all = vec![Ints("kernel_shape", &sizes)];
        all.extend_from_slice(attributes);
        self.graph.node("Conv", &inputs, &all)
    }

    /// A normalisation before a convolution, and a rectifier (negative values become zero).
    ///
    /// The bias is added before the multiplication: after a product, the runtime would fuse the two
    /// into a batch normalisation, which it computes element by element, at twice the time.
    fn normalised(
        &mut self,
        input: &str,
        name: &str,
        channels: usize,
    ) -> Result<String, SpeakerConvertError> {
        let Norm { mut scale, shift } = self.norm(name, channels)?;
        let shift: Vec<f32> = shift
            .iter()
            .zip(&mut scale)
            .map(|(shift, scale)| {
                // So that dividing by a factor of zero works, and only the bias remains.
                *scale = scale.abs().max(MIN_FACTOR).copysign(*scale);
                shift / *scale
            })
            .collect();
        let shift = self.graph.weights(&[1, channels, 1], &shift);
        let scale = self.graph.weights(&[1, channels, 1], &scale);
        let shifted = self.graph.node("Add", &[input, &shift], &[]);
        let scaled = self.graph.node("Mul", &[&shifted, &scale], &[]);
        Ok(self.graph.node("Relu", &[&scaled], &[]))
    }

    /// The two-dimensional part: [batch, frames, bands] -> [batch, 320, frames].
    fn head(&mut self, input: &str) -> Result<String, SpeakerConvertError> {
        let bands = self
            .graph
            .node("Transpose", &[input], &[Ints("perm", &[0, 2, 1])]);
        let axis = self.graph.integers(&[1]);
        let mut value = self.graph.node("Unsqueeze", &[&bands, &axis], &[]);
        value = self.convolution(
            &value,
            Layer {
                name: "head.conv1",
                norm: Some("head.bn1"),
                shape: &[HEAD, 1, 3, 3],
                bias: false,
                attributes: &[Ints("strides", &[1, 1]), Ints("pads", &[1, 1, 1, 1])],
            },
        )?;
        value = self.graph.node("Relu", &[&value], &[]);
        for (layer, block, stride) in [(1, 0, 2), (1, 1, 1), (2, 0, 2), (2, 1, 1)] {
            value = self.residual(&value, &format!("head.layer{layer}.{block}"), stride)?;
        }
        value = self.square(&value, "head.conv2", "head.bn2", 2)?;
        value = self.graph.node("Relu", &[&value], &[]);
        let shape = self.graph.integers(&[0, (HEAD * BANDS / 8) as i64, -1]);
        Ok(self.graph.node("Reshape", &[&value, &shape], &[]))
    }

    /// A 3 by 3 convolution with this stride over the bands.
    ///
    /// Written as three 3 by 1 convolutions, one for each column of the kernel, whose results are
    /// shifted by a frame and added. The runtime copies the input once per kernel position, so this
    /// copies only a third, and the whole network takes nine tenths of the time.
    fn square(
        &mut self,
        input: &str,
        name: &str,
        norm: &str,
        stride: i64,
    ) -> Result<String, SpeakerConvertError> {
        const SIDE: usize = 3;
        let (kernel, bias) = self.folded(Layer {
            name,
            norm: Some(norm),
            shape: &[HEAD, HEAD, SIDE, SIDE],
            bias: false,
            attributes: &[],
        })?;
        let columns: Vec<f32> = (0..SIDE)
            .flat_map(|column| kernel.iter().skip(column).step_by(SIDE).copied())
            .collect();
        let mut summands = vec![0.0; SIDE * HEAD];
        summands[..HEAD].copy_from_slice(&bias.unwrap_or_else(|| vec![0.0; HEAD]));
        let attributes = [
            Ints("strides", &[stride, 1]),
            // One more frame at both ends, for the outer columns.
            Ints("pads", &[1, 1, 1, 1]),
        ];
        let shape = [SIDE * HEAD, HEAD, SIDE, 1];
        let all = self.convolved(input, &shape, &columns, Some(&summands), &attributes);
        let axes = self.graph.integers(&[1, 3]);
        let parts: Vec<String> = (0..SIDE)
            .map(|column| {
                let end_offset = match SIDE - 1 - column {
                    0 => i64::MAX,
                    frames => -(frames as i64),
                };
                let first = (column * HEAD) as i64;
                let start = self.graph.integers(&[first, column as i64]);
                let end = self.graph.integers(&[first + HEAD as i64, end_offset]);
                self.graph.node("Slice", &[&all, &start, &end, &axes], &[])
            })
            .collect();
        let sum = self.graph.node("Add", &[&parts[0], &parts[1]], &[]);
        Ok(self.graph.node("Add", &[&sum, &parts[2]], &[]))
    }

    fn residual(
        &mut self,
        input: &str,
        name: &str,
        stride: i64,
    ) -> Result<String, SpeakerConvertError> {
        let part = |part: &str| format!("{name}.{part}");
        let first = self.square(input, &part("conv1"), &part("bn1"), stride)?;
        let first = self.graph.node("Relu", &[&first], &[]);
        let second = self.square(&first, &part("conv2"), &part("bn2"), 1)?;
        let shortcut = if stride == 1 {
            input.to_owned()
        } else {
            self.convolution(
                input,
                Layer {
                    norm: Some(&part("shortcut.1")),
                    attributes: &[Ints("strides", &[stride, 1])],
                    ..Layer::plain(&part("shortcut.0"), &[HEAD, HEAD, 1, 1])
                },
            )?
        };
        let sum = self.graph.node("Add", &[&second, &shortcut], &[]);
        Ok(self.graph.node("Relu", &[&sum], &[]))
    }

    /// One dense layer: the channels that it appends to its input, masked by the context of the
    /// window.
    fn dense_layer(
        &mut self,
        input: &str,
        name: &str,
        channels: usize,
        dilation: i64,
    ) -> Result<String, SpeakerConvertError> {
        let part = |part: &str| format!("{name}.{part}");
        let value = self.normalised(input, &part("nonlinear1.batchnorm"), channels)?;
        let value = self.convolution(
            &value,
            Layer {
                norm: Some(&part("nonlinear2.batchnorm")),
                ..Layer::plain(&part("linear1"), &[BOTTLENECK, channels, 1])
            },
        )?;
        let value = self.graph.node("Relu", &[&value], &[]);
        let local = self.convolution(
            &value,
            Layer {
                attributes: &[
                    Ints("dilations", &[dilation]),
                    Ints("pads", &[dilation, dilation]),
                ],
                ..Layer::plain(&part("cam_layer.linear_local"), &[GROWTH, BOTTLENECK, 3])
            },
        )?;
        let mean = self.mean(&value);
        // The mean of the window plus the mean of its segments; there is only one segment, so they
        // are equal.
        let context = self.graph.node("Add", &[&mean, &mean], &[]);
        let context = self.convolution(
            &context,
            Layer {
                bias: true,
                ..Layer::plain(&part("cam_layer.linear1"), &[BOTTLENECK / 2, BOTTLENECK, 1])
            },
        )?;
        let context = self.graph.node("Relu", &[&context], &[]);
        let context = self.convolution(
            &context,
            Layer {
                bias: true,
                ..Layer::plain(&part("cam_layer.linear2"), &[GROWTH, BOTTLENECK / 2, 1])
            },
        )?;
        let mask = self.graph.node("Sigmoid", &[&context], &[]);
        Ok(self.graph.node("Mul", &[&local, &mask], &[]))
    }

    /// Mean and standard deviation over the frames, concatenated.
    fn statistics(&mut self, input: &str) -> String {
        let mean = self.mean(input);
        let distance = self.graph.node("Sub", &[input, &mean], &[]);
        let square = self.graph.node("Mul", &[&distance, &distance], &[]);
        let variance = self.mean(&square);
        let unbiased = self.graph.weights(&[1], &[FRAMES / (FRAMES - 1.0)]);
        let variance = self.graph.node("Mul", &[&variance, &unbiased], &[]);
        let deviation = self.graph.node("Sqrt", &[&variance], &[]);
        self.graph
            .node("Concat", &[&mean, &deviation], &[Int("axis", 1)])
    }

    fn mean(&mut self, input: &str) -> String {
        let attributes = [Ints("axes", &[2]), Int("keepdims", 1)];
        self.graph.node("ReduceMean", &[input], &attributes)
    }
}
