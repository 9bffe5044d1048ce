//! Word templates for users' DOCX exports: table `docx_templates`.

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Error, Result};

/// A template without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocxTemplate {
    /// Its file name.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// When it was uploaded, in Unix milliseconds.
    pub set_at: i64,
}

row_columns! {
    fn read() -> DocxTemplate from "docx_templates" by "user_id" {
        name: text,
        size: count,
        set_at: integer,
    }
}

statements! {
    const SELECT_TEMPLATE: BOTH -> DocxTemplate =
        "SELECT user_id, name, size, set_at FROM docx_templates WHERE user_id = $1";
}

/// The template of an account; `None` if there is none.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str) -> Result<Option<DocxTemplate>> {
    let row = sqlx::query(SELECT_TEMPLATE)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// A template's name and its bytes in hexadecimal.
struct TemplateFile {
    name: String,
    content: String,
}

row_columns! {
    fn read_file() -> TemplateFile from "docx_templates" by "user_id" {
        name: text,
        content: text,
    }
}

statements! {
    const SELECT_TEMPLATE_FILE: BOTH -> TemplateFile =
        "SELECT user_id, name, content FROM docx_templates WHERE user_id = $1";
}

/// The name and the bytes of an account's template; `None` if there is none.
///
/// # Errors
/// A row that cannot be read.
pub async fn file(connection: &mut Connection, user_id: &str) -> Result<Option<(String, Vec<u8>)>> {
    let row = sqlx::query(SELECT_TEMPLATE_FILE)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let file = read_file(&row)?;
    let content = hex::decode(file.content)
        .map_err(|error| Error::row("docx_templates", user_id, format!("content: {error}")))?;
    Ok(Some((file.name, content)))
}

statements! {
    const UPSERT_TEMPLATE: BOTH =
        "INSERT INTO docx_templates (user_id, name, size, content, set_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, \
         size = excluded.size, content = excluded.content, set_at = excluded.set_at";
}

/// Stores the template, replacing an earlier one.
///
/// # Errors
/// The constraint `docx_templates_user_id_fkey` (`foreign_key` in SQLite) for an unknown account.
pub async fn set(
    connection: &mut Connection,
    user_id: &str,
    name: &str,
    content: &[u8],
    now: i64,
) -> Result<()> {
    sqlx::query(UPSERT_TEMPLATE)
        .bind(user_id)
        .bind(name)
        .bind(i64::try_from(content.len()).unwrap_or(i64::MAX))
        .bind(hex::encode(content))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_TEMPLATE: BOTH = "DELETE FROM docx_templates WHERE user_id = $1";
}

/// Deletes the template, if there is one.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(DELETE_TEMPLATE)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    #[apply(each_database!)]
    fn each_account_has_at_most_one_template(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for user in ["u1", "u2"] {
                account(&mut transaction, user).await;
            }
            let bytes: Vec<u8> = (0..=u8::MAX).collect();
            for (name, content) in [("a.docx", &bytes[..3]), ("б.docx", &bytes[..])] {
                set(&mut transaction, "u1", name, content, 7).await.unwrap();
                let template = find(&mut transaction, "u1").await.unwrap().unwrap();
                let size = u64::try_from(content.len()).unwrap();
                assert_eq!(
                    (template.name.as_str(), template.size, template.set_at),
                    (name, size, 7)
                );
                let stored = file(&mut transaction, "u1").await.unwrap();
                assert_eq!(stored, Some((name.to_owned(), content.to_vec())));
            }
            assert_eq!(find(&mut transaction, "u2").await.unwrap(), None);
            remove(&mut transaction, "u2").await.unwrap();
            assert!(find(&mut transaction, "u1").await.unwrap().is_some());
            remove(&mut transaction, "u1").await.unwrap();
            assert_eq!(file(&mut transaction, "u1").await.unwrap(), None);
        });
    }
}
