//! The files requested with a job: made when its text is ready, and stored by the transaction that
//! completes it. So a completed job always has them, and after an earlier kill they are made again.

use slovo_db::plans::ledger;
use slovo_export::Options;
use slovo_rules::media::Fault;
use slovo_rules::settings::MadeFile;
use slovo_rules::transcript::Transcript;

use super::failure::Failure;
use super::run::Run;
use slovo_transcripts::exports;

impl Run {
    /// The files of this run with their content; `None` if the stored ones stay because they are of
    /// this run, whose text is only reassembled. Formats that the plan no longer includes are not
    /// made.
    pub(super) async fn make_files(
        &self,
        transcript: &Transcript,
    ) -> Result<Option<Vec<(MadeFile, String)>>, Failure> {
        let job = &self.job;
        let of_this_run = job.files.iter().any(|file| file.version == job.version);
        if of_this_run {
            return Ok(None);
        }
        let requested = self.files_in_plan().await?;
        if requested.is_empty() && job.files.is_empty() {
            return Ok(None);
        }
        let options = Options::from_plan(&job.plan);
        let mut files = Vec::with_capacity(requested.len());
        for file in requested {
            let text = slovo_export::unedited(transcript.clone());
            let content = exports::make(file.into(), options, job, text).await;
            let content = content.map_err(|error| {
                tracing::error!(job = %job.id, %error, "a file of a job could not be made");
                Failure::Transient(Fault::new("storage_failed"))
            })?;
            files.push((file, String::from_utf8_lossy(&content).into_owned()));
        }
        Ok(Some(files))
    }

    /// The requested files that the owner's plan includes.
    async fn files_in_plan(&self) -> Result<Vec<MadeFile>, Failure> {
        let mut requested = self.job.plan.files.clone();
        if requested.iter().any(|file| file.plan_needs().is_some()) {
            let now = self.jobs.0.clock.now_ms();
            let mut connection = self.jobs.0.db.read().await?;
            let balance = ledger::read_balance(&mut connection, &self.job.user_id, now).await?;
            requested.retain(|file| file.plan_needs().is_none_or(|feature| balance.has(feature)));
        }
        Ok(requested)
    }
}
