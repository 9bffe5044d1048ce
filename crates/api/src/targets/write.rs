//! Writes the file of one text.

use axum::body::Bytes;
use slovo_accounts::account_export::names::safe;
use slovo_app::state::AppState;
use slovo_db::accounts::Account;
use slovo_db::jobs::{self, groups};
use slovo_db::sources::Problem;
use slovo_db::targets::files::{self, TargetFile};
use slovo_db::targets::{self, Target};
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_export::Format;
use slovo_rules::target::TargetFormat;
use slovo_sources::write::{self, Current, Expected, digest};
use slovo_sources::{Place, SourceError};
use slovo_transcripts::exports::{
    Facts, FormatOptions, RequestedOptions, make_with, templates, title,
};

use super::unwritten;
use crate::places::problem::{internal, problem};

/// Names that are tried for a new file.
const MAX_NAMES: u32 = 100;

/// A run of a target.
pub(super) struct Run<'a> {
    pub state: &'a AppState,
    pub target: &'a Target,
    pub owner: &'a Account,
    pub place: Place<'a>,
}

/// What has become of a file.
pub(super) enum Outcome {
    /// It has this content now.
    Written(String),
    /// Nothing has to be written.
    Left,
    /// It is somebody else's now.
    Foreign(Problem),
    /// It could not be written.
    Failed(Problem),
    /// The target was changed meanwhile.
    Changed,
}

/// The format of a target's files.
pub(super) const fn format_of(format: TargetFormat) -> Format {
    match format {
        TargetFormat::Md => Format::Md,
        TargetFormat::Txt => Format::Txt,
        TargetFormat::Srt => Format::Srt,
        TargetFormat::Docx => Format::Docx,
    }
}

/// A text as it is written.
struct Made {
    title: String,
    content: Vec<u8>,
}

