//! What this process knows of its jobs and the database does not: the progress between two stored
//! numbers, which jobs run here, and that something new has been stored.
//!
//! Readers of a job's events are woken from here and then read the database, so a reader that is
//! slow misses nothing: there is no queue that could overflow. A job that runs in another process
//! wakes nobody here; its readers look at the database once a second (see `watch`).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use slovo_db::jobs::queue::Progress;
use slovo_engine::CancelToken;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// What a reader is woken with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pulse {
    /// Grows whenever something of the job was stored.
    pub revision: u64,
    /// How far the run in this process is; `None` while none runs here.
    pub progress: Option<Progress>,
}

/// A job that runs in this process.
#[derive(Debug, Clone)]
pub struct Running {
    /// Tells the engine to stop.
    pub cancel: CancelToken,
    /// Cancelled at the same moment, for what waits.
    pub stopping: CancellationToken,
    /// Cancelled when the run has ended and nothing of it is left.
    pub ended: CancellationToken,
}

impl Running {
    /// Tells the run to stop.
    pub fn stop(&self) {
        self.cancel.cancel();
        self.stopping.cancel();
    }
}

#[derive(Debug, Default)]
struct Maps {
    pulses: HashMap<Uuid, watch::Sender<Pulse>>,
    running: HashMap<Uuid, Running>,
}

/// See the module. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Live(Arc<Mutex<Maps>>);

impl Live {
    fn maps(&self) -> MutexGuard<'_, Maps> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Woken at every change of the job. Ask for it before reading the database, so that nothing
    /// falls between.
    #[must_use]
    pub fn follow(&self, id: Uuid) -> Follower {
        let receiver = self.maps().pulses.entry(id).or_default().subscribe();
        Follower {
            live: self.clone(),
            id,
            receiver,
        }
    }

    /// Says that something of the job was stored.
    pub fn stored(&self, id: Uuid) {
        if let Some(sender) = self.maps().pulses.get(&id) {
            sender.send_modify(|pulse| pulse.revision += 1);
        }
    }

    /// Says how far the job is.
    pub fn progress(&self, id: Uuid, progress: Progress) {
        if let Some(sender) = self.maps().pulses.get(&id) {
            sender.send_modify(|pulse| pulse.progress = Some(progress));
        }
    }

    /// Notes that the job runs here until the returned guard is dropped.
    #[must_use]
    pub fn run(&self, id: Uuid) -> RunGuard {
        let running = Running {
            cancel: CancelToken::new(),
            stopping: CancellationToken::new(),
            ended: CancellationToken::new(),
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

    /// Tells the job's run in this process to stop, and gives what to wait for.
    #[must_use]
    pub fn stop(&self, id: Uuid) -> Option<CancellationToken> {
        let running = self.maps().running.get(&id).cloned()?;
        running.stop();
        Some(running.ended)
    }

    /// The job's run in this process.
    #[must_use]
    pub fn running_one(&self, id: Uuid) -> Option<Running> {
        self.maps().running.get(&id).cloned()
    }

    /// How many jobs run here.
    #[must_use]
    pub fn running(&self) -> usize {
        self.maps().running.len()
    }

    /// Forgets a job that nobody follows and that does not run here.
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
    pub running: Running,
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        let mut maps = self.live.maps();
        // A later run of the same job may have taken the place already.
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
    /// The newest pulse.
    pub receiver: watch::Receiver<Pulse>,
}

impl Drop for Follower {
    fn drop(&mut self) {
        // This receiver still counts until it is dropped, so it is replaced by one that does not.
        let (_, lonely) = watch::channel(Pulse::default());
        self.receiver = lonely;
        self.live.tidy(self.id);
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::job::Stage;

    use super::*;

    const ID: Uuid = Uuid::from_u128(1);

    #[tokio::test]
    async fn a_follower_sees_the_newest_and_nothing_is_left_behind() {
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
            Pulse {
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
