//! Preferences of accounts.

use slovo_rules::Valid;
use slovo_rules::preferences::Preferences;
use slovo_rules::settings::TranscriptionSettings;

use crate::core::fields::{Fields, json, word};
use crate::{Connection, Result};

/// The preferences of an account; `None` if none were set.
pub async fn get(connection: &mut Connection, user_id: &str) -> Result<Option<Preferences>> {
    let row = sqlx::query("SELECT * FROM preferences WHERE user_id = $1")
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let fields = Fields::new(&row, "preferences", "user_id")?;
    Ok(Some(Preferences {
        locale: fields.word("locale")?,
        theme: fields.word("theme")?,
        mail_on_completion: fields.integer("mail_on_completion")? != 0,
        settings: fields.json::<TranscriptionSettings>("settings")?,
    }))
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
    sqlx::query(
        "INSERT INTO preferences (user_id, locale, theme, mail_on_completion, settings, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id) DO UPDATE SET \
         locale = excluded.locale, theme = excluded.theme, \
         mail_on_completion = excluded.mail_on_completion, settings = excluded.settings, \
         updated_at = excluded.updated_at",
    )
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
    fn they_are_set_and_changed(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            assert_eq!(get(&mut transaction, "u1").await.unwrap(), None);
            for theme in [Theme::Dark, Theme::Light] {
                let mut wanted = Preferences {
                    locale: Locale::En,
                    theme,
                    mail_on_completion: true,
                    ..Preferences::default()
                };
                wanted.settings.diarization = true;
                set(&mut transaction, "u1", &validate(&wanted).unwrap(), 1)
                    .await
                    .unwrap();
                let stored = get(&mut transaction, "u1").await.unwrap();
                assert_eq!(stored, Some(wanted));
            }
        });
    }
}
