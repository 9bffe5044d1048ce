//! Sends queued deliveries and trims their log.
//!
//! A delivery is claimed before it is sent (`slovo_db::webhooks::deliveries`), so that only one of
//! several processes sends it. If that process dies, another sends it again: delivery is at least
//! once, and services recognise duplicates by the event's id.

use std::sync::Arc;
use std::time::Duration;

use slovo_db::jobs::workflows::MessageScope;
use slovo_db::plans::ledger;
use slovo_db::webhooks;
use slovo_db::webhooks::deliveries::{self, AttemptResult, Delivery, Lane, Outcome};
use slovo_db::webhooks::services::Service;
use slovo_rules::plan::PlanFeature;
use slovo_rules::webhook::LOG_DAYS;
use tokio::sync::Semaphore;

use super::links::is_active;
use super::{SendResult, Webhooks, schedule};

/// How often to check for due deliveries.
const INTERVAL: Duration = Duration::from_secs(1);
/// Deliveries of each lane that one process sends at a time.
const AT_ONCE: usize = 32;
/// How long a claim lasts, in milliseconds: much longer than the slowest response and storing its
/// outcome.
const CLAIM_MS: i64 = 60_000;
/// How often old deliveries are removed from the log.
const SWEEP_EVERY: Duration = Duration::from_secs(60 * 60);
/// How long a delivery stays in the log, in milliseconds: long enough to investigate problems of
/// the last month.
const RETENTION_MS: i64 = LOG_DAYS * 24 * 60 * 60 * 1000;
/// Maximum number of deliveries kept per service: at some 2 KB each, 40 MB.
const MAX_KEPT: i64 = 20_000;
/// Maximum number of deliveries kept per webhook of a user: everybody may have twenty webhooks.
const MAX_KEPT_OF_USER: i64 = 1_000;
/// Reason code of a service that was disabled because it responded with 410.
const GONE: &str = "gone";
/// Error code of a delivery that is not sent, because the account of the webhook's owner is blocked.
const BLOCKED: &str = "account_blocked";
/// Error code of a delivery that is not sent, because the plan of the webhook's owner does not
/// include the API.
const NOT_IN_PLAN: &str = "api_not_in_plan";

impl Webhooks {
    /// Sends due deliveries of the scope in both lanes, until the server stops.
    pub async fn send_periodically(self, scope: MessageScope) {
        tokio::join!(
            self.send_lane(Lane::Administrators, scope),
            self.send_lane(Lane::Users, scope)
        );
    }

