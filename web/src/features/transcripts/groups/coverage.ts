/** How many of some rows something is true of. */
export type Coverage = "all" | "some" | "none";

export function coverage<Row>(rows: readonly Row[], holds: (row: Row) => boolean): Coverage {
  const count = rows.filter(holds).length;
  return count === 0 ? "none" : count === rows.length ? "all" : "some";
}
