//! A network in an ONNX file, run on one thread.

use std::path::Path;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};

/// A loaded network with one input and one output.
pub(super) struct Network {
    model: Model,
    input: NodeId,
    output: NodeId,
    pool: Arc<ThreadPool>,
}

impl Network {
    /// Loads a file; `input` names the input, `None` for the first.
    pub(super) fn load(path: &Path, input: Option<&str>) -> Result<Self, String> {
        let model = ModelOptions::with_all_ops()
            .prepack_weights(true)
            .load_file(path)
            .map_err(|error| error.to_string())?;
        let input = match input {
            Some(name) => model.node_id(name).map_err(|error| error.to_string())?,
            None => *model.input_ids().first().ok_or("it has no input")?,
        };
        let output = *model.output_ids().first().ok_or("it has no result")?;
        Ok(Self {
            model,
            input,
            output,
            pool: Arc::new(ThreadPool::with_num_threads(1)),
        })
    }

    /// Runs the network: `shape` is batch, rows and columns of `values`.
    pub(super) fn run(&self, shape: [usize; 3], values: Vec<f32>) -> Result<Vec<f32>, String> {
        let input = NdTensor::from_data(shape, values);
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let [output] = self
            .model
            .run_n(
                vec![(self.input, input.into())],
                [self.output],
                Some(options),
            )
            .map_err(|error| error.to_string())?;
        let output: Tensor<f32> = output
            .try_into()
            .map_err(|_| "its result is not of numbers".to_owned())?;
        Ok(output.to_vec())
    }
}
