/** Creates or edits a preset: name, purpose and all settings. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { preferencesQuery } from "@/api/account";
import { capabilitiesQuery } from "@/api/capabilities";
import type { Preset } from "@/api/presets";
import { subscriptionQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { Loading } from "@/components/loading";
import { TwoLanguagesNote } from "@/components/two-languages-note";
import { emptyForm, formOf, settingsFor } from "@/domain/presets/preset-form";
import { type Settings, SettingsForm } from "@/domain/settings";
import { readDraft, withDefaultLanguages } from "@/domain/settings/settings-draft";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { About } from "./about";

import { StartFrom } from "./start-from";
import { useEditor } from "./use-editor";

interface EditorSheetProps {
  /** The preset to edit; null for a new one. */
  preset: Preset | null;
  onClose: () => void;
}

export function EditorSheet({ preset, onClose }: EditorSheetProps) {
  const { t } = useTranslation("presets");
  const owner = useUser()?.id ?? "";
  // Not retried: the form works without them.
  const preferences = useQuery({ ...preferencesQuery(), enabled: preset === null });
  const capabilities = useQuery({ ...capabilitiesQuery(), enabled: preset === null });
  if (preset) return <Editor preset={preset} current={null} onClose={onClose} />;
  if ([preferences, capabilities].some(({ isLoading, failureCount }) => isLoading && failureCount === 0)) {
    return (
      <GuardedSheet
        wide
        title={t("editor.new")}
        onClose={onClose}
        footer={<Button onClick={onClose}>{t("editor.cancel")}</Button>}
      >
        <Loading />
      </GuardedSheet>
    );
  }
  const preferred = withDefaultLanguages(preferences.data?.settings, capabilities.data);
  return <Editor preset={null} current={readDraft(owner, preferred)} onClose={onClose} />;
}

interface EditorProps extends EditorSheetProps {
  /** The current settings of the upload page; null when editing a preset. */
  current: Settings | null;
}

function Editor({ preset, current, onClose }: EditorProps) {
  const { t } = useTranslation(["presets", "configure"]);
  const capabilities = useQuery(capabilitiesQuery());
  const subscription = useQuery(subscriptionQuery());
  const editor = useEditor(preset, preset ? formOf(preset) : emptyForm(current ?? settingsFor()), onClose);
  const { form, refused } = useInvalidFocus();
  const id = useId();
  return (
    <GuardedSheet
      wide
      title={t(preset ? "editor.edit" : "editor.new")}
      unsaved={editor.unsaved && !editor.saved}
      onClose={onClose}
      className="md:min-h-[min(34rem,calc(100dvh-14rem))]"
      footer={
        <>
          <Button onClick={onClose} disabled={editor.saving}>
            {t("editor.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={editor.saving}>
            {t(preset ? "editor.save" : "editor.create")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          editor.save(refused);
        }}
      >
        <FormAlert text={editor.failure} />
        <TwoLanguagesNote preset={preset} />
        <About preset={preset} editor={editor} />
        {current && <StartFrom current={current} settings={editor.form.settings} onStart={editor.startFrom} />}
        <SettingsForm
          settings={editor.form.settings}
          onChange={(settings) => editor.change({ settings })}
          violations={editor.ofSettings}
          refusals={editor.refusals}
          capabilities={capabilities.data}
          planFeatures={subscription.data?.features}
          languagesHint={t("configure:spoken.hintPreset")}
        />
      </form>
    </GuardedSheet>
  );
}
