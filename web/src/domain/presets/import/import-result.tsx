/** The result of validating a pasted import: the presets, or the violations. */
import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { BrokenRule } from "@/hooks/use-violation-text";
import type { ImportedPreset } from "@/rules";
import { placeOf, useImportFault } from "./import-text";

export interface ImportPreview {
  /** Empty if there are violations. */
  presets: readonly ImportedPreset[];
  violations: readonly BrokenRule[];
}

export function ImportResult({ found: { presets, violations } }: { found: ImportPreview }) {
  return violations.length > 0 ? <Faults violations={violations} /> : <Presets presets={presets} />;
}

/** The text as a whole is invalid, not a single preset. */
const isNoJson = ({ field, code }: BrokenRule): boolean => code === "preset_json_invalid" && placeOf(field).number === null;

function Faults({ violations }: { violations: readonly BrokenRule[] }) {
  const { t } = useTranslation("presets");
  const fault = useImportFault();
  return (
    <div className="rounded bg-bad-wash px-4 py-3 text-[0.9375rem]">
      <p className="flex items-start gap-2 font-strong text-bad">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
        {t(violations.some(isNoJson) ? "import.parse_failed" : "import.faults")}
      </p>
      <ul className="mt-1.5 flex max-h-60 flex-col gap-1 overflow-y-auto pl-6.5">
        {violations.map((violation) => (
          <li key={`${violation.field} ${violation.code}`} className="wrap-anywhere">
            {fault(violation)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Presets({ presets }: { presets: readonly ImportedPreset[] }) {
  const { t } = useTranslation(["presets", "rules"]);
  return (
    <div>
      <p className="flex items-start gap-2 text-[0.9375rem] font-strong text-good">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
        {t("import.validated", { count: presets.length })}
      </p>
      <ul className="mt-2 divide-y divide-rule border-y border-rule text-[0.9375rem]">
        {presets.map(({ preset_id, name, category, settings }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two of a file may have the same id, and the list is replaced as a whole
          <li key={`${preset_id} ${position}`} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="text-ink-faint">
              {t(`rules:preset_category.${category}`)} · {t(`mode.${settings.transcription_type ?? "full"}`)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
