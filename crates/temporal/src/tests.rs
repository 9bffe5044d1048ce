//! The workflow with a real server of Temporal (`SLOVO_TEMPORAL_URL`) and activities that answer what a
//! test wants, and replays of stored histories: workflows that another version of the program has begun
//! must go on with this one. `histories/` gets a new file when the workflow does something new
//! (`SLOVO_TEST_HISTORY=<file> cargo xtask test temporal`), and never loses one.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use temporalio_client::{
    Client, ClientOptions, Connection, ConnectionOptions, Url, WorkflowFetchHistoryOptions,
    WorkflowGetResultOptions, WorkflowHistory, WorkflowStartOptions,
};
use temporalio_sdk::runtime::{Runtime, RuntimeOptions};
use temporalio_sdk::workflow_replayer::{
    WorkflowReplayError, WorkflowReplayer, WorkflowReplayerOptions,
};
use temporalio_sdk::{Worker, WorkerOptions};
use uuid::Uuid;

use crate::activities::{Answer, Message, Order, StepKind};
use crate::schedules::RoundWorkflow;
use crate::workflow::{JobInput, JobWorkflow};

/// Activities with the names of the real ones.
#[expect(
    dead_code,
    reason = "the macro makes constants that only workflows name"
)]
mod scripted {
    use temporalio_macros::activities;
    use temporalio_sdk::activities::{ActivityContext, ActivityError};

    use super::{Answer, Arc, Message, Mutex, Order, Script, Uuid};

    pub struct Steps(pub Arc<Mutex<Script>>);

    #[activities]
    impl Steps {
        #[activity]
        pub async fn next(
            self: Arc<Self>,
            _context: ActivityContext,
            _job: Uuid,
        ) -> Result<Answer, ActivityError> {
            let mut script = self.0.lock().unwrap();
            script.done.push("next".to_owned());
            Ok(script.answers.pop_front().unwrap_or(Answer::Nothing))
        }

        #[activity]
        pub async fn next_message(
            self: Arc<Self>,
            _context: ActivityContext,
            _job: Uuid,
        ) -> Result<Option<Message>, ActivityError> {
            let mut script = self.0.lock().unwrap();
            // Messages arise from steps.
            match script.unsent {
                0 => Ok(None),
                _ => {
                    let queue = script.queue.clone();
                    Ok(Some(Message {
                        wait: script.waits.pop_front().unwrap_or(0),
                        queue,
                    }))
                }
            }
        }

        #[activity]
        pub async fn take(
            self: Arc<Self>,
            _context: ActivityContext,
            order: Order,
        ) -> Result<bool, ActivityError> {
            let mut script = self.0.lock().unwrap();
            script.done.push(order.step.as_str().to_owned());
            script.unsent += 1;
            Ok(true)
        }

        #[activity]
        pub async fn tell(
            self: Arc<Self>,
            _context: ActivityContext,
            _job: Uuid,
        ) -> Result<bool, ActivityError> {
            let mut script = self.0.lock().unwrap();
            script.sent += script.unsent;
            script.unsent = 0;
            Ok(true)
        }

        #[activity]
        pub async fn end(
            self: Arc<Self>,
            _context: ActivityContext,
            _job: Uuid,
        ) -> Result<bool, ActivityError> {
            let mut script = self.0.lock().unwrap();
            script.done.push("end".to_owned());
            Ok(script.answers.is_empty())
        }
    }
}

/// What the activities answer, and what they did.
#[derive(Default)]
pub struct Script {
    answers: VecDeque<Answer>,
    waits: VecDeque<u64>,
    queue: String,
    done: Vec<String>,
    unsent: u32,
    sent: u32,
}

fn step(step: StepKind, queue: &str) -> Answer {
    Answer::Step(Order {
        job: Uuid::from_u128(1),
        step,
        queue: queue.to_owned(),
        user_id: "account".to_owned(),
        priority: 1,
    })
}

