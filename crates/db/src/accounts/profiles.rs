//! Profiles: what people enter about themselves.

use slovo_rules::Valid;
use slovo_rules::profile::{Profile, Usage};
use sqlx::Row;

use crate::core::file_removals::{self, Removal};
use crate::core::statement::statements;
use crate::{Connection, Result, accounts};

statements! {
    const SET: BOTH =
        "INSERT INTO profiles (user_id, fullname, usage, updated_at, terms_accepted_at) \
         VALUES ($1, $2, $3, $4, $4) \
         ON CONFLICT (user_id) DO UPDATE SET fullname = excluded.fullname, \
         usage = excluded.usage, updated_at = excluded.updated_at, \
         terms_accepted_at = COALESCE(profiles.terms_accepted_at, excluded.terms_accepted_at)";
}

/// Stores the profile form. The form is valid only with the terms accepted; the time of the first
/// acceptance is kept.
pub async fn set(
    connection: &mut Connection,
    user_id: &str,
    profile: &Valid<Profile>,
    now: i64,
) -> Result<()> {
    sqlx::query(SET)
        .bind(user_id)
        .bind(&profile.fullname)
        .bind(profile.usage.map(Usage::as_str))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    accounts::searched::update(connection, user_id).await
}

statements! {
    const ACCEPT_TERMS: BOTH =
        "UPDATE profiles SET terms_accepted_at = $2 \
         WHERE user_id = $1 AND terms_accepted_at IS NULL";
}

/// Records that the owner accepted the terms at sign-up.
pub async fn accept_terms(connection: &mut Connection, user_id: &str, now: i64) -> Result<()> {
    sqlx::query(ACCEPT_TERMS)
        .bind(user_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SET_FULLNAME: BOTH =
        "UPDATE profiles SET fullname = $2, updated_at = $3 WHERE user_id = $1";
}

/// Sets only the name, for an account whose identity provider supplied it.
pub async fn set_fullname(
    connection: &mut Connection,
    user_id: &str,
    fullname: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(SET_FULLNAME)
        .bind(user_id)
        .bind(fullname)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    accounts::searched::update(connection, user_id).await
}

statements! {
    const LOCK_PROFILE: BOTH = "UPDATE profiles SET updated_at = $2 WHERE user_id = $1";
    const OLD_AVATAR: BOTH = "SELECT avatar_url FROM profiles WHERE user_id = $1";
    const SET_AVATAR: BOTH = "UPDATE profiles SET avatar_url = $2 WHERE user_id = $1";
}

/// Sets or clears the version of the current avatar; schedules the previous one for removal and
/// returns it.
pub async fn set_avatar(
    connection: &mut Connection,
    user_id: &str,
    version: Option<&str>,
    now: i64,
) -> Result<Option<String>> {
    // Locks the row first, so that of two concurrent changes the second one reads the first one's
    // version.
    sqlx::query(LOCK_PROFILE)
        .bind(user_id)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    let row = sqlx::query(OLD_AVATAR)
        .bind(user_id)
        .fetch_optional(&mut *connection)
        .await?;
    let before = row.map(|row| row.try_get("avatar_url")).transpose()?;
    let before: Option<String> = before.flatten();
    if let Some(version) = before.clone() {
        let user_id = user_id.to_owned();
        file_removals::add(&mut *connection, &Removal::Avatar { user_id, version }).await?;
    }
    sqlx::query(SET_AVATAR)
        .bind(user_id)
        .bind(version)
        .execute(connection)
        .await?;
    Ok(before)
}

#[cfg(test)]
mod tests {
    use slovo_rules::profile::{ProfileForm, validate};

    use super::*;
    use crate::accounts;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    fn profile(fullname: &str, usage: &str) -> Valid<Profile> {
        let form = ProfileForm {
            fullname: fullname.into(),
            usage: usage.into(),
            terms: true,
        };
        validate(&form).unwrap()
    }

    #[apply(each_database!)]
    fn a_profile_is_set_and_changed(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            for (name, usage) in [("Леся Українка", "analysis"), ("O'Brien", "")] {
                set(&mut transaction, "u1", &profile(name, usage), 2)
                    .await
                    .unwrap();
                let account = accounts::get(&mut transaction, "u1").await;
                let account = account.unwrap().unwrap();
                assert_eq!(account.fullname.as_deref(), Some(name));
                assert_eq!(account.usage.map_or("", Usage::as_str), usage);
            }
            set_fullname(&mut transaction, "u1", "Оля", 3)
                .await
                .unwrap();
            let account = accounts::get(&mut transaction, "u1").await;
            assert_eq!(account.unwrap().unwrap().fullname.as_deref(), Some("Оля"));
        });
    }

    #[apply(each_database!)]
    fn terms_are_accepted_alone_or_with_the_profile_and_only_once(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for id in ["u1", "u2"] {
                account(&mut transaction, id).await;
                let account = accounts::get(&mut transaction, id).await;
                assert!(!account.unwrap().unwrap().terms_accepted);
            }
            accept_terms(&mut transaction, "u1", 2).await.unwrap();
            set_fullname(&mut transaction, "u2", "Оля", 3)
                .await
                .unwrap();
            for (id, accepted) in [("u1", true), ("u2", false)] {
                let account = accounts::get(&mut transaction, id).await;
                assert_eq!(account.unwrap().unwrap().terms_accepted, accepted, "{id}");
            }
            for (id, first) in [("u1", 2), ("u2", 4)] {
                for now in [4, 5] {
                    let profile = profile("Оля", "");
                    set(&mut transaction, id, &profile, now).await.unwrap();
                }
                let row = sqlx::query("SELECT terms_accepted_at FROM profiles WHERE user_id = $1")
                    .bind(id)
                    .fetch_one(&mut *transaction)
                    .await
                    .unwrap();
                assert_eq!(row.get::<i64, _>("terms_accepted_at"), first, "{id}");
            }
        });
    }

    #[apply(each_database!)]
    fn a_new_avatar_replaces_the_previous_one(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            for (next, before) in [(Some("1"), None), (Some("2"), Some("1")), (None, Some("2"))] {
                let replaced = set_avatar(&mut transaction, "u1", next, 2).await.unwrap();
                assert_eq!(replaced.as_deref(), before);
                let account = accounts::get(&mut transaction, "u1").await;
                assert_eq!(account.unwrap().unwrap().avatar.as_deref(), next);
            }
        });
    }

    #[apply(each_database!)]
    fn a_profile_needs_an_account(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            let error = set(&mut transaction, "u9", &profile("x", ""), 2)
                .await
                .unwrap_err();
            assert!(error.constraint().is_some(), "{error}");
        });
    }
}
