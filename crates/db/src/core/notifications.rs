//! Messages between processes that use one PostgreSQL database (`LISTEN` and `NOTIFY`). They only tell
//! earlier what the tables say: a message may be lost, so whoever needs the state reads the tables.

use sqlx::postgres::PgListener;

use crate::core::statement::statements;
use crate::{Backend, Database, Result};

/// The channel of all processes.
const CHANNEL: &str = "slovo";

/// The longest message in bytes; PostgreSQL refuses 8,000.
pub const MAX_MESSAGE: usize = 7_500;

/// Receives messages, also those of this process.
#[derive(Debug)]
pub struct Listener(PgListener);

impl Listener {
    /// Waits for the next message. `None` after the connection was lost and made again: messages may be
    /// lost.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn next(&mut self) -> Result<Option<String>> {
        let message = self.0.try_recv().await?;
        Ok(message.map(|message| message.payload().to_owned()))
    }
}

statements! {
    const TELL: POSTGRES = "SELECT pg_notify($1, $2)";
}

impl Database {
    /// Begins to listen; `None` for SQLite, which has no messages.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn listen(&self) -> Result<Option<Listener>> {
        if self.backend() == Backend::Sqlite {
            return Ok(None);
        }
        let mut listener = PgListener::connect(self.url()).await?;
        listener.listen(CHANNEL).await?;
        Ok(Some(Listener(listener)))
    }

    /// Sends a message of at most [`MAX_MESSAGE`] bytes. Does nothing with SQLite.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn tell(&self, message: &str) -> Result<()> {
        if self.backend() == Backend::Sqlite {
            return Ok(());
        }
        let mut connection = self.read().await?;
        sqlx::query(TELL)
            .bind(CHANNEL)
            .bind(message)
            .execute(&mut *connection)
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn messages_arrive_in_order_and_a_lost_connection_is_told(backend: Backend) {
        with_database(backend, async |db| {
            db.tell("nobody listens").await.unwrap();
            let Some(mut listener) = db.listen().await.unwrap() else {
                assert_eq!(db.backend(), Backend::Sqlite);
                return;
            };
            for text in ["one", "two", &"x".repeat(super::MAX_MESSAGE)] {
                db.tell(text).await.unwrap();
                assert_eq!(listener.next().await.unwrap().as_deref(), Some(text));
            }
            let ended = sqlx::query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                 WHERE datname = current_database() AND query LIKE 'LISTEN%'",
            );
            let ended = ended
                .fetch_all(&mut *db.read().await.unwrap())
                .await
                .unwrap();
            assert!(ended.len() == 1 && ended[0].get::<bool, _>(0));
            assert_eq!(listener.next().await.unwrap(), None);
            db.tell("again").await.unwrap();
            assert_eq!(listener.next().await.unwrap().as_deref(), Some("again"));
        });
    }
}
