/**
 * A chart of daily values: stacked bars or lines. For screen readers it is one image with a sentence as description; a
 * button shows the same values as a table. Everything is positioned in percent, so nothing has to be measured.
 */
import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { formatDay } from "@/lib/format";
import { labelledDays, scaleEnd } from "./scale";

interface Series {
  name: string;
  /** A CSS variable: `var(--good)`. */
  colour: string;
  /** One value per day; null for no value. */
  values: readonly (number | null)[];
}

interface DayChartProps {
  title: string;
  /** A short summary: the sum, or the newest value. */
  summary: string;
  /** `2026-11-22`, the oldest first. */
  days: readonly string[];
  series: readonly Series[];
  look: "bars" | "lines";
  format: (value: number) => string;
  /** Minimum of the scale's upper end. */
  least?: number;
}

const HEIGHT = 140;

export function DayChart({ title, summary, days, series, look, format, least = 2 }: DayChartProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const id = useId();
  // Noon, so that no time zone shifts it to another day.
  const dated = (day: string) => formatDay(`${day}T12:00`, locale);
  const sums = days.map((_, at) => series.reduce((sum, entry) => sum + (entry.values[at] ?? 0), 0));
  const highest = scaleEnd(look === "bars" ? sums : series.flatMap(({ values }) => values.map((value) => value ?? 0)), least);
  const Marks = look === "bars" ? Bars : Lines;
  return (
    <figure className="min-w-0 border-t border-rule-strong pt-3" aria-labelledby={id}>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="font-strong">
          {title}
        </h3>
        <p className="text-sm text-ink-soft">{summary}</p>
      </figcaption>
      {series.length > 1 && (
        <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
          {series.map(({ name, colour }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span aria-hidden="true" className="size-2.5 rounded-sm" style={{ background: colour }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div aria-hidden="true" className="figures relative text-right text-xs text-ink-faint" style={{ height: HEIGHT }}>
          {/* The widest label reserves the space for all. */}
          <span className="invisible">{format(highest)}</span>
          {[1, 0.5, 0].map((share) => (
            <span key={share} className="absolute right-0 -translate-y-1/2" style={{ top: HEIGHT * (1 - share) }}>
              {format(highest * share)}
            </span>
          ))}
        </div>
        <svg role="img" aria-label={`${title}: ${summary}`} className="w-full overflow-visible" height={HEIGHT}>
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2="100%"
              y1={HEIGHT * (1 - share)}
              y2={HEIGHT * (1 - share)}
              stroke={share === 0 ? "var(--edge)" : "var(--rule)"}
            />
          ))}
          <Marks days={days} series={series} highest={highest} describe={(at, entry) => tell(at, entry)} />
        </svg>
        <span />
        <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-faint">
          {labelledDays(days.length).map((at) => (
            <span key={at}>{dated(days[at] ?? "")}</span>
          ))}
        </div>
      </div>
      <details className="group mt-2 text-sm">
        <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1 rounded text-ink-soft hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
          {t("chart.table")}
          <span className="sr-only">: {title}</span>
          <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
        </summary>
        <Table title={title} days={days} series={series} dated={dated} format={format} />
      </details>
    </figure>
  );

  function tell(at: number, { name, values }: Series): string {
    const value = values[at];
    return `${dated(days[at] ?? "")} · ${name}: ${value == null ? "—" : format(value)}`;
  }
}

interface MarksProps {
  days: readonly string[];
  series: readonly Series[];
  highest: number;
  /** The tooltip of a mark. */
  describe: (at: number, series: Series) => string;
}

function Bars({ days, series, highest, describe }: MarksProps) {
  const width = 100 / days.length;
  return days.map((day, at) => {
    let under = 0;
    return series.map((entry) => {
      const value = entry.values[at] ?? 0;
      const height = (value / highest) * HEIGHT;
      under += height;
      return (
        value > 0 && (
          <rect
            key={`${day} ${entry.name}`}
            x={`${at * width + width * 0.12}%`}
            width={`${width * 0.76}%`}
            y={HEIGHT - under}
            // Small values must remain visible.
            height={Math.max(1.5, height)}
            fill={entry.colour}
          >
            <title>{describe(at, entry)}</title>
          </rect>
        )
      );
    });
  });
}

function Lines({ days, series, highest, describe }: MarksProps) {
  const x = (at: number) => `${((at + 0.5) * 100) / days.length}%`;
  const y = (value: number) => HEIGHT * (1 - value / highest);
  return series.map((entry) =>
    days.map((day, at) => {
      const value = entry.values[at];
      if (value == null) return null;
      const before = entry.values[at - 1];
      return (
        <g key={`${day} ${entry.name}`}>
          {before != null && (
            <line x1={x(at - 1)} y1={y(before)} x2={x(at)} y2={y(value)} stroke={entry.colour} strokeWidth={2} />
          )}
          <circle cx={x(at)} cy={y(value)} r={3} fill={entry.colour}>
            <title>{describe(at, entry)}</title>
          </circle>
        </g>
      );
    }),
  );
}

interface TableProps extends Pick<DayChartProps, "title" | "days" | "series" | "format"> {
  dated: (day: string) => string;
}

/** The newest day first; days without values are left out. */
function Table({ title, days, series, dated, format }: TableProps) {
  const { t } = useTranslation();
  const rows = days.map((day, at) => ({ day, cells: series.map(({ values }) => values[at] ?? null) })).reverse();
  const filledRows = rows.filter(({ cells }) => cells.some((cell) => cell));
  if (filledRows.length === 0) return <p className="py-2 text-ink-faint">{t("chart.nothing")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region without controls must be scrollable by keyboard
    <section tabIndex={0} aria-label={title} className="max-h-64 overflow-auto">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-rule-strong">
            <th scope="col" className="py-1 pr-3 font-strong">
              {t("chart.day")}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="px-2 py-1 text-right font-strong last:pr-0">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filledRows.map(({ day, cells }) => (
            <tr key={day} className="border-b border-rule">
              <th scope="row" className="py-1 pr-3 font-normal whitespace-nowrap">
                {dated(day)}
              </th>
              {series.map(({ name }, at) => {
                const cell = cells[at];
                return (
                  <td key={name} className="figures px-2 py-1 text-right last:pr-0">
                    {cell == null ? "—" : format(cell)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
