//! Long calculations on threads of lower priority than requests.

use slovo_engine::CancelToken;
use tokio::sync::oneshot;

/// Ends a run when nobody waits for it any more.
pub(super) struct EndWithCaller(pub(super) CancelToken);

impl Drop for EndWithCaller {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs `work` on a new thread whose nice value is raised by `nice` (0 to 19); threads that it
/// starts inherit it. Dropping the receiver does not stop the work. The receiver gets an error if
/// the thread could not be started or the work panicked.
pub fn spawn<T: Send + 'static>(
    name: &str,
    nice: u8,
    work: impl FnOnce() -> T + Send + 'static,
) -> oneshot::Receiver<T> {
    let (answer, answered) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned());
    let work = move || {
        // Affects this thread only: Linux has priorities per thread, although POSIX defines them
        // per process. If it fails, the work runs at normal priority.
        if nice > 0
            && let Err(error) = rustix::process::nice(i32::from(nice))
        {
            tracing::debug!(%error, "the priority cannot be lowered");
        }
        // The receiver is gone if the server stopped meanwhile.
        let _ = answer.send(work());
    };
    if let Err(error) = thread.spawn(work) {
        tracing::error!(%error, "no thread for {name}");
    }
    answered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn background_work_has_lower_priority_than_its_caller() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let (lower, inherited) = spawn("test", 3, move || {
            (priority(), std::thread::spawn(priority).join().unwrap())
        })
        .await
        .unwrap();
        assert_eq!((lower, inherited), (before + 3, before + 3));
        assert_eq!(priority(), before);
        assert_eq!(spawn("test", 0, priority).await.unwrap(), before);
        let failed = spawn("test", 0, || panic!("as it should")).await;
        assert!(failed.is_err());
    }
}
