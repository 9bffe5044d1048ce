import { useEffect, useEffectEvent, useState } from "react";
import { useStore } from "zustand";
import { ApiError, type TranscriptionSettings } from "@/api";
import { type Choice, readLast, startingSettings, storeLast } from "@/domain/settings/settings-draft";
import { type Source, validateSettings } from "@/rules";
import { useChoice } from "./configure";
import { isLive, type TrayItem } from "./tray-model";
import type { JobOrder } from "./upload-model";
import { uploadTray } from "./upload-tray";
import { useAppliedPreset } from "./use-applied-preset";
import { useStableItems } from "./use-stable-items";

/** The settings of all recordings on the tray: shared, or separate for each. */
export function useSettingsOfAll(owner: string, preferred: TranscriptionSettings | undefined) {
  const items = useStableItems();
  const wished = useStore(uploadTray, (state) => state.separate);
  const [common, setCommon] = useChoice(owner, preferred);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  /** Violations of one recording, found by the rules before submitting. */
  const [refusal, setRefusal] = useState<{ key: string; error: ApiError } | null>(null);
  /** The last recording whose job could not be created. */
  const [failedKey, setFailedKey] = useState<string | null>(null);
  // As on mount: jobs started from it must not change the offered settings.
  const [starts] = useState(() => ({ preferred: startingSettings(preferred), last: readLast(owner) }));
  const tray = uploadTray.getState();

  const live = items.filter(isLive);
  const chosen = live.find(({ key }) => key === chosenKey) ?? live[0] ?? null;
  // Separate settings of one recording are kept when the others are gone.
  const separate = wished && (live.length > 1 || chosen?.own != null);

  const failing = live.find(({ state }) => state.jobError !== null) ?? null;
  const failingKey = failing?.key ?? null;
  const show = useEffectEvent((key: string) => {
    setFailedKey(key);
    if (separate) {
      setChosenKey(key);
    }
  });
  useEffect(() => {
    if (failingKey !== null) {
      show(failingKey);
    }
  }, [failingKey]);

  const choiceOf = (item: TrayItem): Choice => (separate ? item.own : null) ?? common;

  const orderOf = (item: TrayItem): JobOrder => {
    const { settings, preset } = choiceOf(item);
    return { settings, presetId: preset?.id ?? null, audioTrack: item.track };
  };

  // Delayed jobs start with the current settings, whatever has changed them.
  const requeue = useEffectEvent(() => tray.requeue(orderOf));
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that the orders are made of
  useEffect(() => requeue(), [items, common, separate]);

  useAppliedPreset({ owner, common, setCommon, choose: setChosenKey });

  const change = (next: Choice) => {
    setRefusal(null);
    tray.forgetJobErrors();
    if (separate && chosen) {
      tray.setOwn(chosen.key, next);
    } else {
      setCommon(next);
    }
  };

  /** The form has checked the shown settings; those of the others are checked here. */
  const start = () => {
    const brokenOf = (item: TrayItem) => validateSettings({ ...choiceOf(item).settings, url: urlOf(item) }, sourceOf(item));
    const broken = live.find((item) => brokenOf(item).length > 0);
    if (broken) {
      setChosenKey(broken.key);
      const error = new ApiError({ status: 0, code: "validation_failed", violations: brokenOf(broken) });
      setRefusal({ key: broken.key, error });
    } else {
      setRefusal(null);
      storeLast(owner, choice);
      tray.start(orderOf);
    }
  };

  /** The form belongs to one recording, or to all. */
  const single = separate || live.length === 1 ? chosen : null;
  const refused = single === null || single.key === refusal?.key ? refusal : null;
  const failedGone = failedKey !== null && !live.some(({ key }) => key === failedKey);
  const choice = chosen ? choiceOf(chosen) : common;
  /** The initial settings of recordings without their own, if there are several. */
  const apart = separate && live.length > 1;

  return {
    live,
    separate,
    chosen,
    choose: setChosenKey,
    choiceOf,
    setSeparate: tray.setSeparate,
    /** A new form for each recording, so that errors of one are not shown for another, or after it is gone. */
    formKey: separate ? chosen?.key : failedGone ? `all without ${failedKey}` : "all",
    /** The initial settings of a new transcription. */
    starts,
    /** What a preset applies to before step 2. */
    inUse: { choice: apart ? common : choice, onChoice: apart ? setCommon : change },
    form: {
      choice,
      source: single ? sourceOf(single) : ("file" as const),
      url: single ? urlOf(single) : "",
      error: refused?.error ?? (single ?? failing)?.state.jobError ?? null,
      onChoice: change,
      onStart: start,
    },
  };
}

const sourceOf = (item: TrayItem): Source => item.kind;

const urlOf = (item: TrayItem): string => (item.kind === "url" ? item.url : "");
