//! The bookmarks and highlights of a job, appended to exported files.

use anyhow::{Context, Result};
use serde::Deserialize;
use slovo_db::Connection;
use slovo_db::accounts::preferences;
use slovo_db::texts::annotations;
use slovo_export::{Annotation, Annotations};
use slovo_rules::locale::Locale;
use uuid::Uuid;

/// What is appended to a file.
#[derive(Debug, Default)]
pub struct AnnotationList {
    heading: String,
    list: Vec<Annotation>,
}

impl AnnotationList {
    /// In the form that the writers take.
    pub fn as_written(&self) -> Annotations<'_> {
        Annotations {
            heading: &self.heading,
            list: &self.list,
        }
    }
}

/// The annotations of a job for an export of one run by its owner, under a heading in the owner's
/// language.
///
/// # Errors
/// When the database fails.
pub async fn read(
    connection: &mut Connection,
    owner: &str,
    job: Uuid,
    version: u32,
) -> Result<AnnotationList> {
    let chosen = preferences::get(&mut *connection, owner).await?;
    let heading = heading(chosen.unwrap_or_default().locale)?;
    let rows = annotations::list(connection, job).await?;
    let list = rows.into_iter().map(|row| Annotation {
        kind: row.kind,
        colour: row.colour,
        // Lines of another run have other ids: there the time identifies the line.
        segment: (row.version == version).then_some(row.segment),
        start: row.start,
        quote: row.quote,
        note: row.note,
    });
    Ok(AnnotationList {
        heading,
        list: list.collect(),
    })
}

#[derive(Deserialize)]
struct Texts {
    annotations: Heading,
}

#[derive(Deserialize)]
struct Heading {
    title: String,
}

fn heading(locale: Locale) -> Result<String> {
    let file = match locale {
        Locale::Uk => include_str!("../../../../web/src/locales/uk/editor.json"),
        Locale::En => include_str!("../../../../web/src/locales/en/editor.json"),
    };
    let texts: Texts = serde_json::from_str(file).context("editor.json cannot be read")?;
    Ok(texts.annotations.title)
}

#[cfg(test)]
mod tests {
    use slovo_rules::locale::Locale;

    use super::heading;

    #[test]
    fn the_heading_is_translated() {
        assert_eq!(heading(Locale::Uk).unwrap(), "Закладки й\u{a0}нотатки");
        assert_eq!(heading(Locale::En).unwrap(), "Bookmarks and notes");
    }
}
