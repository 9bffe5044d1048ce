//! Longest common subsequence of two lists, in time proportional to the number of differences (E.
//! Myers, "An O(ND) Difference Algorithm", 1986).

/// Maximum number of differences. Beyond it nothing between the common prefix and the common suffix
/// counts as equal: such a text was rewritten.
const MAX_DIFFERENCES: usize = 500;

/// Pairs of positions of equal items, ascending in both lists.
pub fn pairs<T: PartialEq>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[prefix..], &b[prefix..]);
    let suffix = rest_a
        .iter()
        .rev()
        .zip(rest_b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let middle_a = &rest_a[..rest_a.len() - suffix];
    let middle_b = &rest_b[..rest_b.len() - suffix];
    let mut pairs: Vec<_> = (0..prefix).map(|at| (at, at)).collect();
    if let Some(between) = shortest(middle_a, middle_b) {
        pairs.extend(between.into_iter().map(|(x, y)| (prefix + x, prefix + y)));
    }
    let (end_a, end_b) = (a.len() - suffix, b.len() - suffix);
    pairs.extend((0..suffix).map(|at| (end_a + at, end_b + at)));
    pairs
}

/// For each number of differences, how far each diagonal reaches in the first list: diagonal `k` is
/// at index `k + differences`; every second index is used.
type FurthestReaching = Vec<usize>;

fn shortest<T: PartialEq>(a: &[T], b: &[T]) -> Option<Vec<(usize, usize)>> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let mut steps: Vec<FurthestReaching> = Vec::new();
    for differences in 0..=(a.len() + b.len()).min(MAX_DIFFERENCES) {
        let mut reach = vec![0; 2 * differences + 1];
        for at in (0..=2 * differences).step_by(2) {
            let mut x = steps.last().map_or(0, |last| advance(last, at));
            // The diagonal is x - y, offset by the number of differences.
            let Some(mut y) = (x + differences).checked_sub(at) else {
                continue;
            };
            while x < a.len() && y < b.len() && a[x] == b[y] {
                x += 1;
                y += 1;
            }
            reach[at] = x;
            if x >= a.len() && y >= b.len() {
                steps.push(reach);
                return Some(walk_back(&steps, a.len(), b.len()));
            }
        }
        steps.push(reach);
    }
    None
}

/// Where the diagonal at `at` starts with one more difference than in `last`: to the right from the
/// diagonal below, or down from the one above, whichever is further.
fn advance(last: &FurthestReaching, at: usize) -> usize {
    let right = at
        .checked_sub(2)
        .and_then(|below| last.get(below))
        .map(|x| x + 1);
    let down = last.get(at).copied();
    right.max(down).unwrap_or(0)
}

fn walk_back(steps: &[FurthestReaching], mut x: usize, mut y: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for differences in (0..steps.len()).rev() {
        let at = x + differences - y;
        let begins = differences
            .checked_sub(1)
            .map_or(0, |before| advance(&steps[before], at));
        while x > begins {
            x -= 1;
            y -= 1;
            found.push((x, y));
        }
        if differences > 0 {
            let last = &steps[differences - 1];
            let from_right = at
                .checked_sub(2)
                .and_then(|below| last.get(below))
                .is_some_and(|before| {
                    before + 1 == begins && last.get(at).is_none_or(|down| *down < begins)
                });
            if from_right {
                x -= 1;
            } else {
                y -= 1;
            }
        }
    }
    found.reverse();
    found
}
