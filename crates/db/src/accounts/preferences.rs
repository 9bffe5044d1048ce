//! Preferences of accounts.

use slovo_rules::Valid;
use slovo_rules::preferences::Preferences;

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

row_columns! {
    fn read() -> Preferences from "preferences" by "user_id" {
        locale: word,
        theme: word,
        mail_on_completion: flag,
        settings: json,
    }
}

statements! {
    const GET: BOTH -> Preferences =
        "SELECT user_id, locale, theme, mail_on_completion, settings FROM preferences \
         WHERE user_id = $1";
}

/// The preferences of an account; `None` if none were set.
pub async fn get(connection: &mut Connection, user_id: &str) -> Result<Option<Preferences>> {
    let row = sqlx::query(GET)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const SET: BOTH =
        "INSERT INTO preferences (user_id, locale, theme, mail_on_completion, settings, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id) DO UPDATE \
         SET locale = excluded.locale, theme = excluded.theme, mail_on_completion = \
         excluded.mail_on_completion, settings = excluded.settings, updated_at = \
         excluded.updated_at";
}

/// Stores the preferences.
///
/// # Errors
/// The constraint `preferences_user_id_fkey` (`foreign_key` in SQLite) for an unknown account.
pub async fn set(
    connection: &mut Connection,
    user_id: &str,
    preferences: &Valid<Preferences>,
    now: i64,
) -> Result<()> {
    sqlx::query(SET)
        .bind(user_id)
        .bind(word(&preferences.locale))
        .bind(word(&preferences.theme))
        .bind(i64::from(preferences.mail_on_completion))
        .bind(json(&preferences.settings))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use slovo_rules::locale::{Locale, Theme};
    use slovo_rules::preferences::validate;

    use super::*;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    #[apply(each_database!)]
    fn preferences_are_stored_and_changed(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            assert_eq!(get(&mut transaction, "u1").await.unwrap(), None);
            for theme in [Theme::Dark, Theme::Light] {
                let mut expected = Preferences {
                    locale: Locale::En,
                    theme,
                    mail_on_completion: true,
                    ..Preferences::default()
                };
                expected.settings.diarization = true;
                set(&mut transaction, "u1", &validate(&expected).unwrap(), 1)
                    .await
                    .unwrap();
                let stored = get(&mut transaction, "u1").await.unwrap();
                assert_eq!(stored, Some(expected));
            }
        });
    }
}
