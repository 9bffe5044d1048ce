//! Repeated work as schedules of Temporal: each round is a workflow with one activity.

use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use temporalio_client::schedules::{
    CreateScheduleOptions, ScheduleAction, ScheduleError, ScheduleOverlapPolicy, ScheduleSpec,
    ScheduleUpdate,
};
use temporalio_client::tonic::Code;
use temporalio_client::{Client, RpcOptions};
use temporalio_common::RetryPolicy;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{ActivityOptions, WorkflowContext, WorkflowContextView, WorkflowResult};

use crate::Repeated;
use crate::activities::Steps;
use crate::queues::TaskQueues;

/// The longest time of one round.
const LONGEST: Duration = Duration::from_hours(6);
/// Without a sign of life for this time, a round is given to another worker.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// Attempts of one round; the next one comes anyway.
const ATTEMPTS: u32 = 3;

/// What is repeated, and by whom.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Round {
    /// See [`Repeated::name`].
    pub name: String,
    /// The task queue of the workers that do it.
    pub queue: String,
}

/// One round of repeated work.
#[workflow]
pub struct RoundWorkflow(Round);

#[workflow_methods]
impl RoundWorkflow {
    #[init]
    fn new(_context: &WorkflowContextView, round: Round) -> Self {
        Self(round)
    }

    #[run(name = "round")]
    pub async fn run(context: &mut WorkflowContext<Self>) -> WorkflowResult<()> {
        let round = context.state(|state| state.0.clone());
        let options = ActivityOptions::with_start_to_close_timeout(LONGEST)
            .task_queue(round.queue)
            .heartbeat_timeout(HEARTBEAT)
            .retry_policy(RetryPolicy::builder().maximum_attempts(ATTEMPTS).build())
            .build();
        context
            .execute_activity(Steps::repeat, round.name, options)
            .await?;
        Ok(())
    }
}

/// Creates the schedules that are missing, and corrects the intervals of the others.
pub(crate) async fn create(
    client: &Client,
    queues: &TaskQueues,
    repeated: &[Repeated],
) -> Result<()> {
    for work in repeated {
        let id = queues.schedule(work.name);
        let round = Round {
            name: work.name.to_owned(),
            queue: queues.of(work.queue),
        };
        let workflow = format!("{id}-round");
        let action =
            ScheduleAction::start_workflow(RoundWorkflow::run, round, queues.workflows(), workflow);
        let spec = ScheduleSpec::from_interval(work.every);
        let options = CreateScheduleOptions::builder()
            .action(action.clone())
            .spec(spec.clone())
            // A round that takes longer than the interval is not run twice.
            .overlap_policy(ScheduleOverlapPolicy::Skip)
            .trigger_immediately(true)
            .build();
        match client.create_schedule(id.clone(), options).await {
            Ok(_) => {}
            Err(ScheduleError::Rpc(status)) if status.code() == Code::AlreadyExists => {
                let update = move |update: &mut ScheduleUpdate| {
                    update.set_spec(spec).set_action(action);
                };
                let handle = client.get_schedule_handle(id);
                handle.update(update, RpcOptions::default()).await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
