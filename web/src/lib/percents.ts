/** Shares in whole percent that add up to 100: the one way in which shares of a whole are shown anywhere. */

/**
 * The percent of each amount in the sum of all, by the largest remainder: each is rounded down, and what is missing to 100
 * goes to those that lost the most; of equals to the largest, whatever their order. All 0 where there is nothing. Negative amounts count as 0.
 */
export function percentsOf(amounts: readonly number[]): number[] {
  const sound = amounts.map((amount) => (Number.isFinite(amount) ? Math.max(0, amount) : 0));
  const sum = sound.reduce((all, amount) => all + amount, 0);
  if (sum === 0) {
    return sound.map(() => 0);
  }
  const exact = sound.map((amount) => (amount / sum) * 100);
  const percents = exact.map(Math.floor);
  const missing = 100 - percents.reduce((all, percent) => all + percent, 0);
  const byRemainder = exact
    .map((share, at) => ({ at, share, lost: share - Math.floor(share) }))
    .sort((a, b) => b.lost - a.lost || b.share - a.share);
  for (const { at } of byRemainder.slice(0, missing)) {
    percents[at] = (percents[at] ?? 0) + 1;
  }
  return percents;
}
