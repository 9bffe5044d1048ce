//! Who comes first: the priority of plans, and the shares of accounts.

use temporalio_common::Priority;

/// Tasks of the lowest plan have this priority at Temporal, where 1 is the highest.
const LOWEST_PRIORITY: i64 = 4;

/// The priority of a plan's tasks, and an account's share in it.
pub(crate) fn priority(plan: i64, account: Option<String>) -> Priority {
    let key = (LOWEST_PRIORITY - plan).clamp(1, LOWEST_PRIORITY);
    let mut priority = Priority::default();
    priority.priority_key = u32::try_from(key).ok();
    priority.fairness_weight = account.is_some().then(|| weight(plan));
    priority.fairness_key = account;
    priority
}

/// An account of the next higher plan has as many turns more as one of the lowest has.
#[expect(clippy::cast_precision_loss, reason = "priorities are small")]
fn weight(plan: i64) -> f32 {
    (plan.max(0) + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_plans_come_first_and_have_more_turns() {
        let of = |plan| priority(plan, Some("a".to_owned()));
        assert_eq!(of(0).priority_key, Some(4));
        assert_eq!(of(2).priority_key, Some(2));
        assert_eq!(of(9).priority_key, Some(1));
        assert_eq!(of(2).fairness_weight, Some(3.0));
        assert_eq!(of(-1).fairness_weight, Some(1.0));
        assert_eq!(priority(1, None).fairness_weight, None);
    }
}