async fn client(url: &str) -> Client {
    let options = ConnectionOptions::new(url.parse::<Url>().unwrap())
        .identity("test")
        .build();
    let connection = Connection::connect(options).await.unwrap();
    Client::new(connection, ClientOptions::new("default").build()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_does_what_its_job_needs_and_ends() {
    let Ok(url) = std::env::var("SLOVO_TEMPORAL_URL") else {
        return eprintln!("not tested: only in wider runs: cargo xtask test temporal");
    };
    let client = client(&url).await;
    let runtime = Runtime::from_current_tokio(RuntimeOptions::default()).unwrap();
    let queue = format!("slovo-test-{}", Uuid::new_v4());
    let script = Arc::new(Mutex::new(Script {
        answers: VecDeque::from([
            Answer::Wait(200),
            step(StepKind::Download, &queue),
            step(StepKind::Recognise, &queue),
            step(StepKind::Analyse, &queue),
            Answer::Nothing,
            step(StepKind::Analyse, &queue),
        ]),
        waits: VecDeque::from([300]),
        queue: queue.clone(),
        ..Script::default()
    }));
    let options = WorkerOptions::new(&*queue)
        .register_activities(scripted::Steps(Arc::clone(&script)))
        .register_workflow::<JobWorkflow>()
        .unwrap()
        .build();
    let mut worker = Worker::new(&runtime, client.clone(), options).unwrap();
    let stop = worker.shutdown_handle();
    let id = Uuid::new_v4().to_string();
    let start = WorkflowStartOptions::new(&*queue, id).build();
    let job = Uuid::from_u128(1);
    let asked = async {
        let handle = client
            .start_workflow(JobWorkflow::run, JobInput { job }, start)
            .await
            .unwrap();
        let ended = handle.get_result(WorkflowGetResultOptions::default()).await;
        let history = handle.fetch_history(WorkflowFetchHistoryOptions::default());
        let history = history.to_json().await.unwrap();
        stop();
        (ended, history)
    };
    let (worked, (ended, history)) = tokio::join!(worker.run(), asked);
    worked.unwrap();
    ended.unwrap();
    let script = std::mem::take(&mut *script.lock().unwrap());
    let work = [
        "next",
        "next",
        "download",
        "next",
        "recognise",
        "next",
        "analyse",
        "next",
        "end",
    ];
    // What the job needed when it wanted to end.
    let more = ["next", "analyse", "next", "end"];
    assert_eq!(script.done, [&work[..], &more[..]].concat());
    assert_eq!((script.sent, script.unsent), (4, 0), "each step's message");
    replay(&history).await.unwrap();
    if let Some(file) = std::env::var_os("SLOVO_TEST_HISTORY") {
        std::fs::write(file, history).unwrap();
    }
}

fn histories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("histories");
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

async fn replay(history: &[u8]) -> Result<(), WorkflowReplayError> {
    let options = WorkflowReplayerOptions::new()
        .register_workflow::<JobWorkflow>()
        .unwrap()
        .register_workflow::<RoundWorkflow>()
        .unwrap()
        .build();
    let replayer = WorkflowReplayer::new(options).unwrap();
    let history = WorkflowHistory::from_json(history).unwrap();
    replayer.replay_workflow(history).await.map(drop)
}

#[tokio::test]
async fn workflows_of_older_versions_go_on() {
    let files = histories();
    assert!(!files.is_empty());
    for file in files {
        let history = std::fs::read(&file).unwrap();
        let replayed = replay(&history).await;
        assert!(replayed.is_ok(), "{}: {replayed:?}", file.display());
    }
}

#[tokio::test]
async fn a_workflow_that_did_something_else_is_noticed() {
    let history = std::fs::read_to_string(&histories()[0]).unwrap();
    let other = history.replace("Steps::end", "Steps::finish");
    assert_ne!(other, history);
    assert!(replay(other.as_bytes()).await.is_err());
}
