//! Orders workflows for jobs that wait and have none.
//!
//! A job is noted before its workflow is told, so that a workflow that ends at once cannot leave a note
//! behind; a note that was not followed by the message is noticed at the next round.

use std::time::Duration;

use slovo_db::jobs::workflows::{self, Ordered};
use temporalio_client::{
    Client, WorkflowDescribeOptions, WorkflowExecutionStatus, WorkflowIdConflictPolicy,
    WorkflowIdReusePolicy, WorkflowSignalOptions, WorkflowStartOptions,
};

use crate::Parts;
use crate::fairness::priority;
use crate::queues::TaskQueues;
use crate::workflow::{JobInput, JobWorkflow};

/// How often jobs are looked for that other processes made wait. Those of this process are noticed at
/// once.
const INTERVAL: Duration = Duration::from_secs(1);
/// Orders placed in one round.
const BATCH: i64 = 100;
/// How often it is checked whether noted workflows still run.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// After this time a noted workflow is checked, in milliseconds: somebody may have terminated it, or
/// Temporal may have lost its data.
const CHECKED_FOR_MS: i64 = 10 * 60 * 1000;

/// Places orders until the server stops.
pub(crate) async fn place(client: Client, queues: TaskQueues, parts: Parts) {
    let mut checked = tokio::time::Instant::now();
    loop {
        let placed = place_once(&client, &queues, &parts).await;
        if let Err(error) = &placed {
            tracing::warn!(%error, "workflows could not be started; trying again");
        }
        if checked.elapsed() >= CHECK_INTERVAL {
            checked = tokio::time::Instant::now();
            if let Err(error) = check(&client, &queues, &parts).await {
                tracing::warn!(%error, "workflows could not be checked; trying again");
            }
        }
        if matches!(placed, Ok(BATCH)) {
            continue;
        }
        tokio::select! {
            () = parts.worker.jobs().new_work() => {}
            () = tokio::time::sleep(INTERVAL) => {}
            () = parts.shutdown.cancelled() => return,
        }
    }
}

/// Returns the number of orders.
async fn place_once(client: &Client, queues: &TaskQueues, parts: &Parts) -> anyhow::Result<i64> {
    let now = parts.clock.now_ms();
    let orders = workflows::ordered(&mut *parts.db.read().await?, now, BATCH).await?;
    if orders.is_empty() {
        return Ok(0);
    }
    let mut transaction = parts.db.write().await?;
    for order in &orders {
        workflows::note(&mut transaction, order.job).await?;
    }
    transaction.commit().await?;
    tell(client, queues, parts, &orders).await?;
    Ok(i64::try_from(orders.len()).unwrap_or(BATCH))
}

/// Starts the workflows of these jobs, or has them look again.
async fn tell(
    client: &Client,
    queues: &TaskQueues,
    parts: &Parts,
    orders: &[Ordered],
) -> anyhow::Result<()> {
    for order in orders {
        let options = WorkflowStartOptions::new(queues.workflows(), order.job.to_string())
            .id_reuse_policy(WorkflowIdReusePolicy::AllowDuplicate)
            .id_conflict_policy(WorkflowIdConflictPolicy::UseExisting)
            .priority(priority(order.priority, None))
            .build();
        let job = JobInput { job: order.job };
        client
            .signal_with_start_workflow(JobWorkflow::run, job, JobWorkflow::look, (), options)
            .await?;
    }
    note_checked(parts, orders).await
}

async fn note_checked(parts: &Parts, orders: &[Ordered]) -> anyhow::Result<()> {
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    for order in orders {
        workflows::note_checked(&mut transaction, order.job, now).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Starts noted workflows again that do not run.
async fn check(client: &Client, queues: &TaskQueues, parts: &Parts) -> anyhow::Result<()> {
    let before = parts.clock.now_ms() - CHECKED_FOR_MS;
    let noted = workflows::unchecked(&mut *parts.db.read().await?, before, BATCH).await?;
    let (mut gone, mut running) = (Vec::new(), Vec::new());
    for order in noted {
        let handle = client.get_workflow_handle::<JobWorkflow>(order.job.to_string());
        let status = match handle.describe(WorkflowDescribeOptions::default()).await {
            Ok(found) => Some(found.status()),
            Err(temporalio_client::errors::WorkflowInteractionError::NotFound(_)) => None,
            Err(error) => return Err(error.into()),
        };
        match status {
            Some(WorkflowExecutionStatus::Running | WorkflowExecutionStatus::Paused) => {
                // It may have been told before the work was stored.
                let look = WorkflowSignalOptions::default();
                handle.signal(JobWorkflow::look, (), look).await?;
                running.push(order);
            }
            _ => gone.push(order),
        }
    }
    if !gone.is_empty() {
        tracing::warn!(jobs = gone.len(), "workflows are started again");
    }
    tell(client, queues, parts, &gone).await?;
    note_checked(parts, &running).await
}
