/** Whether the charts of these days would show anything. */
import type { Overview } from "@/api/admin-overview";

export const hasFigures = ({ days, failures }: Pick<Overview, "days" | "failures">): boolean =>
  failures.length > 0 || days.some(({ day: _, ...figures }) => Object.values(figures).some((figure) => (figure ?? 0) > 0));
