//! DOCX templates of accounts.

use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use slovo_db::accounts::preferences;
use slovo_db::texts::{analyses, docx_templates};
use slovo_db::{Connection, Database};
use slovo_export::{Example, Template, TemplateRejection};
use slovo_rules::analysis::{AnalysisStatus, Outcome};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::locale::Locale;
use uuid::Uuid;

use super::PERMITS;

/// A template with the values of its placeholders.
#[derive(Clone, Debug)]
pub struct TemplateFields {
    /// The template.
    pub template: Arc<Template>,
    /// The newest summary of the text; empty if there is none.
    pub summary: String,
    /// The name of the text's language, in the owner's language.
    pub language: String,
}

/// Parses an uploaded file as a template, on a blocking thread: one that is crafted to be expensive
/// takes a second.
///
/// # Errors
/// An internal error; the inner result says what is wrong with the file.
pub async fn read(file: Vec<u8>) -> Result<Result<Template, TemplateRejection>> {
    let permit = Arc::clone(&PERMITS).acquire_owned().await;
    let permit = permit.context("no more files can be made")?;
    let work = move || {
        let _permit = permit;
        Template::read(&file)
    };
    let read = tokio::task::spawn_blocking(work).await;
    read.context("a template cannot be read")
}

/// Why the account's template cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The account has no template.
    #[error("the account has no template")]
    Missing,
    /// The stored file is not a valid template.
    #[error("the stored template is rejected: {0:?}")]
    Refused(TemplateRejection),
    /// The database fails.
    #[error(transparent)]
    Storage(#[from] slovo_db::Error),
    /// It cannot be read for another reason.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// The account's template.
///
/// # Errors
/// [`TemplateError`].
pub async fn of(db: &Database, user_id: &str) -> Result<Arc<Template>, TemplateError> {
    let mut connection = db.read().await?;
    let stored = docx_templates::file(&mut connection, user_id).await?;
    drop(connection);
    let (_, content) = stored.ok_or(TemplateError::Missing)?;
    let template = read(content).await?.map_err(TemplateError::Refused)?;
    Ok(Arc::new(template))
}

/// A template with the values for its placeholders, from a job's text.
///
/// # Errors
/// When the database fails.
pub async fn fields(
    connection: &mut Connection,
    template: Arc<Template>,
    user_id: &str,
    job: Uuid,
    text: &EditedTranscript,
) -> Result<TemplateFields> {
    let summary = if template.asks_for_summary() {
        summary(&mut *connection, job, text.version).await?
    } else {
        String::new()
    };
    let chosen = preferences::get(&mut *connection, user_id).await?;
    let language = language(chosen.unwrap_or_default().locale, &text.language)?;
    Ok(TemplateFields {
        template,
        summary,
        language,
    })
}

/// The newest summary of a text; empty if there is none.
///
/// # Errors
/// When the database fails.
pub async fn summary(connection: &mut Connection, job: Uuid, version: u32) -> Result<String> {
    let rows = analyses::list(connection, job, Some(i64::from(version))).await?;
    let mut done = rows
        .into_iter()
        .filter(|row| row.status == AnalysisStatus::Done);
    let sentences = done.find_map(|row| match row.outcome {
        Some(Outcome::Summary(summary)) => Some(summary.sentences),
        _ => None,
    });
    let sentences = sentences.unwrap_or_default().into_iter();
    let texts: Vec<String> = sentences.map(|sentence| sentence.text).collect();
    Ok(texts.join(" "))
}

/// The name of a language in another one; its code if the name is unknown.
fn language(locale: Locale, code: &str) -> Result<String> {
    let file = match locale {
        Locale::Uk => include_str!("../../../../web/src/locales/uk/languages.json"),
        Locale::En => include_str!("../../../../web/src/locales/en/languages.json"),
    };
    let names: Value = serde_json::from_str(file).context("languages.json cannot be read")?;
    Ok(names[code].as_str().unwrap_or(code).to_owned())
}

#[derive(Deserialize)]
struct Texts {
    docx_template: Words,
}

#[derive(Deserialize)]
struct Words {
    example: ExampleWords,
}

/// The texts of the example template, from the locale files.
#[derive(Deserialize)]
struct ExampleWords {
    file: String,
    date: String,
    duration: String,
    language: String,
    speakers: String,
    summary: String,
    transcript: String,
    header: String,
}

/// An example template in this language: its file name and its bytes.
///
/// # Errors
/// An internal error.
pub fn example(locale: Locale) -> Result<(String, Vec<u8>)> {
    let file = match locale {
        Locale::Uk => include_str!("../../../../web/src/locales/uk/settings.json"),
        Locale::En => include_str!("../../../../web/src/locales/en/settings.json"),
    };
    let texts: Texts = serde_json::from_str(file).context("settings.json cannot be read")?;
    let words = texts.docx_template.example;
    let example = Example {
        labels: [words.date, words.duration, words.language, words.speakers],
        summary: words.summary,
        transcript: words.transcript,
        header: words.header,
    };
    let content = slovo_export::example(&example).context("the example cannot be made")?;
    Ok((words.file, content))
}

#[cfg(test)]
mod tests {
    use slovo_export::Template;
    use slovo_rules::locale::Locale;

    use super::{example, language};

    #[test]
    fn the_example_template_is_valid_in_each_language() {
        for locale in [Locale::Uk, Locale::En] {
            let (name, content) = example(locale).unwrap();
            assert!(name.ends_with(".docx"), "{name}");
            assert!(Template::read(&content).unwrap().asks_for_summary());
        }
        assert_eq!(language(Locale::Uk, "uk").unwrap(), "Українська");
        assert_eq!(language(Locale::En, "xx").unwrap(), "xx");
    }
}
