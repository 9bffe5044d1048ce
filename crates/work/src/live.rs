//! In-memory state of this process's jobs that is not in the database: fine-grained progress, which
//! jobs run here, and notifications about stored changes.
//!
//! Readers of a job's events are woken from here and then read the database, so a slow reader
//! misses nothing: there is no queue that could overflow. For a job that runs in another process,
//! readers poll the database once a second (see `watch`); with PostgreSQL the other process wakes them
//! earlier (see `messages`).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use slovo_db::jobs::queue::Progress;
use slovo_engine::CancelToken;
use tokio::sync::mpsc::Sender;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// What other processes are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Message {
    /// There is something to do.
    Work,
    /// A change of this job was stored.
    Stored(Uuid),
}

/// The notification for readers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Notification {
    /// Incremented whenever a change of the job was stored.
    pub revision: u64,
    /// Progress of the run in this process; `None` if there is none.
    pub progress: Option<Progress>,
}

/// A job that runs in this process.
#[derive(Debug, Clone)]
pub struct RunningJob {
    /// Tells the engine to stop.
    pub cancel: CancelToken,
    /// Cancelled at the same moment, for async waits.
    pub stopping: CancellationToken,
    /// Cancelled when the run has ended completely.
    pub ended: CancellationToken,
    /// Notified when another process has stored a change of the job: it may have been cancelled.
    pub changed: Arc<Notify>,
}

impl RunningJob {
    /// Tells the run to stop.
    pub fn stop(&self) {
        self.cancel.cancel();
        self.stopping.cancel();
    }
}

#[derive(Debug, Default)]
struct LiveMaps {
    pulses: HashMap<Uuid, watch::Sender<Notification>>,
    running: HashMap<Uuid, RunningJob>,
}

/// See the module. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Live(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    maps: Mutex<LiveMaps>,
    /// Messages to other processes.
    others: OnceLock<Sender<Message>>,
}

impl Live {
    fn maps(&self) -> MutexGuard<'_, LiveMaps> {
        self.0.maps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on other processes are told of changes, too.
    pub(crate) fn tell_others(&self, messages: Sender<Message>) {
        // Called once for each process.
        let _ = self.0.others.set(messages);
    }

    /// Tells other processes; if there are too many messages they find out by themselves.
    pub(crate) fn tell(&self, message: Message) {
        if let Some(others) = self.0.others.get() {
            let _ = others.try_send(message);
        }
    }

    /// Notified of every change of the job. Subscribe before reading the database, so that no
    /// change is missed.
    #[must_use]
    pub fn follow(&self, id: Uuid) -> Follower {
        let receiver = self.maps().pulses.entry(id).or_default().subscribe();
        Follower {
            live: self.clone(),
            id,
            receiver,
        }
    }

    /// Notifies readers, also of other processes, that a change of the job was stored.
    pub fn stored(&self, id: Uuid) {
        self.wake_readers(id);
        self.tell(Message::Stored(id));
    }

    /// Notifies readers of all jobs: there may be changes.
    pub(crate) fn wake_all_readers(&self) {
        for sender in self.maps().pulses.values() {
            sender.send_modify(|pulse| pulse.revision += 1);
        }
    }

    /// Notifies the readers and the run of a job in this process that another one stored a change.
    pub(crate) fn stored_elsewhere(&self, id: Uuid) {
        self.wake_readers(id);
        if let Some(running) = self.running_one(id) {
            running.changed.notify_one();
        }
    }

    /// Notifies the readers of a job in this process.
    pub(crate) fn wake_readers(&self, id: Uuid) {
        if let Some(sender) = self.maps().pulses.get(&id) {
            sender.send_modify(|pulse| pulse.revision += 1);
        }
    }

    /// Publishes the job's progress.
    pub fn progress(&self, id: Uuid, progress: Progress) {
        if let Some(sender) = self.maps().pulses.get(&id) {
            sender.send_modify(|pulse| pulse.progress = Some(progress));
        }
    }

    /// The progress of the job's run in this process, if somebody follows it.
    pub(crate) fn current_progress(&self, id: Uuid) -> Option<Progress> {
        self.maps().pulses.get(&id)?.borrow().progress
    }

