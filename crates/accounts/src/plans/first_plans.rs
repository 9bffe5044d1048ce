//! The plans of a new server: Starter, Professional and Enterprise, and the limits without a plan
//! (Demo).
//!
//! They are created once, when an empty server is first started, and belong to the administrator
//! from then on: changes and deletions are kept. A server that already has accounts or plans is
//! left unchanged.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use slovo_db::plans::ledger::DEMO_OF_EDITION;
use slovo_db::site::server_settings;
use slovo_db::{Connection, accounts, plans};
use slovo_rules::limits::{REFUND_DAYS, TRIAL_DAYS};
use slovo_rules::plan::{self, DemoPlan, Tier};
use uuid::Uuid;

use super::Parts;
use super::edition::{Edition, edition};
use super::terms::{self, PlanTerms};

/// Key of [`FirstPlans`] among the server's settings.
const KEY: &str = "first_plans";

/// What the first start has created. Empty on a server that had accounts or plans before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FirstPlans {
    /// The plans of the price list's tiers. Deleted ones are still listed.
    pub tiers: Vec<(Tier, Uuid)>,
}

impl FirstPlans {
    /// The plan of a tier.
    pub fn id(&self, tier: Tier) -> Option<Uuid> {
        let mut tiers = self.tiers.iter();
        tiers.find_map(|(candidate, id)| (*candidate == tier).then_some(*id))
    }

    /// The tier of a plan.
    pub fn tier(&self, id: Uuid) -> Option<Tier> {
        let mut tiers = self.tiers.iter();
        tiers.find_map(|(tier, candidate)| (*candidate == id).then_some(*tier))
    }
}

/// What the first start has created; `None` before it.
///
/// # Errors
/// When the database fails.
pub async fn read(connection: &mut Connection) -> slovo_db::Result<Option<FirstPlans>> {
    server_settings::get(connection, KEY).await
}

/// Creates the plans on the first start. Only one of several processes does.
///
/// # Errors
/// When the database fails.
pub async fn make(parts: &Parts) -> Result<()> {
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    if read(&mut transaction).await?.is_some() {
        return Ok(());
    }
    let is_new =
        !accounts::any(&mut transaction).await? && plans::list(&mut transaction).await?.is_empty();
    let mut first = FirstPlans::default();
    if is_new {
        for tier in Tier::ALL {
            first
                .tiers
                .push((*tier, parts.random.uuid_at(now).parse()?));
        }
    }
    if !server_settings::claim(&mut transaction, KEY, &first, now).await? {
        // Another process has created them first.
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
        terms::set_terms(&mut transaction, &terms, now).await?;
    }
    transaction.commit().await?;
    if is_new {
        tracing::info!("the plans of a new server have been created");
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

/// Adapts the limits without a plan to the edition, unless an administrator has set them: few
/// features beside plans that are sold, all features in an organisation, where trials end as well.
///
/// # Errors
/// When the database fails.
pub async fn follow_edition(parts: &Parts) -> slovo_db::Result<()> {
    let mut connection = parts.db.read().await?;
    let first = read(&mut connection).await?.unwrap_or_default();
    if first.tiers.is_empty() {
        return Ok(());
    }
    let edition = edition(parts.edition, &mut connection).await?;
    let expected = match edition {
        Edition::Service => DemoPlan::for_paid_service(),
        Edition::Organisation => DemoPlan::default(),
    };
    let stored: Option<DemoPlan> = server_settings::get(&mut connection, DEMO_OF_EDITION).await?;
    drop(connection);
    if stored.as_ref() != Some(&expected) {
        let mut transaction = parts.db.write().await?;
        let now = parts.clock.now_ms();
        server_settings::set(&mut transaction, DEMO_OF_EDITION, &expected, now).await?;
        transaction.commit().await?;
    }
    Ok(())
}
