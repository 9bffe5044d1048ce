/** Step 2 for everything on the tray, some of which may still be uploading. */
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { TranscriptionSettings } from "@/api";
import { Checkbox } from "@/components/checkbox";
import { ConfigureStep } from "./configure/configure-step";
import { ItemList } from "./items/item-list";
import { durationOf, isReady } from "./tray-model";
import { uploadTray } from "./upload-tray";
import { useSettingsOfAll } from "./use-settings-of-all";

interface TrayConfigureProps {
  owner: string;
  /** Back to step 1; the tray is unchanged. */
  onBack: () => void;
  preferred: TranscriptionSettings | undefined;
}

export function TrayConfigure({ owner, onBack, preferred }: TrayConfigureProps) {
  const { t } = useTranslation("upload");
  const started = useStore(uploadTray, (state) => state.started);
  const { live, separate, chosen, choose, choiceOf, setSeparate, formKey, form, starts } = useSettingsOfAll(owner, preferred);
  const states = live.map(({ state }) => state);
  const several = live.length > 1;

  return (
    <>
      <ItemList started={started} chosen={separate && several && chosen ? { key: chosen.key, onChoose: choose, choiceOf } : null}>
        {several && (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-rule px-4 py-2.5">
            <p className="text-sm text-ink-soft">{t("items.count", { count: live.length })}</p>
            <Checkbox checked={!separate} onChange={(same) => setSeparate(!same)}>
              {t("items.same")}
            </Checkbox>
          </div>
        )}
      </ItemList>
      {separate && several && chosen && (
        <p role="status" className="-mb-2 truncate text-sm text-ink-soft">
          {t("items.settingsOf")} <span className="font-strong text-ink">{chosen.name}</span>
        </p>
      )}
      <ConfigureStep
        key={formKey}
        {...form}
        starts={starts}
        recordings={live.map((item) => ({ name: item.name, duration: durationOf(item) }))}
        ready={live.every(isReady)}
        queued={
          states.some(({ queued }) => queued !== null) && states.every(({ queued, submitting }) => queued !== null || submitting)
        }
        submitting={states.some(({ submitting }) => submitting)}
        onUnqueue={uploadTray.getState().unqueue}
        onBack={onBack}
      />
    </>
  );
}