    /// Sends due deliveries of the scope, one after the other, and returns how many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn send_of(&self, scope: MessageScope) -> slovo_db::Result<usize> {
        let mut sent = 0;
        for lane in [Lane::Administrators, Lane::Users] {
            while !self.0.shutdown.is_cancelled()
                && let Some(delivery) = self.claim(lane, scope).await?
            {
                self.deliver(&delivery).await?;
                sent += 1;
            }
        }
        Ok(sent)
    }

    async fn send_lane(&self, lane: Lane, scope: MessageScope) {
        let room = Arc::new(Semaphore::new(AT_ONCE));
        loop {
            if let Err(error) = self.send_due(lane, scope, &room).await {
                tracing::warn!(%error, "due deliveries could not be sent; trying again");
            }
            tokio::select! {
                () = self.0.shutdown.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    /// Claims due deliveries while there are free slots, and sends them in the background.
    async fn send_due(
        &self,
        lane: Lane,
        scope: MessageScope,
        room: &Arc<Semaphore>,
    ) -> slovo_db::Result<()> {
        while !self.0.shutdown.is_cancelled() {
            let Ok(permit) = Arc::clone(room).acquire_owned().await else {
                return Ok(());
            };
            let Some(delivery) = self.claim(lane, scope).await? else {
                return Ok(());
            };
            let webhooks = self.clone();
            self.0.tasks.spawn(async move {
                if let Err(error) = webhooks.deliver(&delivery).await {
                    // The claim expires and it is sent again.
                    tracing::error!(delivery = %delivery.id, %error, "the outcome of a call was not stored");
                }
                drop(permit);
            });
        }
        Ok(())
    }

    /// Claims the next delivery of the scope in a lane that is due.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim(
        &self,
        lane: Lane,
        scope: MessageScope,
    ) -> slovo_db::Result<Option<Delivery>> {
        let now = self.0.clock.now_ms();
        // A read needs no write lock, and mostly nothing is due.
        if !deliveries::any_due(&mut *self.0.db.read().await?, lane, scope, now).await? {
            return Ok(None);
        }
        let lease = self.0.random.uuid();
        let mut transaction = self.0.db.write().await?;
        let claimed =
            deliveries::claim(&mut transaction, lane, scope, &lease, now, now + CLAIM_MS).await?;
        transaction.commit().await?;
        Ok(claimed)
    }

    /// Sends a claimed delivery and stores the outcome.
    ///
    /// # Errors
    /// When the database fails: the claim expires, and it is sent again.
    pub async fn deliver(&self, delivery: &Delivery) -> slovo_db::Result<()> {
        let lease = delivery.lease_id.as_deref().unwrap_or_default();
        let service =
            webhooks::services::find(&mut *self.0.db.read().await?, delivery.service_id).await?;
        // Its deliveries were deleted with it.
        let Some(service) = service else {
            return Ok(());
        };
        if let Some(reason) = self.obstacle(&service).await? {
            let unsent = AttemptResult {
                status: None,
                error: Some(reason),
                latency_ms: 0,
            };
            let (id, now) = (delivery.id, self.0.clock.now_ms());
            let mut transaction = self.0.db.write().await?;
            let given_up = Outcome::Failed;
            deliveries::record_outcome(&mut transaction, id, lease, given_up, unsent, now).await?;
            return transaction.commit().await;
        }
        let message = self.message(delivery);
        let sent = tokio::select! {
            sent = self.send(&service, &message) => sent,
            () = self.0.shutdown.cancelled() => {
                let mut transaction = self.0.db.write().await?;
                let now = self.0.clock.now_ms();
                deliveries::release(&mut transaction, delivery.id, lease, now).await?;
                return transaction.commit().await;
            }
        };
        let now = self.0.clock.now_ms();
        let outcome = outcome(delivery, &sent, now);
        slovo_platform::metrics::webhook(match outcome {
            Outcome::Delivered => "delivered",
            Outcome::Retry(_) => "retry",
            Outcome::Failed => "failed",
        });
        tracing::info!(delivery = %delivery.id, service = %service.id, event = delivery.event_type,
        attempt = delivery.attempts, status = sent.attempt_result.status, error = sent.attempt_result.error,
        milliseconds = sent.attempt_result.latency_ms, ?outcome, "webhook call");
        let mut transaction = self.0.db.write().await?;
        let attempt_result = sent.attempt_result;
        let still_leased = deliveries::record_outcome(
            &mut transaction,
            delivery.id,
            lease,
            outcome,
            attempt_result,
            now,
        )
        .await?;
        if still_leased && sent.is_gone {
            tracing::warn!(service = %service.id, "the service is disabled: it responded with 410");
            webhooks::services::disable(&mut transaction, service.id, GONE, now).await?;
            if service.subscription.is_some() {
                deliveries::give_up(&mut transaction, service.id, GONE, now).await?;
            }
        }
        transaction.commit().await
    }

    /// Why nothing is sent to a webhook: its owner is blocked, or has a plan without the API. Services
    /// of administrators have no owner.
    async fn obstacle(&self, service: &Service) -> slovo_db::Result<Option<&'static str>> {
        let Some(subscription) = &service.subscription else {
            return Ok(None);
        };
        let mut connection = self.0.db.read().await?;
        if !is_active(&mut connection, &subscription.owner).await? {
            return Ok(Some(BLOCKED));
        }
        let now = self.0.clock.now_ms();
        let balance = ledger::read_balance(&mut connection, &subscription.owner, now).await?;
        Ok((!balance.has(PlanFeature::Api)).then_some(NOT_IN_PLAN))
    }

    /// Periodically removes old deliveries from the log, until the server stops.
    pub async fn sweep_periodically(self) {
        loop {
            match self.sweep().await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "old deliveries removed"),
                Err(error) => tracing::warn!(%error, "the log of deliveries could not be cleared"),
            }
            tokio::select! {
                () = self.0.shutdown.cancelled() => return,
                () = tokio::time::sleep(SWEEP_EVERY) => {}
            }
        }
    }

    /// Removes deliveries that are too old or above the limit, and returns how many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sweep(&self) -> slovo_db::Result<u64> {
        let before = self.0.clock.now_ms() - RETENTION_MS;
        let mut transaction = self.0.db.write().await?;
        let mut removed = deliveries::delete_old(&mut transaction, before).await?;
        for (lane, max) in [
            (Lane::Administrators, MAX_KEPT),
            (Lane::Users, MAX_KEPT_OF_USER),
        ] {
            removed += deliveries::delete_over_limit(&mut transaction, lane, max).await?;
        }
        transaction.commit().await?;
        Ok(removed)
    }
}

fn outcome(delivery: &Delivery, sent: &SendResult, now: i64) -> Outcome {
    if sent.attempt_result.error.is_none() {
        return Outcome::Delivered;
    }
    if sent.is_gone {
        return Outcome::Failed;
    }
    let pause = schedule::pause_ms(delivery.step, sent.retry_after);
    pause.map_or(Outcome::Failed, |pause| Outcome::Retry(now + pause))
}
