/** Playback preferences: what happens after a pause and while typing, and which keys are active. */
import { Keyboard, Settings2 } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL } from "@/components/field";
import { IconButton } from "@/components/icon-button";
import { cx } from "@/lib/class-names";
import { playerPreferences, STEPS_BACK } from "./player-preferences";

export function PlayerMore({ onHelp }: { onHelp: (() => void) | undefined }) {
  const { t } = useTranslation("player");
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label={t("more.label")}>
          <Settings2 aria-hidden="true" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={10}
          collisionPadding={12}
          aria-label={t("more.label")}
          className="z-30 flex w-80 max-w-[calc(100vw-1.5rem)] animate-fade flex-col gap-4 rounded-lg border border-rule-strong bg-paper-raised p-4 shadow-sheet"
        >
          {/* Without a list of shortcuts there is no editable text either. */}
          <PreferenceFields writes={onHelp !== undefined} />
          {onHelp && (
            <Button
              size="small"
              className="self-start"
              onClick={() => {
                setOpen(false);
                onHelp();
              }}
            >
              <Keyboard aria-hidden="true" />
              {t("more.keys")}
            </Button>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function PreferenceFields({ writes }: { writes: boolean }) {
  const { t } = useTranslation("player");
  const { stepBack, pauseWhileTyping, letterKeys, prefer } = useStore(playerPreferences);
  const id = useId();
  return (
    <>
      <div className="flex flex-col gap-1">
        <div className="flex items-center justify-between gap-3">
          <label htmlFor={id} className="text-[0.9375rem]">
            {t("more.stepBack")}
          </label>
          <select
            id={id}
            aria-describedby={`${id}-hint`}
            value={stepBack}
            onChange={({ currentTarget }) => prefer({ stepBack: Number(currentTarget.value) })}
            className={cx(CONTROL, "w-auto! text-[0.9375rem]!")}
          >
            {STEPS_BACK.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === 0 ? t("more.noStep") : t("more.seconds", { count: seconds })}
              </option>
            ))}
          </select>
        </div>
        <Hint id={`${id}-hint`}>{t("more.stepBackHint")}</Hint>
      </div>
      {writes && (
        <div>
          <Checkbox
            checked={pauseWhileTyping}
            onChange={(checked) => prefer({ pauseWhileTyping: checked })}
            describedBy={`${id}-typing`}
          >
            {t("more.pauseWhileTyping")}
          </Checkbox>
          <Hint id={`${id}-typing`} indented>
            {t("more.pauseWhileTypingHint")}
          </Hint>
        </div>
      )}
      <div>
        <Checkbox checked={letterKeys} onChange={(checked) => prefer({ letterKeys: checked })} describedBy={`${id}-letters`}>
          {t("more.letterKeys")}
        </Checkbox>
        <Hint id={`${id}-letters`} indented>
          {t("more.letterKeysHint")}
        </Hint>
      </div>
    </>
  );
}

function Hint({ id, indented = false, children }: { id: string; indented?: boolean; children: ReactNode }) {
  return (
    <p id={id} className={cx("text-sm text-ink-faint", indented && "pl-7.5")}>
      {children}
    </p>
  );
}
