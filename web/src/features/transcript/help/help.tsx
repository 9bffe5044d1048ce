/** The shortcuts of the page, under `?`. */
import { Fragment, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Sheet } from "@/components/sheet";
import { isHandledElsewhere, PLAYER_SHORTCUTS } from "@/domain/transcript/player-keys";
import { playerPreferences } from "@/domain/transcript/player-preferences";
import { combosOf, keyCaps, SHORTCUT_GROUPS, type Shortcut, type ShortcutGroup } from "@/domain/transcript/shortcuts";
import { useHelp } from "./help-store";

const HELP_COMBO = "?";

/** Shortcuts handled by the page itself. */
const PAGE_SHORTCUTS: readonly Shortcut[] = [
  { group: "page", label: "player:keys.help", combos: [HELP_COMBO] },
  { group: "page", label: "player:keys.sidebar", combos: ["Mod+B"], typing: ["Mod+B"] },
];

interface HelpProps {
  /** In addition to those of the player and the page. */
  shortcuts?: readonly Shortcut[];
}

export function Help({ shortcuts = [] }: HelpProps) {
  const { open, hide } = useHelp();
  useHelpKey();
  return open && <HelpSheet shortcuts={[...PLAYER_SHORTCUTS, ...shortcuts, ...PAGE_SHORTCUTS]} onClose={hide} />;
}

function useHelpKey(): void {
  const { show, hide } = useHelp.getState();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const press = { command: { kind: "toggle" }, whileTyping: false, character: true } as const;
      if (event.defaultPrevented || !combosOf(event).includes(HELP_COMBO) || isHandledElsewhere(event.target, press)) {
        return;
      }
      if (playerPreferences.getState().letterKeys) {
        event.preventDefault();
        show();
      }
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      hide();
    };
  }, [show, hide]);
}

function HelpSheet({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }) {
  const { t } = useTranslation("player");
  const letterKeys = useStore(playerPreferences, (state) => state.letterKeys);
  const groups = SHORTCUT_GROUPS.map((group) => ({ group, rows: shortcuts.filter((shortcut) => shortcut.group === group) }));
  return (
    <Sheet wide title={t("keys.title")} onClose={onClose}>
      {/* Nothing in it can be focused, and it may have to be scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section tabIndex={0} aria-label={t("keys.title")} className="outline-offset-8">
        {!letterKeys && <p className="mb-4 text-ink-soft">{t("keys.lettersOff")}</p>}
        <div className="grid gap-x-10 gap-y-7 lg:grid-cols-2">
          {groups.map(({ group, rows }) => rows.length > 0 && <Group key={group} group={group} rows={rows} />)}
        </div>
      </section>
    </Sheet>
  );
}

function Group({ group, rows }: { group: ShortcutGroup; rows: readonly Shortcut[] }) {
  const { t } = useTranslation(["player", "transcript", "editor"]);
  return (
    <table className="w-full self-start text-[0.9375rem]">
      <caption className="kicker mb-1.5 text-left">{t(`player:keys.${group}`)}</caption>
      <thead className="text-left text-xs text-ink-faint">
        <tr>
          <th scope="col" className="pb-1 font-normal">
            {t("player:keys.does")}
          </th>
          <th scope="col" className="w-28 pb-1 font-normal">
            {t("player:keys.free")}
          </th>
          <th scope="col" className="w-28 pb-1 font-normal">
            {t("player:keys.typing")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, combos, typing = [] }) => (
          <tr key={label} className="border-t border-rule align-top">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal">
              {t(label)}
            </th>
            <Keys combos={combos} />
            <Keys combos={typing} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Keys({ combos }: { combos: readonly string[] }) {
  const { t } = useTranslation("player");
  return (
    <td className="py-1.5 pr-2">
      <span className="flex flex-wrap items-center gap-x-1 gap-y-1">
        {combos.map((combo, at) => (
          <Fragment key={combo}>
            {at > 0 && <span className="text-xs text-ink-faint">{t("keys.or")}</span>}
            <span className="inline-flex gap-0.5 whitespace-nowrap">
              {keyCaps(combo, t("space")).map((cap) => (
                <kbd key={cap} className="figures rounded-sm border border-rule-strong bg-paper px-1.5 py-px text-xs">
                  {cap}
                </kbd>
              ))}
            </span>
          </Fragment>
        ))}
      </span>
    </td>
  );
}
