//! `GET` and `PUT /api/v1/jobs/{id}/position`: the caller's playback position.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::positions;
use slovo_rules::transcript::rounded;
use slovo_rules::violation::{Code, Violation, Violations};
use utoipa::ToSchema;

use super::OwnJob;

/// Maximum position in seconds: eleven days, longer than any recording.
const MAX_SECONDS: f64 = 1_000_000.0;

/// A playback position.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlaybackPosition {
    /// Seconds from the start of the recording, to a thousandth; null at the start.
    #[schema(required)]
    seconds: Option<f64>,
}

impl From<Option<Duration>> for PlaybackPosition {
    fn from(place: Option<Duration>) -> Self {
        Self {
            seconds: place.map(|place| rounded(place.as_secs_f64())),
        }
    }
}

/// A new playback position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPlaybackPosition {
    /// Seconds from the start of the recording, 0 to 1,000,000. A position after the end counts as
    /// the end; 0 deletes the stored position.
    #[schema(minimum = 0, maximum = 1000000)]
    seconds: f64,
}

/// Returns the caller's playback position in one of their recordings, from any device.
#[utoipa::path(get, path = "/jobs/{id}/position", tag = "jobs", operation_id = "get_position",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = PlaybackPosition),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<PlaybackPosition>, Problem> {
    let mut connection = state.db.read().await?;
    let place = positions::find(&mut connection, &own.caller.user_id, own.job.id).await?;
    Ok(Json(place.into()))
}

/// Stores the caller's playback position. The latest one applies, whichever device it is from.
#[utoipa::path(put, path = "/jobs/{id}/position", tag = "jobs", operation_id = "keep_position",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewPlaybackPosition,
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn keep(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<NewPlaybackPosition>,
) -> Result<StatusCode, Problem> {
    let place = valid_place(body.seconds, own.job.duration)?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let user = &own.caller.user_id;
    positions::store(&mut transaction, user, own.job.id, place, now).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The position, at most the recording's duration: players may measure a longer one.
fn valid_place(seconds: f64, duration: Option<f64>) -> Result<Duration, Problem> {
    let broken = if seconds.is_nan() || seconds < 0.0 {
        Violation::new("seconds", Code::NumberTooSmall).with("min", 0)
    } else if seconds > MAX_SECONDS {
        Violation::new("seconds", Code::NumberTooLarge).with("max", MAX_SECONDS)
    } else {
        let end = duration.filter(|end| *end >= 0.0).unwrap_or(MAX_SECONDS);
        let place = Duration::try_from_secs_f64(seconds.min(end));
        return place.map_err(Problem::internal);
    };
    Err(Violations(vec![broken]).into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::valid_place;

    #[test]
    fn a_position_is_limited_to_the_recording() {
        let place = |seconds, duration| valid_place(seconds, duration).ok();
        assert_eq!(place(0.0, Some(60.0)), Some(Duration::ZERO));
        assert_eq!(place(12.5, Some(60.0)), Some(Duration::from_millis(12_500)));
        assert_eq!(place(61.0, Some(60.0)), Some(Duration::from_secs(60)));
        assert_eq!(place(61.0, None), Some(Duration::from_secs(61)));
        for wrong in [-0.001, -1e300, 1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(place(wrong, Some(60.0)), None, "{wrong}");
        }
    }
}
