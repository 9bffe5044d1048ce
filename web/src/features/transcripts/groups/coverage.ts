/** For how many of several rows something is true. */
export type Coverage = "all" | "some" | "none";

export function coverage<Row>(rows: readonly Row[], holds: (row: Row) => boolean): Coverage {
  const count = rows.filter(holds).length;
  return count === 0 ? "none" : count === rows.length ? "all" : "some";
}
