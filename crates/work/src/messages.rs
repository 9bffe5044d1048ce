//! What processes on one PostgreSQL database tell each other, so that readers and workers need not wait
//! for their next look at the tables. Messages may be lost or come twice; nothing depends on them.

use std::collections::BTreeSet;
use std::time::Duration;

use slovo_db::Database;
use slovo_db::core::notifications::MAX_MESSAGE;
use tokio::sync::mpsc::{self, Receiver};
use tokio_util::sync::CancellationToken;

use crate::live::{Live, Message};

/// Messages that wait to be sent; more are dropped.
const WAITING: usize = 1_000;

/// How long messages are gathered, so that many changes are one message.
const GATHERED: Duration = Duration::from_millis(20);

/// The pause before the next attempt to listen.
const RETRY: Duration = Duration::from_secs(1);

/// The word for [`Message::Work`].
const WORK: &str = "work";

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Work => f.write_str(WORK),
            Self::Stored(id) => id.fmt(f),
        }
    }
}

impl Message {
    /// Those in a text. Words of newer versions are left out.
    fn read(text: &str) -> impl Iterator<Item = Self> {
        text.split(' ').filter_map(|word| match word {
            WORK => Some(Self::Work),
            id => id.parse().ok().map(Self::Stored),
        })
    }

    /// Texts that contain all of these messages, none longer than allowed.
    fn write(messages: &BTreeSet<Self>) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for message in messages {
            let word = message.to_string();
            match texts.last_mut() {
                Some(text) if text.len() + 1 + word.len() <= MAX_MESSAGE => {
                    text.push(' ');
                    text.push_str(&word);
                }
                _ => texts.push(word),
            }
        }
        texts
    }
}

/// See [`crate::jobs::Jobs::exchange_messages`]; `work` is called when there may be something to do.
pub(crate) async fn exchange(
    db: &Database,
    live: &Live,
    shutdown: &CancellationToken,
    work: impl Fn(),
) {
    if db.backend() == slovo_db::Backend::Sqlite {
        return;
    }
    let (sender, waiting) = mpsc::channel(WAITING);
    live.tell_others(sender);
    tokio::select! {
        () = shutdown.cancelled() => {}
        () = send(db, waiting) => {}
        () = receive(db, live, work) => {}
    }
}

async fn send(db: &Database, mut waiting: Receiver<Message>) {
    while let Some(first) = waiting.recv().await {
        tokio::time::sleep(GATHERED).await;
        let mut messages = BTreeSet::from([first]);
        while let Ok(more) = waiting.try_recv() {
            messages.insert(more);
        }
        for text in Message::write(&messages) {
            if let Err(error) = db.tell(&text).await {
                tracing::debug!(%error, "other processes are not told of a change");
            }
        }
    }
}

async fn receive(db: &Database, live: &Live, work: impl Fn()) {
    loop {
        if let Err(error) = listen(db, live, &work).await {
            tracing::debug!(%error, "messages of other processes are not received");
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Listens until the database does not answer.
async fn listen(db: &Database, live: &Live, work: &impl Fn()) -> slovo_db::Result<()> {
    let Some(mut listener) = db.listen().await? else {
        return Ok(());
    };
    // What was told before is lost.
    live.wake_all_readers();
    work();
    loop {
        match listener.next().await? {
            Some(text) => {
                for message in Message::read(&text) {
                    match message {
                        Message::Work => work(),
                        Message::Stored(id) => live.wake_readers(id),
                    }
                }
            }
            None => {
                live.wake_all_readers();
                work();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let messages: BTreeSet<_> = (0..1_000)
            .map(|number| Message::Stored(Uuid::from_u128(number)))
            .chain([Message::Work])
            .collect();
        let texts = Message::write(&messages);
        assert!(texts.iter().all(|text| text.len() <= MAX_MESSAGE));
        assert_eq!(texts.len(), 5);
        let read: BTreeSet<_> = texts.iter().flat_map(|text| Message::read(text)).collect();
        assert_eq!(read, messages);
        assert!(Message::write(&BTreeSet::new()).is_empty());
        let strange = Message::read("later work  x 0000 \u{0}");
        assert_eq!(strange.collect::<Vec<_>>(), [Message::Work]);
    }
}
