//! A network in an ONNX file, run on one thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use rten::{Dimension, Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};

use crate::error::LoadError;
use crate::quantized;

thread_local! {
    /// One for each calling thread: callers that share a pool of one thread would wait for each
    /// other.
    static POOL: Arc<ThreadPool> = Arc::new(ThreadPool::with_num_threads(1));
}

/// A loaded network whose inputs and outputs have known names.
pub(crate) struct Network {
    model: Model,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
}

impl Network {
    /// Loads a file. `inputs` and `outputs` are the names in the order in which [`Network::run`]
    /// takes and returns values.
    pub(crate) fn load(path: &Path, inputs: &[&str], outputs: &[&str]) -> Result<Self, LoadError> {
        let file = std::fs::File::open(path).map_err(|error| LoadError::unreadable(path, error))?;
        let unusable = |reason: String| LoadError::unusable(path, reason);
        // Weights are not packed beforehand: that keeps a second copy of them, and saves little with
        // hundreds of rows in each product.
        let model = guarded(|| match quantized::prepare(file)? {
            Some(prepared) => prepared.load(),
            None => ModelOptions::with_all_ops()
                .load_file(path)
                .map_err(|error| error.to_string()),
        });
        let model = model.map_err(unusable)?;
        let find = |names: &[&str], known: &[NodeId]| -> Result<Vec<NodeId>, LoadError> {
            let find = |name: &&str| {
                let node = model.find_node(name).filter(|node| known.contains(node));
                node.ok_or_else(|| unusable(format!("it has no input or output {name:?}")))
            };
            names.iter().map(find).collect()
        };
        let (inputs, outputs) = (
            find(inputs, model.input_ids())?,
            find(outputs, model.output_ids())?,
        );
        Ok(Self {
            model,
            inputs,
            outputs,
        })
    }

    /// The size of an input along an axis, if it is fixed.
    pub(crate) fn fixed_size(&self, input: usize, axis: usize) -> Option<usize> {
        let shape = self.model.node_info(self.inputs[input])?.shape()?;
        match shape.get(axis)? {
            Dimension::Fixed(size) => Some(*size),
            Dimension::Symbolic(_) => None,
        }
    }

    /// Runs the network.
    pub(crate) fn run(&self, inputs: Vec<ValueOrView>) -> Result<Vec<Value>, String> {
        let inputs = self.inputs.iter().copied().zip(inputs).collect();
        let options = RunOptions::default().with_thread_pool(Some(POOL.with(Arc::clone)));
        guarded(|| {
            self.model
                .run(inputs, &self.outputs, Some(options))
                .map_err(|error| error.to_string())
        })
    }
}

/// Calls rten, whose loader and operators panic on some damaged networks.
fn guarded<T>(call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err("it is damaged: its nodes do not fit together".to_owned()))
}
