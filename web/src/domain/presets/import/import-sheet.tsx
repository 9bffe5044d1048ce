/** Imports presets from a file or the clipboard: validated first, then imported. */
import { CircleAlert, FileUp } from "lucide-react";
import { type ChangeEvent, type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { cx } from "@/lib/class-names";
import { parsePresetImport } from "@/rules";
import { MAX_PRESET_IMPORT_BYTES } from "@/rules/constants";
import { type ImportPreview, ImportResult } from "./import-result";
import { type ImportMutation, useImport } from "./use-import";

/** One byte more than the rules allow, so that they refuse larger files without reading them completely. */
const READ_BYTES = MAX_PRESET_IMPORT_BYTES + 1;

interface ImportSheetProps {
  /** Explains what happens with imported presets. */
  text: string;
  /** Sends validated presets to the server. */
  bringIn: ImportMutation;
  onClose: () => void;
}

export function ImportSheet({ text: about, bringIn, onClose }: ImportSheetProps) {
  const { t } = useTranslation("presets");
  const [text, setText] = useState("");
  /** The result of validation; null before it. */
  const [parsed, setParsed] = useState<ImportPreview | null>(null);
  const { run, busy, failure, forgetFailure } = useImport(bringIn, setParsed, onClose);

  const put = (next: string, result: ImportPreview | null) => {
    setText(next);
    setParsed(result);
    forgetFailure();
  };
  const readFile = async (file: File) => {
    const content = await file.slice(0, READ_BYTES).text();
    put(content, parsePresetImport(content));
  };

  return (
    <Sheet
      title={t("import.title")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => put(text, parsePresetImport(text))}>{t("import.validate")}</Button>
          {/* Before validation, it explains what to do first. */}
          <Button
            look="primary"
            busy={busy}
            aria-disabled={!parsed?.presets.length}
            className="aria-disabled:opacity-55"
            onClick={() => run(text, parsed?.presets.length ?? 0)}
          >
            {t("import.submit", { count: parsed?.presets.length ?? 0 })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-[0.9375rem] text-ink-soft">{about}</p>
        <FileChoice onFile={(file) => void readFile(file)} />
        <Field label={t("import.json")}>
          {(wiring) => (
            <textarea
              {...wiring}
              {...INITIAL_FOCUS}
              rows={8}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              className={`${CONTROL} figures h-auto min-h-32 resize-y py-2 text-sm leading-5`}
              placeholder={
                '{\n  "preset_id": "…",\n  "name": "…",\n  "category": "media",\n  "transcription_type": "full",\n  "settings": { … }\n}'
              }
              value={text}
              onChange={(event) => put(event.currentTarget.value, null)}
            />
          )}
        </Field>
        <div aria-live="polite" className="flex flex-col gap-3">
          {failure && (
            <p className="flex items-start gap-2.5 rounded bg-bad-wash px-4 py-3 text-[0.9375rem] text-bad">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
              {failure}
            </p>
          )}
          {parsed && <ImportResult found={parsed} />}
        </div>
      </div>
    </Sheet>
  );
}

function FileChoice({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation("presets");
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    if (file) onFile(file);
    // Lets the same file be chosen again after it was corrected.
    event.currentTarget.value = "";
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button does the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-dashed px-4 py-3 transition-colors",
        over ? "border-accent bg-accent-wash" : "border-edge",
      )}
    >
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        className="sr-only"
        tabIndex={-1}
        aria-hidden="true"
        onChange={choose}
      />
      <Button onClick={() => input.current?.click()}>
        <FileUp aria-hidden="true" />
        {t("import.choose_file")}
      </Button>
      <span className="text-sm text-ink-faint">{t("import.or_drop")}</span>
    </div>
  );
}