    /// Marks the job as running here until the returned guard is dropped.
    #[must_use]
    pub fn run(&self, id: Uuid) -> RunGuard {
        let running = RunningJob {
            cancel: CancelToken::new(),
            stopping: CancellationToken::new(),
            ended: CancellationToken::new(),
            changed: Arc::default(),
        };
        let mut maps = self.maps();
        maps.pulses.entry(id).or_default();
        maps.running.insert(id, running.clone());
        drop(maps);
        RunGuard {
            live: self.clone(),
            id,
            running,
        }
    }

    /// Stops the job's run in this process, and returns the handle to wait on.
    #[must_use]
    pub fn stop(&self, id: Uuid) -> Option<CancellationToken> {
        let running = self.maps().running.get(&id).cloned()?;
        running.stop();
        Some(running.ended)
    }

    /// The job's run in this process, if there is one.
    #[must_use]
    pub fn running_one(&self, id: Uuid) -> Option<RunningJob> {
        self.maps().running.get(&id).cloned()
    }

    /// Number of jobs that run here.
    #[must_use]
    pub fn running(&self) -> usize {
        self.maps().running.len()
    }

    /// Removes a job that has no readers and does not run here.
    fn tidy(&self, id: Uuid) {
        let mut maps = self.maps();
        let followed = maps
            .pulses
            .get(&id)
            .is_some_and(|sender| sender.receiver_count() > 0);
        if !followed && !maps.running.contains_key(&id) {
            maps.pulses.remove(&id);
        }
    }
}

/// Marks a job as running here; see [`Live::run`].
#[derive(Debug)]
pub struct RunGuard {
    live: Live,
    id: Uuid,
    /// The run itself.
    pub running: RunningJob,
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        let mut maps = self.live.maps();
        // A later run of the same job may have replaced this one.
        if maps
            .running
            .get(&self.id)
            .is_some_and(|r| r.ended == self.running.ended)
        {
            maps.running.remove(&self.id);
            if let Some(sender) = maps.pulses.get(&self.id) {
                sender.send_modify(|pulse| {
                    pulse.revision += 1;
                    pulse.progress = None;
                });
            }
        }
        drop(maps);
        self.running.ended.cancel();
        self.live.tidy(self.id);
    }
}

/// A reader of a job's changes; see [`Live::follow`].
#[derive(Debug)]
pub struct Follower {
    live: Live,
    id: Uuid,
    /// Receives the latest notification.
    pub receiver: watch::Receiver<Notification>,
}

impl Drop for Follower {
    fn drop(&mut self) {
        // This receiver is counted until it is dropped, so replace it with one that is not counted.
        let (_, detached) = watch::channel(Notification::default());
        self.receiver = detached;
        self.live.tidy(self.id);
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::job::Stage;

    use super::*;

    const ID: Uuid = Uuid::from_u128(1);

    #[tokio::test]
    async fn a_follower_gets_the_latest_state_and_is_cleaned_up_afterwards() {
        let live = Live::default();
        let mut follower = live.follow(ID);
        let run = live.run(ID);
        for percent in [10.0, 20.0] {
            live.progress(
                ID,
                Progress {
                    stage: Stage::Transcribing,
                    percent,
                    seconds_left: None,
                },
            );
        }
        live.stored(ID);
        follower.receiver.changed().await.unwrap();
        let pulse = *follower.receiver.borrow_and_update();
        assert_eq!((pulse.revision, pulse.progress.unwrap().percent), (1, 20.0));
        let ended = live.stop(ID).unwrap();
        assert!(run.running.cancel.is_cancelled());
        assert!(!ended.is_cancelled());
        drop(run);
        assert!(ended.is_cancelled());
        assert_eq!(
            *follower.receiver.borrow_and_update(),
            Notification {
                revision: 2,
                progress: None
            }
        );
        assert!(live.stop(ID).is_none());
        drop(follower);
        assert!(live.maps().pulses.is_empty());
    }

    #[test]
    fn an_old_run_does_not_end_a_new_one() {
        let live = Live::default();
        let old = live.run(ID);
        let new = live.run(ID);
        drop(old);
        assert_eq!(live.running(), 1);
        drop(new);
        assert_eq!(live.running(), 0);
    }
}
