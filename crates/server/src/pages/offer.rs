//! What the price list says, read from the plans as they are now.

use std::sync::{Arc, Mutex, PoisonError};

use slovo_db::plans;
use slovo_site::{Offer, PricedPlan, Site, Trial};

use super::kept::Kept;
use crate::api::capabilities;
use crate::edition::{Edition, edition};
use crate::state::AppState;
use crate::{first_plans, trials};

/// How long what was read is believed, in milliseconds.
const BELIEVED_MS: i64 = 2000;

/// Pages as they are written for one offer.
#[derive(Clone)]
pub(super) struct Shown {
    pub site: Arc<Site>,
    pub kept: Arc<Kept>,
}

/// The pages of the present offer.
pub(super) struct Present {
    state: AppState,
    known: Mutex<(Shown, Option<i64>)>,
}

impl Present {
    pub(super) fn new(state: &AppState, site: Site) -> Self {
        let shown = Shown {
            site: Arc::new(site),
            kept: Arc::default(),
        };
        Self {
            state: state.clone(),
            known: Mutex::new((shown, None)),
        }
    }

    /// The pages as they are to be shown now. They are written anew only if the offer is another one;
    /// while the database does not answer, the last ones stand.
    pub(super) async fn shown(&self) -> Shown {
        let now = self.state.clock.now_ms();
        let (shown, read_at) = self.known();
        if read_at.is_some_and(|at| (0..BELIEVED_MS).contains(&(now - at))) {
            return shown;
        }
        let offer = match read(&self.state).await {
            Ok(offer) => offer,
            Err(error) => {
                tracing::warn!(%error, "the plans cannot be read; the pages stay as they were");
                return shown;
            }
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.0.site.offer != offer {
            let site = Site {
                offer,
                ..(*known.0.site).clone()
            };
            known.0 = Shown {
                site: Arc::new(site),
                kept: Arc::default(),
            };
        }
        known.1 = Some(now);
        known.0.clone()
    }

    fn known(&self) -> (Shown, Option<i64>) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }
}

/// What is offered now. Before the first start has made plans it is what the specification says.
async fn read(state: &AppState) -> slovo_db::Result<Offer> {
    let has = capabilities::plan_features(&state.analyses.engines());
    let mut connection = state.db.read().await?;
    let Some(first) = first_plans::read(&mut connection).await? else {
        return Ok(Offer {
            has,
            ..Offer::default()
        });
    };
    if edition(state, &mut connection).await? == Edition::Organisation {
        return Ok(Offer {
            plans: Vec::new(),
            has,
            trial: None,
            refund_days: None,
        });
    }
    let refund_days = trials::terms(&mut connection).await?.refund_days;
    let trial = trials::offered(state, &mut connection).await?;
    let mut plans = plans::list(&mut connection).await?;
    plans.retain(|plan| plan.form.is_active);
    plans.sort_by(|one, other| one.form.price.total_cmp(&other.form.price));
    let plans = plans.into_iter().map(|plan| PricedPlan {
        id: Some(plan.id.to_string()),
        tier: first.tier(plan.id),
        form: plan.form,
    });
    Ok(Offer {
        plans: plans.collect(),
        has,
        trial: trial.map(|(plan, days)| Trial {
            plan: plan.form.name,
            minutes: plan.form.monthly_minutes_limit,
            days,
        }),
        refund_days: Some(refund_days).filter(|days| *days > 0),
    })
}
