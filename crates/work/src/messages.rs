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

/// How often words of others are gathered.
const WORDS_INTERVAL: Duration = Duration::from_millis(200);

/// Begins a text with words of others; the id of the process that sends it follows.
const WORDS: &str = "words";

/// What processes tell each other beside messages of jobs: words without spaces. They may be lost.
pub trait Words: Send + Sync + 'static {
    /// The words since the last call.
    fn gather(&self) -> Vec<String>;

    /// Takes a word of another process, perhaps of another version of the program.
    fn receive(&self, word: &str);
}

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
        pack("", messages.iter().map(Self::to_string))
    }
}

/// Texts that contain all of these words, each after `start`, none longer than allowed.
fn pack(start: &str, words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for word in words {
        match texts.last_mut() {
            Some(text) if text.len() + 1 + word.len() <= MAX_MESSAGE => {
                text.push(' ');
                text.push_str(&word);
            }
            _ => texts.push(format!("{start}{word}")),
        }
    }
    texts
}

/// See [`crate::jobs::Jobs::exchange_messages`]; `work` is called when there may be something to do.
pub(crate) async fn exchange(
    db: &Database,
    live: &Live,
    shutdown: &CancellationToken,
    process: &str,
    words: &dyn Words,
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
        () = send_words(db, process, words) => {}
        () = receive(db, live, process, words, work) => {}
    }
}

async fn send_words(db: &Database, process: &str, words: &dyn Words) {
    loop {
        tokio::time::sleep(WORDS_INTERVAL).await;
        for text in texts_of_words(process, words.gather()) {
            if let Err(error) = db.tell(&text).await {
                tracing::debug!(%error, "other processes are not told of words");
            }
        }
    }
}

/// Texts that contain all of these words, none longer than allowed.
fn texts_of_words(process: &str, words: Vec<String>) -> Vec<String> {
    pack(&format!("{WORDS} {process} "), words)
}

/// Takes the words of a text of another process; `false` if the text has none.
fn take_words(text: &str, process: &str, words: &dyn Words) -> bool {
    let mut parts = text.split(' ');
    if parts.next() != Some(WORDS) {
        return false;
    }
    if parts.next() != Some(process) {
        parts.for_each(|word| words.receive(word));
    }
    true
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

async fn receive(db: &Database, live: &Live, process: &str, words: &dyn Words, work: impl Fn()) {
    loop {
        if let Err(error) = listen(db, live, process, words, &work).await {
            tracing::debug!(%error, "messages of other processes are not received");
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Listens until the database does not answer.
async fn listen(
    db: &Database,
    live: &Live,
    process: &str,
    words: &dyn Words,
    work: &impl Fn(),
) -> slovo_db::Result<()> {
    let Some(mut listener) = db.listen().await? else {
        return Ok(());
    };
    // What was told before is lost.
    live.wake_all_readers();
    work();
    loop {
        match listener.next().await? {
            Some(text) if take_words(&text, process, words) => {}
            Some(text) => {
                for message in Message::read(&text) {
                    match message {
                        Message::Work => work(),
                        Message::Stored(id) => live.stored_elsewhere(id),
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

    #[derive(Default)]
    struct Received(std::sync::Mutex<Vec<String>>);

    impl Words for Received {
        fn gather(&self) -> Vec<String> {
            Vec::new()
        }

        fn receive(&self, word: &str) {
            self.0.lock().unwrap().push(word.to_owned());
        }
    }

    #[test]
    fn words_reach_other_processes_and_not_the_own() {
        let words: Vec<_> = (0..2_000).map(|number| format!("word-{number}")).collect();
        let texts = texts_of_words("one", words.clone());
        assert!(texts.len() > 1 && texts.iter().all(|text| text.len() <= MAX_MESSAGE));
        let [own, other] = [(); 2].map(|()| Received::default());
        for text in &texts {
            assert!(take_words(text, "one", &own) && take_words(text, "other", &other));
            assert_eq!(Message::read(text).count(), 0, "an older version");
        }
        assert!(own.0.into_inner().unwrap().is_empty());
        assert_eq!(other.0.into_inner().unwrap(), words);
        assert!(!take_words("work", "one", &Received::default()));
        assert!(texts_of_words("one", Vec::new()).is_empty());
    }

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
