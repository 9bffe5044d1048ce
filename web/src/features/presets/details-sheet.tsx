/** All settings of a preset, and its prompt. */
import { Copy, Pencil } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import { Button } from "@/components/button";
import { ModelSetupLink } from "@/components/model-setup-link";
import { Sheet } from "@/components/sheet";
import { inReadersLanguage, joinWithDots } from "@/domain/presets/preset-words";
import { usePresetHighlights } from "@/domain/presets/use-preset-highlights";
import { inSentence, useAllSettings } from "@/domain/settings/settings-words";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { copyText } from "@/lib/clipboard";
import { formatNumber } from "@/lib/format";
import { toast } from "@/lib/toast";
import { Marks } from "./marks";
import { PresetHighlightLines } from "./preset-highlight-lines";
import { useMayChange } from "./preset-menu";
import { useApply } from "./use-apply";
import { useDuplicate } from "./use-duplicate";

interface DetailsSheetProps {
  preset: Preset;
  onEdit: (preset: Preset) => void;
  onClose: () => void;
}

export function DetailsSheet({ preset, onEdit, onClose }: DetailsSheetProps) {
  const { t } = useTranslation("presets");
  const locale = useLocale();
  const mayChange = useMayChange(preset);
  const apply = useApply();
  const duplicate = useDuplicate();
  const { name, description, settings } = inReadersLanguage(preset, locale);
  const prompt = settings.custom_prompt;
  const copyPreset = () => {
    duplicate(preset);
    onClose();
  };
  return (
    <Sheet
      title={name}
      kicker={<Marks preset={preset} />}
      wide={prompt !== ""}
      onClose={onClose}
      // On wide screens the settings and the prompt scroll separately.
      className={cx(prompt && "lg:grid lg:grid-cols-[minmax(0,19rem)_minmax(0,1fr)] lg:gap-8 lg:overflow-hidden lg:py-0")}
      footer={
        <>
          <span className="mr-auto text-sm text-ink-faint">
            {joinWithDots([t("used", { count: preset.usage_count })], locale)}
          </span>
          {mayChange && (
            <Button look="quiet" onClick={() => onEdit(preset)}>
              <Pencil aria-hidden="true" />
              {t("edit")}
            </Button>
          )}
          <Button onClick={copyPreset}>{t("duplicate")}</Button>
          <Button look="primary" onClick={() => apply(preset)}>
            {t("apply")}
          </Button>
        </>
      }
    >
      <section
        aria-label={t("about")}
        // Beside a prompt it scrolls separately, also by keyboard.
        tabIndex={prompt ? 0 : undefined}
        className={cx(prompt && "-outline-offset-2 lg:-ml-2 lg:overflow-y-auto lg:py-5 lg:pr-3 lg:pl-2")}
      >
        {description && <p className="mb-5 text-ink-soft wrap-anywhere">{description}</p>}
        <SettingsList settings={settings} />
      </section>
      {prompt && <Prompt text={prompt} />}
    </Sheet>
  );
}

function SettingsList({ settings }: { settings: TranscriptionSettings }) {
  const { t } = useTranslation("presets");
  const locale = useLocale();
  const all = useAllSettings()(settings);
  const { later } = usePresetHighlights()(settings);
  const off = all.filter(({ value }) => value === "").map(({ label }) => inSentence(label, locale));
  return (
    <>
      <div className="mb-5 rounded bg-paper-sunk px-3.5 pt-1.5 pb-2.5 text-sm">
        <PresetHighlightLines settings={settings} />
        {later.length > 0 && (
          <p className="mt-1.5 text-ink-soft">
            {t("gives.waits_text")} <ModelSetupLink />
          </p>
        )}
      </div>
      <h3 className="kicker mb-1">{t("sets.title")}</h3>
      <dl className="divide-y divide-rule border-y border-rule text-[0.9375rem]">
        {all
          .filter(({ value }) => value !== "")
          .map(({ label, value }) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-4 py-2">
              <dt className="text-ink-soft">{label}</dt>
              <dd className="min-w-0 font-strong wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
      {off.length > 0 && <p className="mt-3 text-sm text-ink-faint">{t("sets.off", { list: off.join(", ") })}</p>}
    </>
  );
}

function Prompt({ text }: { text: string }) {
  const { t } = useTranslation("presets");
  const locale = useLocale();
  const id = useId();
  const length = [...text].length;
  const copy = async () => {
    if (await copyText(text)) toast.success(t("prompt.copied"));
    else toast.error(t("prompt.copy_failed"));
  };
  return (
    <div className="mt-6 flex min-h-0 flex-col lg:mt-0 lg:py-5">
      <div className="mb-2 flex items-center gap-3">
        <h3 id={id} className="kicker">
          {t("prompt.title")}
        </h3>
        <span className="text-sm text-ink-faint">
          {t("prompt.length", { count: length, shown: formatNumber(length, locale) })}
        </span>
        <Button size="small" className="ml-auto" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          {t("prompt.copy")}
        </Button>
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard, too
        tabIndex={0}
        aria-labelledby={id}
        className="min-h-0 overflow-y-auto rounded border border-rule bg-paper px-4 py-3.5 font-serif text-base leading-relaxed whitespace-pre-wrap wrap-anywhere -outline-offset-2 md:px-5"
      >
        <PromptLines text={text.trim()} />
      </section>
    </div>
  );
}

/** The exact text that is sent; its headings are highlighted for easier reading. */
function PromptLines({ text }: { text: string }) {
  return text.split(/(?<=\n)/).map((line, position) => {
    const heading = /^#{1,6} /.test(line);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and the text does not change
      <span key={position} className={cx(heading && "font-strong")}>
        {line}
      </span>
    );
  });
}
