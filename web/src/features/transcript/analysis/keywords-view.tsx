/** Keywords of the text; each opens the search with it. */
import { useTranslation } from "react-i18next";
import type { Keywords } from "@/api/analysis";
import { useAnalysis } from "./analysis-context";

export function KeywordsView({ keywords: { keywords } }: { keywords: Keywords }) {
  const { t } = useTranslation("analysis");
  const { workspace } = useAnalysis();
  if (keywords.length === 0) {
    return <p className="text-ink-soft">{t("keywords.empty")}</p>;
  }
  return (
    <>
      <ul lang={workspace.language} className="flex flex-wrap gap-1.5">
        {keywords.map(({ text, count }) => (
          <li key={text} className="min-w-0">
            <button
              type="button"
              aria-label={t("keywords.chip", { word: text, count })}
              onClick={() => {
                workspace.setSearch({ query: text, speaker: "", language: "" });
                workspace.open("search");
              }}
              className="flex min-h-8 max-w-full items-center gap-2 rounded border border-rule-strong bg-paper-raised px-2.5 text-[0.9375rem] hover:border-edge hover:bg-paper-sunk pointer-coarse:min-h-11"
            >
              {/* Without the space, both would be one word, which the label does not contain. */}
              <span className="min-w-0 truncate">{text}</span> <span className="figures text-xs text-ink-faint">{count}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-ink-faint">{t("keywords.hint")}</p>
    </>
  );
}
