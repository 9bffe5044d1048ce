//! Pages of lists and days of figures, for administrators.

use serde::Deserialize;
pub(super) use slovo_api::page::{Page, PageParams};
use utoipa::IntoParams;

/// Number of days for daily figures.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Days {
    /// 1 to 366 days up to today; 30 if absent.
    days: Option<u32>,
}

impl Days {
    /// Number of days, including today.
    pub fn get(&self) -> i64 {
        i64::from(self.days.unwrap_or(30).clamp(1, 366))
    }
}
