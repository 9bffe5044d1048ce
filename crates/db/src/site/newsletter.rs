//! Newsletter subscriptions with double opt-in: addresses, and whether their owners have confirmed.

use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::site::mails::{newest, newest_rows};
use crate::{Connection, Result};

/// An address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// Its id, from which the tokens of its links are derived.
    pub id: Uuid,
    /// Normalised.
    pub email: String,
    /// Language of the page with the form.
    pub locale: Locale,
    /// When the subscription was last requested, Unix milliseconds.
    pub created_at: i64,
    /// When the owner confirmed, Unix milliseconds.
    pub confirmed_at: Option<i64>,
    /// When the owner unsubscribed, Unix milliseconds.
    pub left_at: Option<i64>,
}

/// A request to subscribe.
#[derive(Clone, Debug)]
pub struct SubscriptionRequest<'a> {
    /// The id to use if the address is new.
    pub id: Uuid,
    /// Normalised.
    pub email: &'a str,
    /// Language of the page.
    pub locale: Locale,
    /// Unix milliseconds.
    pub now: i64,
}

/// Number of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// All addresses.
    pub total: i64,
    /// Addresses that receive the newsletter.
    pub subscribed: i64,
}

/// The columns of [`Subscriber`].
macro_rules! subscriber_columns {
    () => {
        columns!(
            "": id, email, locale, created_at, confirmed_at, left_at
        )
    };
}

row_columns! {
    fn read() -> Subscriber from "newsletter_subscribers" by "id" {
        id: uuid,
        email: text,
        locale: word,
        created_at: integer,
        confirmed_at: integer_or_none,
        left_at: integer_or_none,
    }
}

statements! {
    const SUBSCRIBE: BOTH =
        "INSERT INTO newsletter_subscribers (id, email, locale, created_at, mail_after) \
         VALUES ($1, $2, $3, $4, $4) \
         ON CONFLICT (email) DO UPDATE SET locale = excluded.locale, \
         created_at = excluded.created_at, confirmed_at = NULL, left_at = NULL, mail_tries = 0, \
         mail_after = excluded.mail_after \
         WHERE newsletter_subscribers.confirmed_at IS NULL \
         OR newsletter_subscribers.left_at IS NOT NULL";
}

