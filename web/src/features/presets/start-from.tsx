/** The initial settings of a new preset: those of the upload page, or the defaults. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { settingsFor } from "@/domain/presets/preset-form";
import type { Settings } from "@/domain/settings";

const SOURCES = ["current", "defaults"] as const;

interface StartFromProps {
  current: Settings;
  /** The current settings. */
  settings: Settings;
  /** Replaces the settings; `start` are the unmodified initial ones. */
  onStart: (settings: Settings, start: Settings) => void;
}

export function StartFrom({ current, settings, onStart }: StartFromProps) {
  const { t } = useTranslation("presets");
  const [starts] = useState(() => ({ current: settingsFor(current), defaults: settingsFor() }));
  const [source, setSource] = useState<(typeof SOURCES)[number]>("current");
  /** The input for the other choice is kept for switching back. */
  const [aside, setAside] = useState(starts.defaults);
  const choose = (next: (typeof SOURCES)[number]) => {
    setSource(next);
    setAside(settings);
    onStart(aside, starts[next]);
  };
  return (
    <fieldset className="border-t border-rule pt-5">
      <legend className="sr-only">{t("start.label")}</legend>
      <div className="flex flex-col gap-x-6 gap-y-2 text-[0.9375rem] sm:flex-row">
        <span aria-hidden="true" className="font-strong">
          {t("start.label")}
        </span>
        {SOURCES.map((option) => (
          <label key={option} className="flex cursor-pointer items-center gap-2.5 text-[0.9375rem]">
            <input
              type="radio"
              name="preset-start"
              checked={source === option}
              onChange={() => choose(option)}
              className="size-4 shrink-0 accent-accent"
            />
            {t(`start.${option}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
