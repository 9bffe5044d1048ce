//! The workers of this process: one for each task queue.

use std::collections::BTreeSet;
use std::time::Duration;

use slovo_db::jobs::queue::Line;
use slovo_work::queues::Queue;
use temporalio_client::Client;
use temporalio_sdk::runtime::worker_tuner::{FixedSizeSlotSupplier, TunerHolder, WorkerTuner};
use temporalio_sdk::{Runtime, Worker, WorkerOptions};
use tokio::runtime::Handle;

use crate::Parts;
use crate::activities::Steps;
use crate::queues::TaskQueues;
use crate::schedules::RoundWorkflow;
use crate::workflow::JobWorkflow;

/// Short activities and workflows at once.
const SHORT_AT_ONCE: usize = 32;
/// Analyses at once wait for room in the process; those that have it show life.
const ANALYSES: usize = 2;
/// Rounds of repeated work at once.
const ROUNDS: usize = 8;
/// How often it is checked which models are in use.
const MODELS_INTERVAL: Duration = Duration::from_secs(2);
/// The pause after a worker has ended with an error.
const RESTART: Duration = Duration::from_secs(5);

/// What the workers of a process have in common. The runtime lives as long as one of them.
struct Common {
    client: Client,
    runtime: Runtime,
    queues: TaskQueues,
    parts: Parts,
}

/// Starts them; they end when the server stops.
pub(crate) fn start(client: Client, runtime: Runtime, queues: TaskQueues, parts: Parts) {
    let tasks = parts.tasks.clone();
    let common = std::sync::Arc::new(Common {
        client,
        runtime,
        queues,
        parts,
    });
    tasks.spawn(async move {
        spawn(&common, common.queues.workflows(), SHORT_AT_ONCE, true);
        let own = &common.parts.queues;
        let worker = &common.parts.worker;
        for (queue, places) in [
            (Queue::Analysis, ANALYSES),
            (Queue::Download, worker.places(Line::Download)),
            (Queue::Delivery, ROUNDS),
        ] {
            if own.contains(queue) {
                spawn(&common, common.queues.of(queue), places, false);
            }
        }
        if own.contains(Queue::Recognition) {
            recognise(&common).await;
        }
    });
}

/// Works on recognition by the models in use, until the server stops. What waits for a model that was
/// in use is still taken, and recognised with the one that is in use now.
async fn recognise(common: &std::sync::Arc<Common>) {
    let places = common.parts.worker.places(Line::Recognition);
    let mut known = BTreeSet::new();
    loop {
        for model in common.parts.worker.jobs().models() {
            if known.insert(model.clone()) {
                let queue = common.queues.recognition(&model);
                spawn(common, queue, places, false);
            }
        }
        tokio::select! {
            () = common.parts.shutdown.cancelled() => return,
            () = tokio::time::sleep(MODELS_INTERVAL) => {}
        }
    }
}

/// Starts the worker of a task queue on a thread of its own, because workflows are not `Send`.
fn spawn(common: &std::sync::Arc<Common>, queue: String, places: usize, workflows: bool) {
    let common = std::sync::Arc::clone(common);
    let tasks = common.parts.tasks.clone();
    let handle = Handle::current();
    tasks.spawn_blocking(move || handle.block_on(work(&common, &queue, places, workflows)));
}

async fn work(common: &Common, queue: &str, places: usize, workflows: bool) {
    let shutdown = &common.parts.shutdown;
    while !shutdown.is_cancelled() {
        let ended = work_once(common, queue, places, workflows).await;
        if shutdown.is_cancelled() {
            return;
        }
        match ended {
            Ok(()) => tracing::error!(queue, "a worker of Temporal has ended; starting another"),
            Err(error) => {
                tracing::error!(queue, %error, "a worker of Temporal failed; starting another");
            }
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(RESTART) => {}
        }
    }
}

async fn work_once(
    common: &Common,
    queue: &str,
    places: usize,
    workflows: bool,
) -> anyhow::Result<()> {
    let tuner = TunerHolder::builder()
        .workflow_task_slot_supplier(FixedSizeSlotSupplier::new(SHORT_AT_ONCE))
        .activity_task_slot_supplier(FixedSizeSlotSupplier::new(places))
        .local_activity_task_slot_supplier(FixedSizeSlotSupplier::new(1))
        .nexus_task_slot_supplier(FixedSizeSlotSupplier::new(1))
        .build();
    let mut options = WorkerOptions::new(queue)
        .tuner(WorkerTuner::from(tuner))
        .register_activities(Steps::new(&common.parts, &common.queues));
    if workflows {
        options = options
            .register_workflow::<JobWorkflow>()?
            .register_workflow::<RoundWorkflow>()?;
    }
    let mut worker = Worker::new(&common.runtime, common.client.clone(), options.build())?;
    let stop = worker.shutdown_handle();
    let running = worker.run();
    tokio::pin!(running);
    tokio::select! {
        ended = &mut running => return Ok(ended?),
        () = common.parts.shutdown.cancelled() => stop(),
    }
    // Steps under way are released by the jobs themselves.
    Ok(running.await?)
}
