/** The voices that the account remembers: rename, merge, delete, download. */
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchVoicesFile, type Voice, voicesQuery } from "@/api/voices";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { saveBlob } from "@/lib/save-file";
import { Section } from "../section";
import { DeleteVoice } from "./delete-voice";
import { MergeSheet } from "./merge-sheet";
import { VoiceRow } from "./voice-row";

export function VoicesSection() {
  const { t } = useTranslation("voices");
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: voices, error, refetch } = useQuery(voicesQuery());
  return (
    <Section title={t("list.title")} text={t("list.text")} headingRef={heading}>
      {voices ? (
        <Voices voices={voices} onGone={() => heading.current?.focus()} />
      ) : error ? (
        <ErrorState className="py-4" title={t("list.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-2 py-3.5">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      )}
    </Section>
  );
}

interface VoicesProps {
  voices: readonly Voice[];
  /** A row with the focus has disappeared. */
  onGone: () => void;
}

function Voices({ voices, onGone }: VoicesProps) {
  const { t } = useTranslation("voices");
  const [open, show] = useState<{ what: "merge" | "delete"; voice: Voice } | null>(null);
  const [isGone, setGone] = useState(false);
  const close = () => show(null);

  // After the dialog has closed, because it keeps the focus.
  useEffect(() => {
    if (!isGone || open !== null) return;
    setGone(false);
    onGone();
  }, [isGone, open, onGone]);

  return (
    <>
      {voices.length === 0 ? (
        <p className="max-w-[60ch] text-[0.9375rem] text-pretty text-ink-soft">{t("list.empty")}</p>
      ) : (
        <>
          <ul aria-label={t("list.title")} className="border-t border-rule">
            {voices.map((voice) => (
              <VoiceRow
                key={voice.id}
                voice={voice}
                isOnly={voices.length === 1}
                onMerge={() => show({ what: "merge", voice })}
                onDelete={() => show({ what: "delete", voice })}
              />
            ))}
          </ul>
          <VoicesFile />
        </>
      )}
      {open?.what === "merge" && <MergeSheet voice={open.voice} voices={voices} onMerged={() => setGone(true)} onClose={close} />}
      {open?.what === "delete" && <DeleteVoice voice={open.voice} onDeleted={() => setGone(true)} onClose={close} />}
    </>
  );
}

function VoicesFile() {
  const { t } = useTranslation("voices");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const take = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { blob, filename } = await fetchVoicesFile();
      saveBlob(blob, filename ?? "voices.json");
    } catch (error) {
      setFailure(`${t("list.export_failed")}. ${errorText(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="mt-4 flex flex-col gap-4">
      <FormAlert text={failure} />
      <Button className="self-start" busy={busy} onClick={() => void take()}>
        {!busy && <Download aria-hidden="true" />}
        {t("list.export")}
      </Button>
    </div>
  );
}