impl Run<'_> {
    /// Writes the file of a text.
    ///
    /// # Errors
    /// The place cannot be written to, or an internal error.
    pub(super) async fn write(&self, file: &TargetFile) -> Result<Outcome, Problem> {
        let made = match self.make(file).await? {
            Some(Ok(made)) => made,
            Some(Err(problem)) => return Ok(Outcome::Failed(problem)),
            None => return Ok(Outcome::Left),
        };
        let content = Bytes::from(made.content);
        let new = digest(&content);
        if file.digest.as_ref() == Some(&new) {
            return Ok(Outcome::Written(new));
        }
        match &file.path {
            Some(path) => self.rewrite(file, (path, &made.title), content, new).await,
            None => self.write_new(file, &made.title, content, new).await,
        }
    }

    /// The text as it is now; `None` if there is none, or if it is not one of this target's.
    async fn make(&self, file: &TargetFile) -> Result<Option<Result<Made, Problem>>, Problem> {
        let mut connection = self.state.db.read().await.map_err(internal)?;
        let job = jobs::find(&mut connection, &self.owner.id, file.job_id).await;
        let Some(job) = job.map_err(internal)? else {
            return Ok(None);
        };
        if let Some(group) = &self.target.group_id {
            let is_in = files::is_in_group(&mut connection, job.id, group).await;
            if !is_in.map_err(internal)? {
                return Ok(None);
            }
        }
        let read = projection::read(&mut connection, job.id, HistoryPoint::default()).await;
        let Some(text) = read.map_err(internal)? else {
            return Ok(None);
        };
        let format = format_of(self.target.format);
        let mut additions = FormatOptions::default();
        if format == Format::Md {
            let summary = templates::summary(&mut connection, job.id, text.version).await;
            let tags = groups::tag_names(&mut connection, job.id).await;
            let base = self.state.config.public_url();
            additions.front_matter = Some(Facts {
                url: format!("{base}/transcription/{}", job.id),
                tags: tags.map_err(internal)?,
                summary: summary.map_err(internal)?,
            });
        }
        drop(connection);
        let options = RequestedOptions::default().of(&job.plan);
        let made = make_with(format, options, &job, text, additions).await;
        Ok(Some(match made {
            Ok(content) => Ok(Made {
                title: title(&job).to_owned(),
                content,
            }),
            Err(failure) => Err(internal(failure)),
        }))
    }

    /// Writes a file that is not there yet, under a name that nobody has.
    async fn write_new(
        &self,
        file: &TargetFile,
        title: &str,
        content: Bytes,
        new: String,
    ) -> Result<Outcome, Problem> {
        let (base, extension) = (safe(title), format_of(self.target.format).name());
        for number in 1..=MAX_NAMES {
            let path = match number {
                1 => format!("{base}.{extension}"),
                _ => format!("{base} {number}.{extension}"),
            };
            let Some(is_free) = self.reserve(file, &path, &new).await? else {
                return Ok(Outcome::Changed);
            };
            if !is_free {
                continue;
            }
            // Asked before, because not every server knows the condition of the request.
            let there = match self.current(&path).await {
                Ok(there) => there,
                Err(error) => return self.unwritten(&error),
            };
            if there.is_some() {
                continue;
            }
            match self.put(&path, content.clone(), Expected::Nothing).await {
                Ok(true) => return Ok(Outcome::Written(new)),
                Ok(false) => {}
                Err(error) => return self.unwritten(&error),
            }
        }
        Ok(Outcome::Failed(problem("target_no_name", None)))
    }

    /// Writes a file that was reserved earlier.
    async fn rewrite(
        &self,
        file: &TargetFile,
        (path, title): (&str, &str),
        content: Bytes,
        new: String,
    ) -> Result<Outcome, Problem> {
        let current = match self.current(path).await {
            Ok(current) => current,
            Err(error) => return self.unwritten(&error),
        };
        let expected = match &current {
            None if file.digest.is_none() => Expected::Nothing,
            None => return Ok(Outcome::Foreign(problem("target_file_gone", None))),
            Some(current) if current.digest == new => return Ok(Outcome::Written(new)),
            Some(current) => {
                let ours = [&file.digest, &file.next_digest];
                if !ours.iter().any(|it| it.as_ref() == Some(&current.digest)) {
                    // A new file has found another one there, before it was written for the first time.
                    return if file.digest.is_none() {
                        self.write_new(file, title, content, new).await
                    } else {
                        Ok(Outcome::Foreign(problem("target_file_changed", None)))
                    };
                }
                Expected::Version(current)
            }
        };
        match self.reserve(file, path, &new).await? {
            None => return Ok(Outcome::Changed),
            Some(false) => return self.write_new(file, title, content, new).await,
            Some(true) => {}
        }
        match self.put(path, content, expected).await {
            Ok(true) => Ok(Outcome::Written(new)),
            Ok(false) => Ok(Outcome::Foreign(problem("target_file_changed", None))),
            Err(error) => self.unwritten(&error),
        }
    }

    /// Keeps what is going to be written where. `None` if the target was changed meanwhile.
    async fn reserve(
        &self,
        file: &TargetFile,
        path: &str,
        new: &str,
    ) -> Result<Option<bool>, Problem> {
        let reserved = async {
            let mut transaction = self.state.db.write().await?;
            let until = slovo_db::core::lease::expires_at(self.state.clock.now_ms());
            if !targets::hold(&mut transaction, self.target, until).await? {
                return Ok(None);
            }
            let free = files::reserve(&mut transaction, self.target, file.job_id, path, new);
            let free = free.await?;
            transaction.commit().await?;
            Ok::<_, slovo_db::Error>(Some(free))
        };
        reserved.await.map_err(internal)
    }

    async fn current(&self, path: &str) -> Result<Option<Current>, SourceError> {
        let roots = &self.state.config.sources.target_folders;
        write::current(&self.state.fetch, &self.place, roots, path).await
    }

    async fn put(
        &self,
        path: &str,
        content: Bytes,
        expected: Expected<'_>,
    ) -> Result<bool, SourceError> {
        let roots = &self.state.config.sources.target_folders;
        let fetch = &self.state.fetch;
        write::write(fetch, &self.place, roots, path, content, expected).await
    }

    /// Whether an error concerns the whole place or one file.
    fn unwritten(&self, error: &SourceError) -> Result<Outcome, Problem> {
        let problem = unwritten(error);
        match error {
            SourceError::Status(400 | 413..=415 | 422 | 423) | SourceError::TooLarge => {
                Ok(Outcome::Failed(problem))
            }
            _ => Err(problem),
        }
    }
}
