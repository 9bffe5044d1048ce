//! Finding people among all accounts.

use sqlx::Row;

use crate::accounts::{self, Account};
use crate::{Connection, Result};

/// Accounts that fit a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The newest first.
    pub accounts: Vec<Account>,
    /// How many fit in all.
    pub total: usize,
}

/// Accounts read at a time by [`search`].
const SEARCHED_AT_ONCE: i64 = 5_000;

/// The newest accounts whose address or name has the text in it, in any case; all of them for an
/// empty text.
///
/// Cases are folded here and not by the database, because SQLite knows those of ASCII only. That
/// reads address and name of every account, about a third of a second for 100,000, and is asked by
/// administrators only.
pub async fn search(connection: &mut Connection, text: &str, limit: usize) -> Result<Found> {
    let wanted = text.trim().to_lowercase();
    let mut fitting: Vec<(i64, String)> = Vec::new();
    let mut last = String::new();
    loop {
        let rows = sqlx::query(
            "SELECT a.id, a.email, a.created_at, p.fullname FROM accounts a \
             LEFT JOIN profiles p ON p.user_id = a.id WHERE a.id > $1 ORDER BY a.id LIMIT $2",
        )
        .bind(&last)
        .bind(SEARCHED_AT_ONCE)
        .fetch_all(&mut *connection)
        .await?;
        for row in &rows {
            let name: Option<String> = row.try_get("fullname")?;
            let name = name.unwrap_or_default().to_lowercase();
            let email: String = row.try_get("email")?;
            if name.contains(&wanted) || email.to_lowercase().contains(&wanted) {
                fitting.push((row.try_get("created_at")?, row.try_get("id")?));
            }
        }
        match rows.last() {
            Some(row) => last = row.try_get("id")?,
            None => break,
        }
    }
    fitting.sort_unstable_by(|one, other| other.cmp(one));
    let mut accounts = Vec::new();
    for (_, id) in fitting.iter().take(limit) {
        accounts.extend(accounts::get(&mut *connection, id).await?);
    }
    Ok(Found {
        accounts,
        total: fitting.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;
    use crate::testing::{account, each_database};

    #[test]
    fn a_search_folds_cases_of_every_script_and_takes_signs_as_they_are() {
        each_database(async |database| {
            let mut transaction = database.write().await.unwrap();
            for (id, name) in [("olha", "Ольга Їжакевич"), ("50%", "Ann"), ("ann_lee", "")]
            {
                account(&mut transaction, id).await;
                profiles::set_fullname(&mut transaction, id, name, 1)
                    .await
                    .unwrap();
            }
            let mut find = async |text: &str, limit| {
                let found = search(&mut transaction, text, limit).await.unwrap();
                let ids: Vec<_> = found.accounts.into_iter().map(|one| one.id).collect();
                (ids.join(" "), found.total)
            };
            let found = |ids: &str, total| (ids.to_owned(), total);
            assert_eq!(find("їЖАК", 9).await, found("olha", 1));
            assert_eq!(find(" OLHA@Example ", 9).await, found("olha", 1));
            assert_eq!(find("ann", 9).await, found("ann_lee 50%", 2));
            assert_eq!(find("%", 9).await, found("50%", 1));
            assert_eq!(find("_", 9).await, found("ann_lee", 1));
            assert_eq!(find("\0", 9).await, found("", 0));
            assert_eq!(find("", 2).await, found("olha ann_lee", 3));
        });
    }
}
