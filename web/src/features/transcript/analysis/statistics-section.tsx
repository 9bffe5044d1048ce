/** Statistics of each speaker, computed from the times of the words without any model. */
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { speakerColour, speakerName, speakerSign } from "@/domain/transcript/speakers";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatNumber, formatPercent } from "@/lib/format";
import { percentsOf } from "@/lib/percents";
import { useAnalysis } from "./analysis-context";
import { Section } from "./part-section";

const NUMBER = "figures px-2 py-2 text-right text-sm whitespace-nowrap last:pr-0";
/** The name stays visible while the figures are scrolled on a narrow page. */
const STAYS = "sticky left-0 z-1 bg-paper";

export function StatisticsSection() {
  const { t } = useTranslation("analysis");
  const locale = useLocale();
  const { view, workspace } = useAnalysis();
  const speakers = useStore(workspace.document, (state) => state.speakers);
  // The server names a speaker as the page does; a speaker without a name by the id.
  const speakerOf = (name: string) => speakers.find((speaker) => speaker.id === name || speakerName(speaker) === name);
  const rows = view.statistics.speakers;
  // As beside the text: whole percent of what is spoken in all.
  const percents = percentsOf(rows.map(({ talk_time }) => talk_time));
  if (rows.length === 0) {
    return null;
  }
  const heads = ["time", "share", "words", "pace", "turns", "longest", "interruptions"] as const;
  return (
    <Section title={t("statistics.title")} testId="statistics">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow page it is scrolled by the keyboard */}
      <section tabIndex={0} aria-label={t("statistics.title")} className="overflow-x-auto outline-offset-2">
        <table className="w-full min-w-[40rem] text-left">
          <thead className="text-xs text-ink-faint">
            <tr className="border-b border-rule-strong">
              <th scope="col" className={`${STAYS} py-1.5 pr-2 align-bottom font-normal`}>
                {t("statistics.speaker")}
              </th>
              {heads.map((head) => (
                <th key={head} scope="col" className="px-2 py-1.5 text-right align-bottom font-normal last:pr-0">
                  {t(`statistics.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.speaker ?? ""} className="border-b border-rule">
                <th scope="row" className={`${STAYS} max-w-40 py-2 pr-2 text-left font-normal`}>
                  <Speaker name={row.speaker ?? null} id={(row.speaker && speakerOf(row.speaker)?.id) || null} />
                </th>
                <td className={NUMBER}>{formatClock(row.talk_time)}</td>
                <td className={NUMBER}>
                  <span className="flex items-center justify-end gap-2">
                    <span aria-hidden="true" className="h-1.5 w-14 overflow-hidden rounded-full bg-paper-sunk">
                      <span
                        className="own-colour block h-full rounded-full"
                        style={{
                          width: `${percents[at] ?? 0}%`,
                          background: speakerColour((row.speaker && speakerOf(row.speaker)?.id) || ""),
                        }}
                      />
                    </span>
                    {formatPercent(percents[at] ?? 0, locale)}
                  </span>
                </td>
                <td className={NUMBER}>{formatNumber(row.words, locale)}</td>
                <td className={NUMBER}>{formatNumber(row.words_a_minute, locale)}</td>
                <td className={NUMBER}>{formatNumber(row.turns, locale)}</td>
                <td className={NUMBER}>{formatClock(row.longest_turn)}</td>
                <td className={NUMBER}>{formatNumber(row.interruptions, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="mt-2 text-sm text-ink-faint">{t("statistics.hint")}</p>
    </Section>
  );
}

function Speaker({ name, id }: { name: string | null; id: string | null }) {
  const { t } = useTranslation("analysis");
  if (name === null) {
    return <span className="text-sm text-ink-soft">{t("statistics.nobody")}</span>;
  }
  const displayName = name === id ? speakerSign(id) : name;
  return <SpeakerLabel id={id ?? ""} name={displayName} className="max-w-full" />;
}
