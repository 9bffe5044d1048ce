//! Checks complete uploads and rejects unusable ones.

use std::io;
use std::sync::Arc;

use slovo_db::jobs::uploads::{self, Length, Upload};
use slovo_rules::media::{Fault, Media};
use slovo_storage::Fix;

use crate::probe::{self, ProbeUnavailable};
use crate::{UploadError, Uploads, streamed};

impl Uploads {
    /// Opens a complete upload's file, unless that has been done, and rejects it if it is not a
    /// recording.
    ///
    /// # Errors
    /// When the upload is incomplete or rejected, or the server cannot open its file now.
    pub async fn inspect(&self, upload: Upload) -> Result<Upload, UploadError> {
        if let Some(fault) = upload.problem {
            return Err(UploadError::Refused(fault));
        }
        if !upload.is_complete() {
            return Err(UploadError::Incomplete);
        }
        if upload.media.is_some() {
            return Ok(upload);
        }
        let turn = Arc::new(self.turns.take(upload.id).await?);
        // The previous holder of the lock may have checked it.
        let upload = self.usable(&upload.user_id, upload.id).await?;
        if upload.media.is_some() {
            return Ok(upload);
        }
        let unready = |error: io::Error| ProbeUnavailable::with_cause(&error);
        self.complete(&upload).await.map_err(unready)?;
        let file = self.storage.open_local(upload.id).await.map_err(unready)?;
        let path = file.path().to_owned();
        match probe::probe(&path, &self.engine, (Arc::clone(&turn), file)).await? {
            Ok(media) => self.accept(upload, media).await,
            // The signal that stops the server, such as Ctrl-C, may have ended a decoder as well.
            Err(fault) if self.shutdown.is_cancelled() => {
                Err(ProbeUnavailable::with_cause(&fault.code).into())
            }
            Err(fault) => self.refuse(upload, fault).await,
        }
    }

    /// Makes the bytes a file that can be opened. One whose length was not known at first may have to
    /// be corrected.
    async fn complete(&self, upload: &Upload) -> io::Result<()> {
        let (bytes, fix): (_, Fix) = match upload.length {
            Length::Declared(bytes) => (bytes, streamed::corrections),
            Length::Announced(bytes) => (bytes, |_, _| Vec::new()),
            Length::Open => return Ok(()),
        };
        self.storage.complete(upload.id, bytes, fix).await
    }

    /// Stores the result, unless the upload has been rejected in the meantime.
    async fn accept(&self, mut upload: Upload, media: Media) -> Result<Upload, UploadError> {
        let mut transaction = self.db.write().await?;
        let noted = uploads::set_media(&mut transaction, upload.id, &media).await?;
        transaction.commit().await?;
        if !noted {
            return self.usable(&upload.user_id, upload.id).await;
        }
        upload.media = Some(media);
        Ok(upload)
    }

    /// Rejects an upload permanently: its bytes are deleted, its row keeps the reason. An upload
    /// that contains a checked recording, or that a job has taken, is left alone.
    pub(crate) async fn refuse(&self, upload: Upload, fault: Fault) -> Result<Upload, UploadError> {
        let mut transaction = self.db.write().await?;
        let refused = uploads::set_problem(&mut transaction, upload.id, &fault).await?;
        transaction.commit().await?;
        if !refused {
            return self.usable(&upload.user_id, upload.id).await;
        }
        self.storage.remove(upload.id).await?;
        Err(UploadError::Refused(fault))
    }
}

#[cfg(test)]
mod tests {
    use macro_rules_attribute::apply;
    use slovo_db::testing::{Backend, each_database};
    use slovo_platform::clock::Clock;
    use slovo_rules::upload::UploadKind;
    use uuid::Uuid;

    use super::*;
    use crate::append::{ChunkRequest, WritableUpload};
    use crate::receive::Limit;
    use crate::testing::{Server, with_server};
    use crate::upload_locks::UploadLock;

    const ID: Uuid = Uuid::from_u128(5);

