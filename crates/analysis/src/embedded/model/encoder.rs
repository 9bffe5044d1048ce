//! The network's forward pass over a batch of token sequences.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use super::file::{Linear, Model, Norm, Shape};
use super::reader::{BLOCK, BLOCK_BYTES, unpack};

/// The vectors of these sequences: the mean over each sequence's tokens, not normalised. Every
/// sequence has at least one token and at most as many as the model has positions.
pub(super) fn encode(model: &Model, sequences: &[&[u32]]) -> Array2<f32> {
    let width = model.shape.width;
    let mut ranges = Vec::with_capacity(sequences.len());
    let mut count = 0;
    for sequence in sequences {
        ranges.push(count..count + sequence.len());
        count += sequence.len();
    }
    let mut states = embedded(model, sequences, count);
    let mut scratch = Vec::new();
    for layer in &model.layers {
        let mut through =
            |linear: &Linear, input: &Array2<f32>| linear_step(model, linear, input, &mut scratch);
        let query = through(&layer.query, &states);
        let key = through(&layer.key, &states);
        let value = through(&layer.value, &states);
        let mut context = Array2::zeros((count, width));
        for range in &ranges {
            let part = |matrix: &'_ Array2<f32>| matrix.slice(s![range.clone(), ..]).to_owned();
            let context = context.slice_mut(s![range.clone(), ..]);
            attention(
                &model.shape,
                &part(&query),
                &part(&key),
                &part(&value),
                context,
            );
        }
        states += &through(&layer.joined, &context);
        normalise(&mut states, &layer.after_attention, model.shape.epsilon);
        let mut inner = through(&layer.inner, &states);
        inner.mapv_inplace(gelu);
        states += &through(&layer.outer, &inner);
        normalise(&mut states, &layer.after_inner, model.shape.epsilon);
    }
    let mut means = Array2::zeros((ranges.len(), width));
    for (range, mut mean) in ranges.into_iter().zip(means.rows_mut()) {
        let rows = states.slice(s![range, ..]);
        if let Some(average) = rows.mean_axis(Axis(0)) {
            mean.assign(&average);
        }
    }
    means
}

/// The sum of each token's embedding and its position's.
fn embedded(model: &Model, sequences: &[&[u32]], count: usize) -> Array2<f32> {
    let width = model.shape.width;
    let row_bytes = width / BLOCK * BLOCK_BYTES;
    let words = &model.bytes[model.words.clone()];
    let mut numbers = vec![0.0; count * width];
    let tokens = sequences
        .iter()
        .flat_map(|sequence| sequence.iter().enumerate());
    for (row, (position, token)) in numbers.chunks_exact_mut(width).zip(tokens) {
        let start = *token as usize * row_bytes;
        unpack(&words[start..start + row_bytes], row);
        let place = &model.positions[position * width..(position + 1) * width];
        for ((number, place), kind) in row.iter_mut().zip(place).zip(&model.kind) {
            *number += place + kind;
        }
    }
    let mut states = matrix_of(numbers, count, width);
    normalise(&mut states, &model.norm, model.shape.epsilon);
    states
}

/// A matrix of these numbers; their count always matches.
fn matrix_of(numbers: Vec<f32>, rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_vec((rows, columns), numbers)
        .unwrap_or_else(|_| Array2::zeros((rows, columns)))
}

/// `input` times the transposed weights, plus the bias.
fn linear_step(
    model: &Model,
    linear: &Linear,
    input: &Array2<f32>,
    scratch: &mut Vec<f32>,
) -> Array2<f32> {
    let outputs = linear.bias.len();
    let mut result = Array2::zeros((input.nrows(), outputs));
    for mut row in result.rows_mut() {
        row.assign(&ndarray::aview1(&linear.bias));
    }
    scratch.resize(outputs * linear.inputs, 0.0);
    unpack(&model.bytes[linear.weights.clone()], scratch);
    if let Ok(weights) = ArrayView2::from_shape((outputs, linear.inputs), scratch) {
        general_mat_mul(1.0, input, &weights.t(), 1.0, &mut result);
    }
    result
}

/// Self-attention within each sequence, head by head.
fn attention(
    shape: &Shape,
    query: &Array2<f32>,
    key: &Array2<f32>,
    value: &Array2<f32>,
    mut context: ArrayViewMut2<'_, f32>,
) {
    let head_width = shape.width / shape.heads;
    #[expect(
        clippy::cast_precision_loss,
        reason = "a head is a few dozen numbers wide"
    )]
    let scale = 1.0 / (head_width as f32).sqrt();
    let mut weights = Array2::zeros((query.nrows(), query.nrows()));
    for head in 0..shape.heads {
        let columns = s![.., head * head_width..(head + 1) * head_width];
        let (query, key, value) = (
            query.slice(columns),
            key.slice(columns),
            value.slice(columns),
        );
        general_mat_mul(scale, &query, &key.t(), 0.0, &mut weights);
        for mut row in weights.rows_mut() {
            let most = row.iter().copied().fold(f32::MIN, f32::max);
            row.mapv_inplace(|weight| (weight - most).exp());
            let sum = row.sum();
            row /= sum;
        }
        general_mat_mul(1.0, &weights, &value, 0.0, &mut context.slice_mut(columns));
    }
}

/// Layer normalisation: brings every row to mean 0 and variance 1, then scales and shifts it.
fn normalise(states: &mut Array2<f32>, norm: &Norm, epsilon: f32) {
    for mut row in states.rows_mut() {
        let mean = row.mean().unwrap_or_default();
        row -= mean;
        let variance = row.iter().map(|number| number * number).sum::<f32>();
        #[expect(
            clippy::cast_precision_loss,
            reason = "a row is a few hundred numbers wide"
        )]
        let inverse = 1.0 / (variance / row.len() as f32 + epsilon).sqrt();
        for ((number, scale), shift) in row.iter_mut().zip(&norm.scale).zip(&norm.shift) {
            *number = *number * inverse * scale + shift;
        }
    }
}

/// Gaussian error linear unit, the exact form with `erf`.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function with an error of at most 1.5e-7 (Abramowitz and Stegun, 7.1.26).
fn erf(x: f32) -> f32 {
    let magnitude = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * magnitude);
    let series = [
        1.061_405_4,
        -1.453_152,
        1.421_413_8,
        -0.284_496_74,
        0.254_829_6,
    ];
    let sum = series.iter().fold(0.0_f32, |sum, factor| sum * t + factor) * t;
    (1.0 - sum * (-magnitude * magnitude).exp()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_has_its_known_values() {
        for (x, value) in [
            (0.0, 0.0),
            (0.5, 0.520_499_9),
            (1.0, 0.842_700_8),
            (-2.0, -0.995_322_3),
        ] {
            assert!((erf(x) - value).abs() < 1e-6, "{x}: {}", erf(x));
        }
        assert!((gelu(1.0) - 0.841_344_7).abs() < 1e-6);
        assert!(gelu(-20.0).abs() < 1e-6);
    }
}
