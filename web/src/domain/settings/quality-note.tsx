/** Warnings about the quality of the text, beside the settings that cause them, each with what helps. */
import { Info } from "lucide-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Notice } from "@/api";
import { BetterModel } from "@/components/better-model";
import { Button } from "@/components/button";
import { useWarningText } from "@/hooks/use-error-text";
import { useFields } from "./fields-context";
import { withEnglish } from "./with-english";

export function QualityNote({ codes }: { codes: readonly string[] }) {
  const { warnings } = useFields();
  const told = warnings.filter(({ code }) => codes.includes(code));
  return (
    // Always there, so that screen readers announce what comes into it.
    <div role="status">
      {told.length > 0 && (
        // Its translations are loaded only if needed; the form does not wait for them.
        <Suspense fallback={null}>
          <ul className="mt-2 flex flex-col gap-3 rounded bg-note-wash px-3.5 py-2.5 text-sm">
            {told.map((warning) => (
              <Warning key={warning.code} warning={warning} />
            ))}
          </ul>
        </Suspense>
      )}
    </div>
  );
}

function Warning({ warning }: { warning: Notice }) {
  const warningText = useWarningText();
  const { better } = warning.params;
  return (
    <li className="flex gap-2.5">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-note" />
      <div className="flex min-w-0 flex-col items-start gap-1.5 text-pretty wrap-anywhere">
        <p>{warningText(warning)}</p>
        <Help warning={warning} />
        {typeof better === "string" && <BetterModel model={better} />}
      </div>
    </li>
  );
}

/** The change of the settings that helps, if there is one. */
function Help({ warning }: { warning: Notice }) {
  const { t } = useTranslation("quality");
  const { settings, change, useFull, lacks, notInPlan } = useFields();
  if (warning.code === "lite_not_english") {
    return (
      <Button size="small" onClick={useFull}>
        {t("useFull")}
      </Button>
    );
  }
  if (warning.code !== "translation_unsuitable" || lacks("llm_translation") || notInPlan("llm_translation")) return null;
  return (
    <Button size="small" onClick={() => change({ translate: "", llm_translation: withEnglish(settings.llm_translation) })}>
      {t("translateText")}
    </Button>
  );
}
