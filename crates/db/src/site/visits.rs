//! Visits of the public pages: table `site_visits`, one sum per day, page and language.

use slovo_rules::locale::Locale;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Visits of a page on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visits {
    /// The day in UTC, `2026-11-22`.
    pub day: String,
    /// The page's path.
    pub page: String,
    /// Its language.
    pub locale: String,
    /// Number of visits.
    pub visits: i64,
}

statements! {
    const COUNT: BOTH =
        "INSERT INTO site_visits (day, page, locale, visits) VALUES ($1, $2, $3, 1) \
         ON CONFLICT (day, page, locale) DO UPDATE SET visits = site_visits.visits + 1";
}

/// Counts a visit.
pub async fn count(
    connection: &mut Connection,
    day: &str,
    page: &str,
    locale: Locale,
) -> Result<()> {
    sqlx::query(COUNT)
        .bind(day)
        .bind(page)
        .bind(locale.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

row_columns! {
    fn read() -> Visits {
        day: text,
        page: text,
        locale: text,
        visits: integer,
    }
}

statements! {
    const SINCE: BOTH -> Visits =
        "SELECT day, page, locale, visits FROM site_visits WHERE day >= $1 \
         ORDER BY day, page, locale";
}

/// The visits since a day, ordered by day and page.
pub async fn since(connection: &mut Connection, day: &str) -> Result<Vec<Visits>> {
    let rows = sqlx::query(SINCE).bind(day).fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn visits_are_summed_by_day_page_and_language(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for (day, page, locale) in [
                ("2026-11-21", "/", Locale::Uk),
                ("2026-11-22", "/", Locale::Uk),
                ("2026-11-22", "/", Locale::En),
                ("2026-11-22", "/", Locale::Uk),
                ("2026-11-22", "/about", Locale::Uk),
            ] {
                count(&mut transaction, day, page, locale).await.unwrap();
            }
            transaction.commit().await.unwrap();
            let mut connection = database.read().await.unwrap();
            let found = since(&mut connection, "2026-11-22").await.unwrap();
            let found: Vec<_> = found
                .iter()
                .map(|row| (row.page.as_str(), row.locale.as_str(), row.visits))
                .collect();
            assert_eq!(found, [("/", "en", 1), ("/", "uk", 2), ("/about", "uk", 1)]);
            assert_eq!(since(&mut connection, "2026-11-21").await.unwrap().len(), 4);
        });
    }
}
