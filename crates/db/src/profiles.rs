//! What people tell about themselves.

use crate::{Connection, Result};

/// Sets or clears the name that is shown.
pub async fn set_fullname(
    connection: &mut Connection,
    user_id: &str,
    fullname: Option<&str>,
    now: i64,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO profiles (user_id, fullname, updated_at) VALUES ($1, $2, $3) \
         ON CONFLICT (user_id) DO UPDATE SET fullname = excluded.fullname, updated_at = excluded.updated_at",
    )
    .bind(user_id)
    .bind(fullname)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{self, NewAccount};
    use crate::testing::each_database;

    #[test]
    fn a_name_is_set_changed_and_cleared() {
        each_database(async |database| {
            let mut transaction = database.write().await.unwrap();
            let new = NewAccount {
                id: "u1",
                synced_user_id: "s1",
                email: "a@example.com",
                password_hash: "$",
                created_at: 1,
            };
            accounts::insert(&mut transaction, &new).await.unwrap();
            for name in [Some("Леся Українка"), Some("O'Brien"), None] {
                set_fullname(&mut transaction, "u1", name, 2).await.unwrap();
                let account = accounts::get(&mut transaction, "u1")
                    .await
                    .unwrap()
                    .unwrap();
                assert_eq!(account.fullname.as_deref(), name);
            }
        });
    }

    #[test]
    fn nobody_has_no_profile() {
        each_database(async |database| {
            let mut transaction = database.write().await.unwrap();
            let error = set_fullname(&mut transaction, "u9", Some("x"), 2)
                .await
                .unwrap_err();
            assert!(error.constraint().is_some(), "{error}");
        });
    }
}
