/** Buttons to go back to the preferred settings or to the last used ones. Presets have a badge of their own. */
import { History, RotateCcw } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { Settings } from "@/domain/settings";
import { type Choice, sameSettings } from "@/domain/settings/settings-draft";

export interface StartingSettings {
  /** The reader's default settings. */
  preferred: Settings;
  /** The last used settings; null if there are none. */
  last: Choice | null;
}

interface StartingPointProps extends StartingSettings {
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

export function StartingPoint({ choice, onChoice, preferred, last }: StartingPointProps) {
  const { t } = useTranslation("configure");
  const status = useRef<HTMLParagraphElement>(null);
  const { settings, preset } = choice;
  const asPreferred = preset === null && sameSettings(settings, preferred);
  const asLast = last !== null && preset?.id === last.preset?.id && sameSettings(settings, last.settings);
  const text = preset ? null : asPreferred ? t("begin.preferred") : asLast ? t("begin.last") : t("begin.changed");

  // The pressed button may disappear: the focus stays at this place.
  const put = (next: Choice) => {
    status.current?.focus();
    onChoice(next);
  };

  return (
    <div className="-my-1 flex flex-wrap items-center has-[p:empty]:-ml-3 gap-x-2 gap-y-1 text-sm text-ink-soft">
      <p ref={status} role="status" tabIndex={-1} className="mr-2 outline-none empty:sr-only">
        {text}
      </p>
      {!asPreferred && (
        <Button
          look="quiet"
          size="small"
          className="sm:-my-1.5"
          onClick={() => put({ settings: preferred, preset: null, manual: null })}
        >
          <RotateCcw aria-hidden="true" />
          {t("begin.reset")}
        </Button>
      )}
      {last !== null && !asLast && (
        <Button
          look="quiet"
          size="small"
          className="sm:-my-1.5"
          onClick={() => put({ ...last, manual: last.preset ? settings : null })}
        >
          <History aria-hidden="true" />
          {t("begin.useLast")}
        </Button>
      )}
    </div>
  );
}
