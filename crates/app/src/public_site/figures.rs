//! Usage figures of this server.

use slovo_db::site::figures::{SiteFigures, site_figures};
use slovo_site::Figures;

use crate::state::AppState;

/// How long figures are cached, in milliseconds.
const CACHE_TTL_MS: i64 = 10 * 60 * 1000;
/// Minimum for showing the server's own figures: an hour of recordings.
const MIN_RECORDED_MS: i64 = 60 * 60 * 1000;
const MINUTE_MS: i64 = 60 * 1000;

/// The server's usage figures, once they are large enough to show. At most ten minutes old.
///
/// # Errors
/// When the database fails.
pub async fn figures(state: &AppState) -> slovo_db::Result<Option<Figures>> {
    let now = state.clock.now_ms();
    let is_fresh = |(counted, _): &(i64, SiteFigures)| (0..CACHE_TTL_MS).contains(&(now - counted));
    let count = async || {
        let figures = site_figures(&mut *state.db.read().await?).await?;
        Ok::<_, slovo_db::Error>((now, figures))
    };
    let (_, figures) = state.site_figures.get((), is_fresh, count).await?;
    let enough = figures.milliseconds >= MIN_RECORDED_MS;
    Ok(enough.then_some(Figures {
        minutes: figures.milliseconds / MINUTE_MS,
        recordings: figures.recordings,
        words: figures.words,
    }))
}
