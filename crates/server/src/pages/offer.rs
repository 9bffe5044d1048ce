//! The price list, from the current plans.

use std::sync::{Mutex, MutexGuard, PoisonError};

use slovo_accounts::plans::edition::Edition;
use slovo_accounts::plans::terms;
use slovo_accounts::plans::{first_plans, trials};
use slovo_app::capabilities;
use slovo_app::state::AppState;
use slovo_db::plans;
use slovo_site::{Offer, PricedPlan, Trial};

/// How long the price list is cached, in milliseconds.
const CACHE_TTL_MS: i64 = 2000;

/// The cached price list, its edition and time.
#[derive(Default)]
pub(super) struct Offers(Mutex<Option<(Offer, Edition, i64)>>);

impl Offers {
    /// The price list of this edition, at most two seconds old.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn of(&self, state: &AppState, edition: Edition) -> slovo_db::Result<Offer> {
        let now = state.clock.now_ms();
        let is_fresh = |read_at: i64| (0..CACHE_TTL_MS).contains(&(now - read_at));
        if let Some((offer, cached_edition, read_at)) = &*self.cached()
            && *cached_edition == edition
            && is_fresh(*read_at)
        {
            return Ok(offer.clone());
        }
        let offer = read(state, edition).await?;
        *self.cached() = Some((offer.clone(), edition, now));
        Ok(offer)
    }

    fn cached(&self) -> MutexGuard<'_, Option<(Offer, Edition, i64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The current price list; before the first start has created plans, the default one.
async fn read(state: &AppState, edition: Edition) -> slovo_db::Result<Offer> {
    let has = capabilities::plan_features(&state.analyses.engines());
    let mut connection = state.db.read().await?;
    let Some(first) = first_plans::read(&mut connection).await? else {
        return Ok(Offer {
            has,
            ..Offer::default()
        });
    };
    if edition == Edition::Organisation {
        return Ok(Offer {
            plans: Vec::new(),
            has,
            trial: None,
            refund_days: None,
        });
    }
    let refund_days = terms::terms(&mut connection).await?.refund_days;
    let trial = trials::offered(state.config.edition, &mut connection).await?;
    let mut plans = plans::list(&mut connection).await?;
    plans.retain(|plan| plan.form.is_active);
    plans.sort_by(|left, right| left.form.price.total_cmp(&right.form.price));
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
