//! `GET /api/v1/jobs/{id}/edits/events`: edits of a transcript as server-sent events.
//!
//! There is no queue per reader: a reader is woken, reads the journal from its last position, and
//! polls for edits stored by other processes.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::{Stream, stream};
use serde_json::json;
use slovo_app::http::{Document, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_db::texts::projection;
use slovo_db::texts::stretches;
use slovo_work::jobs::open_streams::StreamSlot;
use slovo_work::live::Follower;
use uuid::Uuid;

use super::list::{self, QueryParams};
use crate::jobs::OwnJob;
use crate::jobs::events::{AccessCheck, open_stream, respond, text};
use crate::jobs::recognise_again::StretchList;

/// Polling interval for edits by other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Minimum time between two reads, so that fast typing does not keep the readers busy.
const PAUSE: Duration = Duration::from_millis(100);

/// Streams the edits of a run.
#[utoipa::path(get, path = "/jobs/{id}/edits/events", tag = "edits", operation_id = "follow_edits",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, content_type = "text/event-stream", body = String,
            description = "edits: an EditList; run {shown, runs}: another run is shown or has \
                come to its end, read again; stretches: a StretchList, at first and whenever \
                one of them has changed, none while there are none. Ends with the session or the job"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: the user has \
            too many streams"),
    ))]
pub(in crate::jobs) async fn follow(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Response, Problem> {
    let place = open_stream(&state, &own.caller)?;
    let follower = state.jobs.live().follow(own.job.id);
    let runs = projection::runs(&mut *state.db.read().await?, own.job.id).await?;
    let reader = Reader {
        user_id: own.caller.user_id,
        job: own.job.id,
        version: i64::from(query.version),
        since: query.since,
        runs: runs.ok_or_else(Problem::not_found)?,
        stretches: StretchList::from(Vec::new()),
        follower,
        rights: AccessCheck::new(&state, &own.caller.credential),
        state,
        waiting: VecDeque::new(),
        first: true,
        _place: place,
    };
    Ok(respond(event_stream(reader)))
}

struct Reader {
    state: AppState,
    user_id: String,
    job: Uuid,
    version: i64,
    since: u32,
    runs: projection::RunsSummary,
    /// The stretches as last sent.
    stretches: StretchList,
    follower: Follower,
    rights: AccessCheck,
    waiting: VecDeque<Event>,
    /// Existing edits are sent without waiting.
    first: bool,
    _place: StreamSlot,
}

fn event_stream(reader: Reader) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(reader, |mut reader| async move {
        loop {
            if let Some(next) = reader.waiting.pop_front() {
                return Some((Ok(next), reader));
            }
            if !reader.wait().await {
                return None;
            }
            match reader.read_new_edits().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    // The client reconnects from its last position.
                    tracing::error!(?error, "an event stream of edits has ended early");
                    return None;
                }
            }
        }
    })
}

impl Reader {
    /// Waits until there may be new edits; `false` if the stream must end.
    async fn wait(&mut self) -> bool {
        if std::mem::take(&mut self.first) {
            return true;
        }
        tokio::select! {
            () = self.state.shutdown.cancelled() => return false,
            () = self.rights.end() => return false,
            changed = self.follower.receiver.changed() => {
                if changed.is_err() {
                    return false;
                }
            }
            () = tokio::time::sleep(POLL_INTERVAL) => return true,
        }
        tokio::time::sleep(PAUSE).await;
        self.follower.receiver.borrow_and_update();
        true
    }

    /// Reads new edits; `false` if the job was deleted or hidden.
    async fn read_new_edits(&mut self) -> Result<bool, Problem> {
        let mut connection = self.state.db.read().await?;
        if !jobs::is_visible(&mut connection, &self.user_id, self.job).await? {
            return Ok(false);
        }
        let Some(runs) = projection::runs(&mut connection, self.job).await? else {
            return Ok(false);
        };
        let recent = stretches::recent(&mut connection, self.job, self.version).await?;
        let seq = slovo_db::texts::edits::seq(&mut connection, self.job, self.version).await?;
        drop(connection);
        if runs != self.runs {
            self.runs = runs;
            let data = text(&json!({ "shown": runs.shown, "runs": runs.count }));
            self.waiting
                .push_back(Event::default().event("run").data(data));
        }
        if seq.is_some_and(|seq| seq > self.since) {
            let list = list::since(&self.state, self.job, self.version, self.since).await?;
            // The rest of a long list is read without waiting.
            self.first = list.more;
            self.since = list.seq;
            let event = Event::default().event("edits").id(list.seq.to_string());
            self.waiting.push_back(event.data(text(&list)));
        }
        let recent = StretchList::from(recent);
        if recent != self.stretches {
            let event = Event::default().event("stretches");
            self.waiting.push_back(event.data(text(&recent)));
            self.stretches = recent;
        }
        Ok(true)
    }
}
