import { useEffect, useEffectEvent, useState } from "react";
import { useStore } from "zustand";
import { ApiError, type TranscriptionSettings } from "@/api";
import type { Choice } from "@/lib/settings-draft";
import { type Source, validateSettings } from "@/rules";
import { useChoice } from "./configure";
import { theTray } from "./the-tray";
import { isLive, type TrayItem } from "./tray-model";
import type { JobOrder } from "./upload-model";
import { useSteadyItems } from "./use-steady-items";

/** The settings of everything on the tray: the same for all, or one's own for each. */
export function useSettingsOfAll(owner: string, preferred: TranscriptionSettings | undefined) {
  const items = useSteadyItems();
  const wished = useStore(theTray, (state) => state.separate);
  const [common, setCommon] = useChoice(owner, preferred);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const tray = theTray.getState();

  const live = items.filter(isLive);
  const chosen = live.find(({ key }) => key === chosenKey) ?? live[0] ?? null;
  // What was set for one of several stays its own when the others are gone.
  const separate = wished && (live.length > 1 || chosen?.own != null);

  const failing = live.find(({ state }) => state.jobError !== null) ?? null;
  const failingKey = failing?.key ?? null;
  const show = useEffectEvent((key: string) => separate && setChosenKey(key));
  useEffect(() => {
    if (failingKey !== null) {
      show(failingKey);
    }
  }, [failingKey]);

  const choiceOf = (item: TrayItem, changed?: Choice): Choice => {
    const own = separate ? (item.key === chosen?.key && changed) || item.own : null;
    return own ?? (separate ? common : (changed ?? common));
  };

  const orderOf =
    (changed?: Choice) =>
    (item: TrayItem): JobOrder => {
      const { settings, preset } = choiceOf(item, changed);
      return { settings, presetId: preset?.id ?? null, audioTrack: item.track };
    };

  const change = (next: Choice) => {
    setRefusal(null);
    tray.forgetJobErrors();
    if (separate && chosen) {
      tray.setOwn(chosen.key, next);
    } else {
      setCommon(next);
    }
    tray.requeue(orderOf(next));
  };

  /** The form has seen the settings that are shown; those of the others are seen to here. */
  const start = () => {
    const brokenOf = (item: TrayItem) => validateSettings({ ...choiceOf(item).settings, url: urlOf(item) }, sourceOf(item));
    const broken = live.find((item) => brokenOf(item).length > 0);
    if (broken) {
      setChosenKey(broken.key);
      setRefusal(new ApiError({ status: 0, code: "validation_failed", violations: brokenOf(broken) }));
    } else {
      setRefusal(null);
      tray.start(orderOf());
    }
  };

  /** The form belongs to one recording, or to all. */
  const single = separate || live.length === 1 ? chosen : null;

  return {
    live,
    separate,
    chosen,
    choose: setChosenKey,
    setSeparate: tray.setSeparate,
    form: {
      choice: chosen ? choiceOf(chosen) : common,
      source: single ? sourceOf(single) : ("file" as const),
      url: single ? urlOf(single) : "",
      error: refusal ?? (single ?? failing)?.state.jobError ?? null,
      onChoice: change,
      onStart: start,
    },
  };
}

const sourceOf = (item: TrayItem): Source => item.kind;

const urlOf = (item: TrayItem): string => (item.kind === "url" ? item.url : "");