/// Stores an address and queues the mail asking for confirmation. A subscribed address stays so and
/// gets no mail; one that unsubscribed is asked again.
pub async fn subscribe(
    connection: &mut Connection,
    request: &SubscriptionRequest<'_>,
) -> Result<()> {
    sqlx::query(SUBSCRIBE)
        .bind(request.id.to_string())
        .bind(request.email)
        .bind(word(&request.locale))
        .bind(request.now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const CONFIRM: BOTH =
        "UPDATE newsletter_subscribers SET confirmed_at = COALESCE(confirmed_at, $2), \
         mail_after = NULL WHERE id = $1 AND left_at IS NULL \
         AND (confirmed_at IS NOT NULL OR created_at >= $3)";
}

/// Confirms a subscription at `now`, if it was requested at `oldest` or later, and cancels its
/// pending mail. Returns whether the address is subscribed now; confirming again is harmless.
pub async fn confirm(connection: &mut Connection, id: Uuid, now: i64, oldest: i64) -> Result<bool> {
    let done = sqlx::query(CONFIRM)
        .bind(id.to_string())
        .bind(now)
        .bind(oldest)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const UNSUBSCRIBE: BOTH =
        "UPDATE newsletter_subscribers SET left_at = COALESCE(left_at, $2), mail_after = NULL \
         WHERE id = $1";
}

/// Unsubscribes an address at `now`, confirmed or not.
pub async fn unsubscribe(connection: &mut Connection, id: Uuid, now: i64) -> Result<()> {
    sqlx::query(UNSUBSCRIBE)
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const GET: BOTH -> Subscriber = concat!(
        "SELECT ",
        subscriber_columns!(),
        " FROM newsletter_subscribers WHERE id = $1"
    );
}

/// The address with this id.
pub async fn get(connection: &mut Connection, id: Uuid) -> Result<Option<Subscriber>> {
    let row = sqlx::query(GET)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const LIST: BOTH -> Subscriber =
        newest_rows!(subscriber_columns!(), "newsletter_subscribers");
}

/// At most `limit` addresses after the given one, newest first.
pub async fn list(
    connection: &mut Connection,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<Subscriber>> {
    let rows = newest(connection, LIST, after, limit).await?;
    rows.iter().map(read).collect()
}

row_columns! {
    fn read_counts() -> Counts {
        total: integer,
        subscribed: integer,
    }
}

statements! {
    const COUNT: BOTH -> Counts =
        "SELECT COUNT(*) AS total, COUNT(CASE WHEN left_at IS NULL THEN confirmed_at END) \
         AS subscribed FROM newsletter_subscribers";
}

/// Counts the addresses.
pub async fn count(connection: &mut Connection) -> Result<Counts> {
    let row = sqlx::query(COUNT).fetch_one(connection).await?;
    read_counts(&row)
}

statements! {
    const REMOVE_OLD: BOTH =
        "DELETE FROM newsletter_subscribers WHERE left_at < $2 \
         OR (confirmed_at IS NULL AND left_at IS NULL AND created_at < $1)";
}

/// Deletes addresses requested before `requested_before` and never confirmed, and those that
/// unsubscribed before `unsubscribed_before`; returns how many.
pub async fn remove_old(
    connection: &mut Connection,
    requested_before: i64,
    unsubscribed_before: i64,
) -> Result<u64> {
    let done = sqlx::query(REMOVE_OLD)
        .bind(requested_before)
        .bind(unsubscribed_before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;
    use crate::site::mails::{self, Cause};
    use crate::testing::{Backend, apply, each_database, with_database};

    const ID: Uuid = Uuid::from_u128(1);

    async fn add_subscriber(connection: &mut Connection, id: u128, email: &str, now: i64) {
        let request = SubscriptionRequest {
            id: Uuid::from_u128(id),
            email,
            locale: if id == 1 { Locale::Uk } else { Locale::En },
            now,
        };
        subscribe(connection, &request).await.unwrap();
    }

    async fn stored_subscriber(connection: &mut Connection, id: Uuid) -> Subscriber {
        get(connection, id).await.unwrap().unwrap()
    }

    async fn due_mails(connection: &mut Connection, now: i64) -> usize {
        let due = mails::claim(connection, Cause::Subscription, now, now + 1_000, 10);
        due.await.unwrap().len()
    }

    #[apply(each_database!)]
    fn an_address_is_stored_once_and_asked_again_until_confirmed(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            add_subscriber(&mut transaction, 1, "a@example.com", 10).await;
            assert_eq!(due_mails(&mut transaction, 10).await, 1);
            add_subscriber(&mut transaction, 2, "a@example.com", 20).await;
            let again = stored_subscriber(&mut transaction, ID).await;
            assert_eq!((again.created_at, again.locale), (20, Locale::En));
            assert_eq!(
                get(&mut transaction, Uuid::from_u128(2)).await.unwrap(),
                None
            );
            assert_eq!(due_mails(&mut transaction, 20).await, 1);

            assert!(confirm(&mut transaction, ID, 30, 20).await.unwrap());
            add_subscriber(&mut transaction, 3, "a@example.com", 40).await;
            let unchanged = stored_subscriber(&mut transaction, ID).await;
            assert_eq!(
                (unchanged.created_at, unchanged.confirmed_at),
                (20, Some(30))
            );
            assert_eq!(
                due_mails(&mut transaction, 5_000).await,
                0,
                "nothing to ask"
            );
        });
    }

    #[apply(each_database!)]
    fn late_confirmations_are_refused_and_repeated_ones_change_nothing(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            add_subscriber(&mut transaction, 1, "a@example.com", 10).await;
            assert!(!confirm(&mut transaction, ID, 30, 11).await.unwrap());
            assert!(confirm(&mut transaction, ID, 30, 10).await.unwrap());
            assert_eq!(due_mails(&mut transaction, 5_000).await, 0);
            // A confirmed subscription can be confirmed again at any age.
            assert!(confirm(&mut transaction, ID, 90, 80).await.unwrap());
            assert_eq!(
                stored_subscriber(&mut transaction, ID).await.confirmed_at,
                Some(30)
            );
            let unknown = confirm(&mut transaction, Uuid::from_u128(9), 1, 0).await;
            assert!(!unknown.unwrap());
        });
    }

    #[apply(each_database!)]
    fn an_unsubscribed_address_stays_so_until_it_subscribes_again(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            add_subscriber(&mut transaction, 1, "a@example.com", 10).await;
            assert!(confirm(&mut transaction, ID, 20, 0).await.unwrap());
            unsubscribe(&mut transaction, ID, 30).await.unwrap();
            unsubscribe(&mut transaction, ID, 40).await.unwrap();
            assert_eq!(
                stored_subscriber(&mut transaction, ID).await.left_at,
                Some(30)
            );
            assert!(!confirm(&mut transaction, ID, 50, 0).await.unwrap());
            add_subscriber(&mut transaction, 2, "a@example.com", 60).await;
            let renewed = stored_subscriber(&mut transaction, ID).await;
            assert_eq!((renewed.confirmed_at, renewed.left_at), (None, None));
            assert_eq!(due_mails(&mut transaction, 60).await, 1);
            // Without having confirmed.
            unsubscribe(&mut transaction, ID, 70).await.unwrap();
            assert_eq!(due_mails(&mut transaction, 5_000).await, 0);
        });
    }

    #[apply(each_database!)]
    fn subscribers_are_listed_counted_and_removed(backend: Backend) {
        with_database(backend, async |db: Database| {
            let mut transaction = db.write().await.unwrap();
            for id in 1..=4_u8 {
                let email = format!("{id}@example.com");
                add_subscriber(&mut transaction, id.into(), &email, i64::from(id) * 10).await;
            }
            for id in [1, 2] {
                let id = Uuid::from_u128(id);
                assert!(confirm(&mut transaction, id, 50, 0).await.unwrap());
            }
            unsubscribe(&mut transaction, Uuid::from_u128(2), 60)
                .await
                .unwrap();
            let counts = Counts {
                total: 4,
                subscribed: 1,
            };
            assert_eq!(count(&mut transaction).await.unwrap(), counts);
            let ids = async |connection: &mut Connection, after, limit| {
                let page = list(connection, after, limit).await.unwrap();
                page.iter()
                    .map(|subscriber| subscriber.id.as_u128())
                    .collect::<Vec<_>>()
            };
            assert_eq!(ids(&mut transaction, None, 2).await, [4, 3]);
            let after = Some((30, Uuid::from_u128(3)));
            assert_eq!(ids(&mut transaction, after, 9).await, [2, 1]);

            let removed = remove_old(&mut transaction, 40, 60).await.unwrap();
            assert_eq!(removed, 1, "the third was not confirmed");
            let removed = remove_old(&mut transaction, 40, 61).await.unwrap();
            assert_eq!(removed, 1, "the second has left");
            assert_eq!(ids(&mut transaction, None, 9).await, [4, 1]);
        });
    }
}
