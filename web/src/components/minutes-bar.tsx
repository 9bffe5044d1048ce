/** The used part of the month's minutes; reserved minutes are paler. Without a limit the bar stays empty. */
interface MinutesBarProps {
  /** Accessible name of the bar. */
  label: string;
  /** Its values as text. */
  text: string;
  /** Includes the reserved ones. */
  used: number;
  reserved: number;
  limit: number | null;
}

export function MinutesBar({ label, text, used, reserved, limit }: MinutesBarProps) {
  const shares = sharesOf(used, reserved, limit);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit === null ? 100 : Math.max(limit, 0)}
      aria-valuenow={limit === null ? 0 : Math.max(0, Math.min(used, limit))}
      aria-valuetext={text}
      className="flex h-1.5 overflow-hidden rounded-sm bg-rule"
    >
      <div className="h-full bg-accent" style={{ width: `${shares.settled}%` }} />
      <div className="h-full bg-accent/50 forced-colors:bg-[GrayText]" style={{ width: `${shares.reserved}%` }} />
    </div>
  );
}

/** In percent of the bar; a limit of zero counts as used up. */
export function sharesOf(used: number, reserved: number, limit: number | null): { settled: number; reserved: number } {
  if (limit === null) return { settled: 0, reserved: 0 };
  if (limit <= 0) return { settled: 100, reserved: 0 };
  const percent = (minutes: number) => Math.min(100, Math.max(0, (minutes / limit) * 100));
  const settled = percent(used - reserved);
  return { settled, reserved: Math.min(percent(reserved), 100 - settled) };
}
