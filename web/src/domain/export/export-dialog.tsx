/** Asks for the format of an export and downloads it: one file, or an archive of several. */
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { docxTemplateQuery } from "@/api/docx-template";
import {
  type ExportFormat,
  type ExportLayout,
  fetchExport,
  fetchExports,
  hasAnnotations,
  hasWordTimes,
  isProse,
  isSubtitles,
} from "@/api/exports";
import { subscriptionQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { FormAlert } from "@/components/form-alert";
import { NotInPlan } from "@/components/not-in-plan";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import type { NamedSpeaker } from "@/domain/transcript/speakers";
import { useErrorText } from "@/hooks/use-error-text";
import { saveBlob } from "@/lib/save-file";
import { EXPORT_FORMATS } from "@/rules/constants";
import {
  allowedFormat,
  type ExportChoice,
  layoutOf,
  offeredLayouts,
  readExportChoice,
  requestedLayout,
  storeExportChoice,
} from "./export-choice";
import { OwnTemplate } from "./own-template";
import { requestedLimits, wrongFigures } from "./subtitle-choice";
import { SubtitleLimits } from "./subtitle-limits";
import { InterviewerSelect, TextLayout } from "./text-layout";
import { TimesOfSeveral } from "./times-of-several";
import { TwoLanguages } from "./two-languages";

export interface RequestedTimes {
  timestamps: boolean;
  words: boolean;
}

interface ExportDialogProps {
  /** At most 100; several are exported as an archive. */
  jobs: readonly string[];
  /** File name if the server sends none. */
  name?: string;
  /** The run; by default the one that is shown. */
  version?: number;
  /** False: the text has no speakers, so speaker options are hidden. */
  hasSpeakers?: boolean;
  /** The speakers of the text; absent for several texts. */
  speakers?: readonly NamedSpeaker[];
  /** The times in the transcription's settings; absent for several texts. */
  asked?: RequestedTimes;
  /** Languages into which the subtitles have been translated. */
  translations?: readonly string[];
  /** False: the text is another user's, so bookmark options are hidden. */
  own?: boolean;
  /** Called before the export: saves pending edits. */
  before?: () => Promise<void>;
  onClose: () => void;
}

export function ExportDialog({
  jobs,
  name = "Slovo",
  version,
  hasSpeakers = true,
  speakers = [],
  asked,
  translations = [],
  own = true,
  before,
  onClose,
}: ExportDialogProps) {
  const { t } = useTranslation(["sharing", "common"]);
  const errorText = useErrorText();
  const [saved, setOptions] = useState(readExportChoice);
  const { data: subscription } = useQuery(subscriptionQuery());
  const allowed = subscription?.export_formats;
  const options = { ...saved, format: allowedFormat(saved.format, allowed) };
  // Undefined: not known yet; then the server decides.
  const { data: template } = useQuery(docxTemplateQuery());
  const inTemplate = options.format === "docx" && template !== null && saved.template === true;
  const [asks, setAsks] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [only] = jobs;
  const many = jobs.length > 1;

  const change = (part: Partial<ExportChoice>) => {
    const next = { ...saved, ...part };
    setOptions(next);
    setError(null);
    storeExportChoice(next);
  };

  const wrong = isSubtitles(options.format) && wrongFigures(options.limits).size > 0;

  const download = async () => {
    const { limits, layout: _, template: __, ...rest } = options;
    const requested = isSubtitles(rest.format)
      ? { ...rest, subtitles: requestedLimits(limits) }
      : { ...rest, ...requestedLayout(options, hasSpeakers, asks), ...(inTemplate && { template: true }) };
    setBusy(true);
    setError(null);
    try {
      await before?.();
      const { blob, filename } =
        many || only === undefined ? await fetchExports(jobs, requested) : await fetchExport(only, requested, version);
      saveBlob(blob, filename ?? `${name}.${many ? "zip" : options.format}`);
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Sheet
      title={many ? t("sharing:export.titleMany", { count: jobs.length }) : t("sharing:export.title")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
          <Button look="primary" busy={busy} disabled={wrong} onClick={() => void download()}>
            <Download aria-hidden="true" />
            {t("sharing:export.download")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {error !== null && <FormAlert text={`${t("sharing:export.failed")}. ${errorText(error)}`} />}
        <Formats value={options.format} allowed={allowed} onChange={(format) => change({ format })} />
        <Layout options={options} hasSpeakers={hasSpeakers} onChange={change}>
          {speakers.length > 1 && <InterviewerSelect speakers={speakers} value={asks} onChange={setAsks} />}
        </Layout>
        {options.format === "docx" && template !== undefined && (
          <OwnTemplate template={template} value={inTemplate} onChange={(yes) => change({ template: yes })} />
        )}
        <Options
          options={options}
          hasSpeakers={hasSpeakers}
          asked={asked}
          translations={translations}
          own={own}
          onChange={change}
        />
        {many && <p className="text-sm text-ink-faint">{t("sharing:export.skipped")}</p>}
      </div>
    </Sheet>
  );
}

interface FormatsProps {
  value: ExportFormat;
  /** The formats in the plan; undefined while unknown: then the server decides. */
  allowed: readonly string[] | undefined;
  onChange: (format: ExportFormat) => void;
}

function Formats({ value, allowed, onChange }: FormatsProps) {
  const { t } = useTranslation("sharing");
  const id = useId();
  const lacks = (format: ExportFormat) => allowed !== undefined && !allowed.includes(format);
  return (
    <div>
      <h3 id={id} className="mb-2 text-[0.9375rem] font-strong">
        {t("export.format")}
      </h3>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(next as ExportFormat)}
        className="grid gap-2 sm:grid-cols-2"
      >
        {EXPORT_FORMATS.map((format) => (
          <RadioGroup.Item
            key={format}
            value={format}
            disabled={lacks(format)}
            {...(format === value && INITIAL_FOCUS)}
            className="group flex disabled:cursor-not-allowed disabled:border-dashed disabled:text-ink-faint disabled:hover:border-rule-strong min-h-14 items-start gap-3 rounded border border-rule-strong px-3 py-2.5 text-left transition-colors hover:border-edge data-[state=checked]:border-accent data-[state=checked]:bg-accent-wash"
          >
            <span
              aria-hidden="true"
              className="mt-1 size-4 shrink-0 rounded-full border border-edge group-data-[state=checked]:border-[5px] group-data-[state=checked]:border-accent"
            />
            <span className="min-w-0">
              <span className="block font-strong">{t(`export.formats.${format}.name`)}</span>
              <span className="block text-sm text-ink-soft">{t(`export.formats.${format}.for`)}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {EXPORT_FORMATS.some(lacks) && <NotInPlan text={t("export.not_in_plan")} className="mt-3 text-sm text-ink-soft" />}
    </div>
  );
}

interface LayoutProps {
  options: ExportChoice;
  hasSpeakers: boolean;
  onChange: (part: Partial<ExportChoice>) => void;
  /** Further options for questions and answers. */
  children: ReactNode;
}

function Layout({ options, hasSpeakers, onChange, children }: LayoutProps) {
  const offered = offeredLayouts(options.format, hasSpeakers);
  const layout = layoutOf(options, hasSpeakers);
  if (offered.length < 2) return null;
  return (
    <div className="flex flex-col gap-3">
      <TextLayout offered={offered} value={layout} onChange={(layout) => onChange({ layout })} />
      {layout === "questions" && children}
    </div>
  );
}

interface OptionsProps {
  options: ExportChoice;
  hasSpeakers: boolean;
  asked: RequestedTimes | undefined;
  translations: readonly string[];
  own: boolean;
  onChange: (part: Partial<ExportChoice>) => void;
}

/** Label of the option for times: before paragraphs, in a column, or in data. */
function timesText(format: ExportFormat, layout: ExportLayout) {
  if (!isProse(format)) return "export.timestampsData";
  return layout === "table" ? "export.timestampsTable" : "export.timestamps";
}

function Options({ options, hasSpeakers, asked, translations, own, onChange }: OptionsProps) {
  const { t } = useTranslation("sharing");
  const { format, timestamps, words } = options;
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 text-[0.9375rem] font-strong">{t("export.options")}</legend>
      {hasSpeakers && (
        <Checkbox checked={options.speakers} onChange={(speakers) => onChange({ speakers })}>
          {t("export.speakers")}
        </Checkbox>
      )}
      {!isSubtitles(format) && asked && (
        <Checkbox checked={timestamps ?? asked.timestamps} onChange={(yes) => onChange({ timestamps: yes })}>
          {t(timesText(format, layoutOf(options, hasSpeakers)))}
        </Checkbox>
      )}
      {hasWordTimes(format) && asked && (
        <Checkbox checked={words ?? asked.words} onChange={(yes) => onChange({ words: yes })}>
          {t(format === "csv" ? "export.wordsTable" : "export.words")}
        </Checkbox>
      )}
      {!isSubtitles(format) && !asked && <TimesOfSeveral value={timestamps} onChange={(yes) => onChange({ timestamps: yes })} />}
      {isSubtitles(format) && translations.length > 0 && (
        <TwoLanguages
          value={options.translation ?? null}
          translations={translations}
          onChange={(translation) => onChange({ translation })}
        />
      )}
      {hasAnnotations(format) && own && (
        <Checkbox checked={options.annotations ?? false} onChange={(annotations) => onChange({ annotations })}>
          {t("export.annotations")}
        </Checkbox>
      )}
      {isSubtitles(format) && <SubtitleLimits value={options.limits} onChange={(limits) => onChange({ limits })} />}
      {format === "stl" && <p className="text-sm text-ink-faint">{t("export.subtitles.stl")}</p>}
      {isSubtitles(format) && <p className="text-sm text-ink-faint">{t("export.timestampsAlways")}</p>}
    </fieldset>
  );
}