    /// An upload of 100 bytes that are all there.
    async fn complete(server: &Server) -> Upload {
        let now = server.clock.now_ms();
        let upload = uploads::NewUpload {
            id: ID,
            user_id: server.user_id.clone(),
            filename: "a.wav".to_owned(),
            content_type: String::new(),
            kind: UploadKind::File,
            size: Some(100),
            created_at: now,
            expires_at: now + 1000,
        };
        let mut upload = server.uploads.create(upload).await.unwrap();
        let mut transaction = server.db.write().await.unwrap();
        uploads::set_stored(&mut transaction, ID, 100, upload.expires_at)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        std::fs::write(server.storage.media(ID), [0; 100]).unwrap();
        upload.stored = 100;
        upload
    }

    fn bad() -> Fault {
        Fault::new("damaged")
    }

    fn found() -> Media {
        Media {
            container: "wav".to_owned(),
            codec: "pcm".to_owned(),
            duration: None,
            tracks: 1,
            channels: 1,
            has_video: false,
            audio_tracks: Vec::new(),
        }
    }

    #[apply(each_database!)]
    fn a_late_refusal_deletes_no_accepted_file(backend: Backend) {
        with_server(backend, async |server| {
            let upload = complete(&server).await;
            let (all, file) = (&server.uploads, server.storage.media(ID));
            let accepted = all.accept(upload.clone(), found()).await.unwrap();
            let retained = all.refuse(upload.clone(), bad()).await.unwrap();
            assert_eq!(retained.media, accepted.media);
            assert!(file.exists(), "another request has found a recording in it");

            let mut transaction = server.db.write().await.unwrap();
            assert!(uploads::consume(&mut transaction, ID).await.unwrap());
            transaction.commit().await.unwrap();
            let refused = all.refuse(upload, bad()).await;
            assert!(matches!(refused, Err(UploadError::NotFound)), "{refused:?}");
            assert!(file.exists(), "it is a job's");
        });
    }

    #[apply(each_database!)]
    fn a_refused_upload_cannot_be_used_by_a_job(backend: Backend) {
        with_server(backend, async |server| {
            let upload = complete(&server).await;
            let all = &server.uploads;
            let refused = all.refuse(upload.clone(), bad()).await;
            assert!(matches!(refused, Err(UploadError::Refused(_))));
            assert!(!server.storage.media(ID).exists());
            let late = all.accept(upload, found()).await;
            assert!(matches!(late, Err(UploadError::Refused(_))));
            let mut transaction = server.db.write().await.unwrap();
            assert!(!uploads::consume(&mut transaction, ID).await.unwrap());
        });
    }

    async fn write_late(
        all: &Uploads,
        upload: Upload,
        hold: UploadLock,
    ) -> Result<Upload, UploadError> {
        let granted = WritableUpload {
            upload,
            hold,
            limit: Limit::Length(100),
        };
        let body = futures_util::stream::iter([Ok::<_, io::Error>("late")]);
        all.write(granted, ChunkRequest::default(), body).await
    }

    #[apply(each_database!)]
    fn a_late_writer_is_refused_before_it_writes(backend: Backend) {
        with_server(backend, async |server| {
            let upload = complete(&server).await;
            let all = &server.uploads;
            // As it was read before another process wrote all of it.
            let stale = Upload {
                stored: 0,
                ..upload.clone()
            };
            let hold = all.locks.take_free(ID, 0).unwrap();
            let late = write_late(all, stale, hold).await;
            assert!(matches!(
                late,
                Err(UploadError::WrongOffset { stored: 100 })
            ));
            let file = server.storage.media(ID);
            assert_eq!(std::fs::read(&file).unwrap(), [0; 100]);

            let mut transaction = server.db.write().await.unwrap();
            uploads::consume(&mut transaction, ID).await.unwrap();
            transaction.commit().await.unwrap();
            let hold = all.locks.take_free(ID, 0).unwrap();
            let late = write_late(all, upload, hold).await;
            assert!(matches!(late, Err(UploadError::NotFound)));
            assert_eq!(std::fs::read(&file).unwrap(), [0; 100]);
        });
    }

    #[apply(each_database!)]
    fn uploads_are_not_refused_during_shutdown(backend: Backend) {
        with_server(backend, async |server| {
            let upload = complete(&server).await;
            server.shutdown.cancel();
            let result = server.uploads.inspect(upload).await;
            assert!(matches!(result, Err(UploadError::Unready(_))), "{result:?}");
            assert!(server.storage.media(ID).exists());
        });
    }
}
