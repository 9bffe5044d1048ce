/** `12 / 200`: the used part of a limit. */
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatNumber } from "@/lib/format";

export function Counter({ value, max }: { value: number; max: number }) {
  const locale = useLocale();
  const over = value > max;
  return (
    <span className={cx("figures shrink-0 whitespace-nowrap", over && "font-strong text-bad")}>
      {formatNumber(value, locale)}
      {` / ${formatNumber(max, locale)}`}
    </span>
  );
}
