//! Long calculations on threads of their own, which give way to whoever waits for a page.

use tokio::sync::oneshot;

/// Runs `work` on a new thread whose priority is lower by so many steps (0 to 19, as of `nice`):
/// threads that it starts inherit it. Dropping the receiver does not stop the work; it is an error
/// there that the thread could not be started, or that the work panicked.
pub fn spawn<T: Send + 'static>(
    name: &str,
    nice: u8,
    work: impl FnOnce() -> T + Send + 'static,
) -> oneshot::Receiver<T> {
    let (answer, answered) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned());
    let work = move || {
        // Of this thread only: Linux counts priorities by thread, whatever POSIX says of processes.
        // A machine that refuses it works on as before.
        if nice > 0
            && let Err(error) = rustix::process::nice(i32::from(nice))
        {
            tracing::debug!(%error, "the priority cannot be lowered");
        }
        // Nobody waits any more if the server stopped in between.
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
    async fn the_work_gives_way_and_its_caller_does_not() {
        let own = || rustix::process::getpriority_process(None).unwrap();
        let before = own();
        let (lower, inherited) = spawn("test", 3, move || {
            (own(), std::thread::spawn(own).join().unwrap())
        })
        .await
        .unwrap();
        assert_eq!((lower, inherited), (before + 3, before + 3));
        assert_eq!(own(), before);
        assert_eq!(spawn("test", 0, own).await.unwrap(), before);
        let failed = spawn("test", 0, || panic!("as it should")).await;
        assert!(failed.is_err());
    }
}
