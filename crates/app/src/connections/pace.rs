//! A stream that fails when the peer reads fewer than [`MinimumRate::min_bytes`] bytes in the time spent
//! waiting for it.
//!
//! Existing libraries (tokio-io-timeout) only end a stream on which nothing is read at all; a
//! client that reads one byte per timeout would keep it for ever.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// The minimum read rate.
#[derive(Clone, Copy, Debug)]
pub struct MinimumRate {
    /// Length of one measuring period, counted only while a write is waiting for the peer.
    pub time: Duration,
    /// Bytes that have to be sent in one period.
    pub min_bytes: usize,
}

/// See the module.
pub struct PacedStream<S> {
    inner: S,
    pace: MinimumRate,
    /// Time left in this period.
    remaining: Duration,
    /// Bytes sent in this period.
    sent: usize,
    waiting: Option<PendingWait>,
}

struct PendingWait {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

impl<S> PacedStream<S> {
    /// Wraps the stream with this pace.
    pub fn new(inner: S, pace: MinimumRate) -> Self {
        Self {
            inner,
            pace,
            remaining: pace.time,
            sent: 0,
            waiting: None,
        }
    }

    /// Updates the state after a write that has finished or is pending.
    fn record_write(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(result) => {
                if let Some(waiting) = self.waiting.take() {
                    self.remaining = self.remaining.saturating_sub(waiting.since.elapsed());
                }
                if let Ok(bytes) = &result {
                    self.sent += bytes;
                }
                if self.remaining.is_zero() {
                    self.check_pace()?;
                }
                Poll::Ready(result)
            }
            Poll::Pending => loop {
                let remaining = self.remaining;
                let waiting = self.waiting.get_or_insert_with(|| {
                    let since = Instant::now();
                    PendingWait {
                        since,
                        end: Box::pin(sleep_until(since + remaining)),
                    }
                });
                ready!(waiting.end.as_mut().poll(context));
                self.waiting = None;
                self.check_pace()?;
            },
        }
    }

    /// The period is over: starts a new one if enough was sent.
    fn check_pace(&mut self) -> io::Result<()> {
        if self.sent < self.pace.min_bytes {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the other side does not read what is sent to it",
            ));
        }
        self.remaining = self.pace.time;
        self.sent = 0;
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.record_write(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.record_write(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::{sleep, timeout};

    use super::*;

    /// Short, with a rate low enough for a reader on a busy machine.
    const PACE: MinimumRate = MinimumRate {
        time: Duration::from_secs(1),
        min_bytes: 100,
    };

    /// Sends endlessly to a reader that reads this many bytes at a time with this pause; the error
    /// it ends with, if it does within four periods.
    async fn send(bytes: usize, pause: Duration) -> Option<io::ErrorKind> {
        let (server, mut client) = duplex(64);
        let mut server = PacedStream::new(server, PACE);
        let reading = async {
            let mut buffer = vec![0; bytes];
            loop {
                sleep(pause).await;
                client.read_exact(&mut buffer).await.unwrap();
            }
        };
        let sending = async {
            loop {
                if let Err(error) = server.write_all(&[0; 500]).await {
                    return error.kind();
                }
            }
        };
        tokio::select! {
            kind = sending => Some(kind),
            () = async { timeout(4 * PACE.time, reading).await.ok(); } => None,
        }
    }

    #[tokio::test]
    async fn a_client_that_reads_too_slowly_times_out() {
        let timed_out = Some(io::ErrorKind::TimedOut);
        assert_eq!(send(1, 60 * PACE.time).await, timed_out);
        assert_eq!(send(1, PACE.time / 4).await, timed_out);
        assert_eq!(send(64, PACE.time / 50).await, None, "slow, and a reader");
    }

    #[tokio::test]
    async fn pauses_between_writes_do_not_time_out() {
        let (server, mut client) = duplex(64);
        let mut server = PacedStream::new(server, PACE);
        for _ in 0..3 {
            server.write_all(&[0; 40]).await.unwrap();
            client.read_exact(&mut [0; 40]).await.unwrap();
            sleep(PACE.time + PACE.time / 4).await;
        }
    }
}
