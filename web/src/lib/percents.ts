/** Shares in whole percent that add up to 100; used wherever shares are shown. */

/**
 * Rounds by the largest remainder method: all shares are rounded down, and the missing points go to those with the largest
 * remainders, on a tie to the larger amount. Negative amounts count as 0; all shares are 0 if the sum is 0.
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
