/** A voice: what it is made from, and a menu with its actions. */
import { CircleAlert, Combine, Ellipsis, LoaderCircle, Pencil, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Voice } from "@/api/voices";
import { IconButton } from "@/components/icon-button";
import { Menu, MenuItem, MenuSeparator } from "@/components/menu";
import { useLocale } from "@/hooks/use-locale";
import { useVoiceFailure } from "@/hooks/use-voice-failure";
import { formatDateTime, formatFullDateTime, formatSpan } from "@/lib/format";
import { RenameVoice } from "./rename-voice";

interface VoiceRowProps {
  voice: Voice;
  /** There is no other voice to merge it with. */
  isOnly: boolean;
  onMerge: () => void;
  onDelete: () => void;
}

export function VoiceRow({ voice, isOnly, onMerge, onDelete }: VoiceRowProps) {
  const { t } = useTranslation(["voices", "common"]);
  const [step, setStep] = useState<"shown" | "renamed" | "left">("shown");
  const more = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (step !== "left") return;
    more.current?.focus();
    setStep("shown");
  }, [step]);

  if (step === "renamed") {
    return (
      <li className="border-b border-rule py-3.5">
        <RenameVoice voice={voice} onDone={() => setStep("left")} />
      </li>
    );
  }
  return (
    <li className="flex items-start gap-3 border-b border-rule py-3">
      <div className="min-w-0 flex-1">
        <p className="font-strong wrap-anywhere">{voice.name}</p>
        <State voice={voice} />
      </div>
      <Menu
        trigger={
          <IconButton ref={more} label={t("voices:list.more", { name: voice.name })} className="-mr-2">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setStep("renamed")}>
          <Pencil aria-hidden="true" />
          {t("voices:list.rename")}
        </MenuItem>
        {!isOnly && (
          <MenuItem onSelect={onMerge}>
            <Combine aria-hidden="true" />
            {t("voices:list.merge")}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={onDelete}>
          <Trash2 aria-hidden="true" />
          {t("common:actions.delete")}
        </MenuItem>
      </Menu>
    </li>
  );
}

function State({ voice }: { voice: Voice }) {
  const { t } = useTranslation("voices");
  const locale = useLocale();
  const failure = useVoiceFailure();
  const { state, error, seconds, recordings, created_at } = voice;
  return (
    <>
      {state === "learning" && (
        <p className="flex items-center gap-1.5 text-sm text-ink-soft">
          <LoaderCircle aria-hidden="true" className="size-3.5 shrink-0 animate-spin" />
          {t("list.learning")}
        </p>
      )}
      {state === "ready" && (
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-soft">
          <span>{t("list.made_from", { count: recordings, span: formatSpan(seconds, locale) })}</span>
          <time dateTime={created_at} title={formatFullDateTime(created_at, locale)}>
            {t("list.since", { date: formatDateTime(created_at, locale) })}
          </time>
        </p>
      )}
      {error && state !== "learning" && (
        <p className="mt-0.5 flex items-start gap-1.5 text-sm text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {t(state === "failed" ? "speaker.failed" : "list.newest_failed", { reason: failure(error) })}
        </p>
      )}
    </>
  );
}
