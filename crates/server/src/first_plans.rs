//! The plans that a new server begins with: Starter, Professional and Enterprise, and what holds
//! without a plan beside them (Demo).
//!
//! They are made once, when an empty server is first started, and are the administrator's from then
//! on: what they change or delete stays changed or deleted. A server that has accounts or plans
//! already is left as it is.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use slovo_db::plans::ledger::DEMO_OF_EDITION;
use slovo_db::site::server_settings;
use slovo_db::{Connection, accounts, plans};
use slovo_rules::limits::{REFUND_DAYS, TRIAL_DAYS};
use slovo_rules::plan::{self, DemoPlan, Tier};
use uuid::Uuid;

use crate::edition::{Edition, edition};
use crate::state::AppState;
use crate::trials::{self, PlanTerms};

/// Key of [`FirstPlans`] among the server's settings.
const KEY: &str = "first_plans";

/// What the first start has made. Empty on a server that had accounts or plans before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FirstPlans {
    /// Which plans the tiers of the price list are. Those that were deleted are still named.
    pub tiers: Vec<(Tier, Uuid)>,
}

impl FirstPlans {
    /// The plan that is a tier.
    pub fn id(&self, tier: Tier) -> Option<Uuid> {
        let mut tiers = self.tiers.iter();
        tiers.find_map(|(one, id)| (*one == tier).then_some(*id))
    }

    /// The tier that a plan is.
    pub fn tier(&self, id: Uuid) -> Option<Tier> {
        let mut tiers = self.tiers.iter();
        tiers.find_map(|(tier, one)| (*one == id).then_some(*tier))
    }
}

/// What the first start has made; `None` before it.
///
/// # Errors
/// When the database fails.
pub async fn read(connection: &mut Connection) -> slovo_db::Result<Option<FirstPlans>> {
    server_settings::get(connection, KEY).await
}

/// Makes the plans if this server has not been started before. Of several processes one does.
///
/// # Errors
/// When the database fails.
pub async fn make(state: &AppState) -> Result<()> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    if read(&mut transaction).await?.is_some() {
        return Ok(());
    }
    let is_new =
        !accounts::any(&mut transaction).await? && plans::list(&mut transaction).await?.is_empty();
    let mut first = FirstPlans::default();
    if is_new {
        for tier in Tier::ALL {
            first.tiers.push((*tier, state.new_id().parse()?));
        }
    }
    if !server_settings::claim(&mut transaction, KEY, &first, now).await? {
        // Another process was faster.
        return Ok(());
    }
    for (tier, id) in &first.tiers {
        let form = plan::validate(&tier.plan(name(*tier)))
            .ok()
            .with_context(|| format!("the plan {tier} breaks the rules of plans"))?;
        plans::insert(&mut transaction, *id, &form, now).await?;
    }
    if is_new {
        let terms = PlanTerms {
            trial_plan: first.id(Tier::Professional),
            trial_days: TRIAL_DAYS,
            refund_days: REFUND_DAYS,
        };
        trials::set_terms(&mut transaction, &terms, now).await?;
    }
    transaction.commit().await?;
    if is_new {
        tracing::info!("the plans of a new server are made");
    }
    Ok(())
}

/// The plan's name, which is the same in every language.
const fn name(tier: Tier) -> &'static str {
    match tier {
        Tier::Starter => "Starter",
        Tier::Professional => "Professional",
        Tier::Enterprise => "Enterprise",
    }
}

/// Has what holds without a plan follow the edition, as long as no administrator has said what
/// does: little beside plans that are sold, everything in an organisation, whose trials end, too.
///
/// # Errors
/// When the database fails.
pub async fn follow_edition(state: &AppState) -> slovo_db::Result<()> {
    let mut connection = state.db.read().await?;
    let first = read(&mut connection).await?.unwrap_or_default();
    if first.tiers.is_empty() {
        return Ok(());
    }
    let edition = edition(state, &mut connection).await?;
    let wanted = match edition {
        Edition::Service => DemoPlan::beside_sold_plans(),
        Edition::Organisation => DemoPlan::default(),
    };
    let present: Option<DemoPlan> = server_settings::get(&mut connection, DEMO_OF_EDITION).await?;
    drop(connection);
    if present.as_ref() != Some(&wanted) {
        let mut transaction = state.db.write().await?;
        let now = state.clock.now_ms();
        server_settings::set(&mut transaction, DEMO_OF_EDITION, &wanted, now).await?;
        transaction.commit().await?;
    }
    Ok(())
}
