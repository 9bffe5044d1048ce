/** Applies a preset that was selected on the page of presets, once, as soon as the tray is loaded. */
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { takeAppliedPreset } from "@/domain/presets/applied-preset";
import { usePresetName } from "@/domain/presets/preset-words";
import type { Choice } from "@/domain/settings/settings-draft";
import { useLocale } from "@/hooks/use-locale";
import { toast } from "@/lib/toast";
import { withPreset } from "./configure";
import { isLive, type TrayItem } from "./tray-model";
import { uploadTray } from "./upload-tray";

/** Maximum number of names in a message; the rest is a number. */
const MAX_NAMES = 3;

interface AppliedPresetOptions {
  owner: string;
  /** The choice for all recordings, or for those without one of their own. */
  common: Choice;
  setCommon: (choice: Choice) => void;
  /** Shows the settings of this recording. */
  choose: (key: string) => void;
}

export function useAppliedPreset({ owner, common, setCommon, choose }: AppliedPresetOptions): void {
  const { t } = useTranslation(["upload", "configure"]);
  const locale = useLocale();
  const nameOf = usePresetName();

  const namesOf = (items: readonly TrayItem[]): string => {
    const names = items.slice(0, MAX_NAMES).map(({ name }) => name);
    const more = items.length - names.length;
    return new Intl.ListFormat(locale).format(more > 0 ? [...names, t("items.more", { count: more })] : names);
  };

  // Not while rendering: a render may be discarded, and this cannot be undone.
  const apply = useEffectEvent(() => {
    const preset = takeAppliedPreset(owner);
    if (!preset) {
      return;
    }
    const next = withPreset(common, preset, locale);
    if (!next) {
      toast.error(t("configure:presets.applyFailed"));
      return;
    }
    setCommon(next);
    const { items, separate, setOwn } = uploadTray.getState();
    const live = items.filter(isLive);
    const withOwn = separate ? live.filter((item) => item.own !== null) : [];
    const [only] = withOwn;
    if (only?.own && live.length === 1) {
      // A single recording uses the settings of the page.
      setOwn(only.key, withPreset(only.own, preset, locale) ?? only.own);
    } else if (withOwn.length > 0) {
      const first = live.find((item) => item.own === null);
      if (first) {
        choose(first.key);
      }
      toast.info(t("items.keptOwn", { preset: nameOf(preset), names: namesOf(withOwn) }));
    }
  });

  useEffect(() => {
    let mounted = true;
    void uploadTray
      .getState()
      .restore(owner)
      .then(() => mounted && apply());
    return () => {
      mounted = false;
    };
  }, [owner]);
}
