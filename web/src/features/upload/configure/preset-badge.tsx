/** The applied preset, whether it was changed, and buttons to revert. */
import { Layers, RotateCcw, X } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import { usePresetName } from "@/domain/presets/preset-words";
import type { Choice } from "@/domain/settings/settings-draft";
import { isPresetChanged, withoutPreset, withPresetRestored } from "./preset-choice";

interface PresetBadgeProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

export function PresetBadge({ choice, onChoice }: PresetBadgeProps) {
  const { t } = useTranslation("configure");
  const nameOf = usePresetName();
  const { preset } = choice;
  const status = useRef<HTMLParagraphElement>(null);
  const name = preset && nameOf(preset);
  const changed = isPresetChanged(choice);

  // The pressed button disappears: the focus stays at this place.
  const put = (next: Choice) => {
    status.current?.focus();
    onChoice(next);
  };

  return (
    <div className={preset ? "flex min-w-0 items-center rounded bg-accent-wash pl-2.5 text-sm" : "sr-only"}>
      {preset && <Layers aria-hidden="true" className="mr-2 size-4 shrink-0 text-accent" />}
      {/* Rendered while empty, so that screen readers announce changes. */}
      <p ref={status} role="status" tabIndex={-1} className="flex min-w-0 py-1.5 outline-none">
        {name && (
          <>
            <span className="sr-only">{t("presets.active", { name })}</span>
            <span aria-hidden="true" className="truncate font-strong">
              {name}
            </span>
          </>
        )}
        {changed && <span className="shrink-0 text-ink-soft">{`\u00A0· ${t("presets.changed")}`}</span>}
      </p>
      {name && (
        <span className="ml-1 flex">
          {changed && (
            <BadgeButton label={t("presets.restore", { name })} onClick={() => put(withPresetRestored(choice))}>
              <RotateCcw aria-hidden="true" />
            </BadgeButton>
          )}
          <BadgeButton label={t("presets.remove")} onClick={() => put(withoutPreset(choice))}>
            <X aria-hidden="true" />
          </BadgeButton>
        </span>
      )}
    </div>
  );
}

const BadgeButton = (props: Pick<ComponentProps<typeof IconButton>, "label" | "onClick" | "children">) => (
  <IconButton className="size-8 [&_svg]:size-4" {...props} />
);
