/** The Word template for the user’s DOCX files: upload, download, replace, delete. */
import { useQuery } from "@tanstack/react-query";
import { Download, FileUp } from "lucide-react";
import { type ChangeEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { docxTemplateQuery, fetchDocxTemplate, useRemoveDocxTemplate, useSendDocxTemplate } from "@/api/docx-template";
import type { DocxTemplate } from "@/api/schema";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { InlineConfirm } from "@/components/inline-confirm";
import { Skeleton } from "@/components/skeleton";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatDateTime } from "@/lib/format";
import { saveBlob } from "@/lib/save-file";
import { MAX_TEMPLATE_BYTES } from "@/rules/constants";
import { Section } from "./section";

const ACCEPT = ".docx,.dotx,application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const PLACEHOLDERS = ["title", "date", "duration", "language", "speakers", "summary"].map((name) => `{{${name}}}`);

export function DocxTemplateSection() {
  const { t } = useTranslation("settings");
  const { data: template, error, refetch } = useQuery(docxTemplateQuery());
  const errorText = useErrorText();
  const { failure, done, busy, send, remove, take } = useActions();
  const hint = useId();
  const picker = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  const picked = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // Lets the same file be chosen again after it was refused.
    event.currentTarget.value = "";
    if (file) void send(file);
  };

  return (
    <Section title={t("docx_template.title")} text={t("docx_template.text", { place: "{{transcript}}" })}>
      <div className="flex flex-col gap-4">
        <FormAlert text={failure ?? (template === undefined && error ? errorText(error) : null)} />
        {template === undefined ? (
          error ? (
            <Button className="self-start" onClick={() => void refetch()}>
              {t("docx_template.retry")}
            </Button>
          ) : (
            <Skeleton className="h-10 w-3/5" />
          )
        ) : (
          <>
            <State template={template} />
            <div className="flex flex-wrap items-center gap-3">
              <Button ref={opener} busy={busy === "send"} aria-describedby={hint} onClick={() => picker.current?.click()}>
                {busy !== "send" && <FileUp aria-hidden="true" />}
                {t(template ? "docx_template.replace" : "docx_template.choose")}
              </Button>
              {template && (
                <Button look="quiet" busy={busy === "file"} onClick={() => void take("file")}>
                  {t("docx_template.download")}
                </Button>
              )}
            </div>
            {template && (
              <InlineConfirm
                look="quiet"
                label={t("docx_template.remove")}
                question={t("docx_template.question")}
                confirm={t("docx_template.confirm")}
                // The button disappears with the template, so the focus moves to the one above.
                onConfirm={() => remove().then((removed) => removed && opener.current?.focus())}
              />
            )}
          </>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          accept={ACCEPT}
          aria-label={t("docx_template.choose")}
          data-testid="docx-template-file"
          onChange={picked}
        />
        <p id={hint} className="text-sm text-ink-faint">
          {t("docx_template.hint", { list: PLACEHOLDERS.join(", ") })}
        </p>
        <Button className="self-start" look="quiet" busy={busy === "example"} onClick={() => void take("example")}>
          {busy !== "example" && <Download aria-hidden="true" />}
          {t("docx_template.example.button")}
        </Button>
        <p role="status" className="text-sm text-ink-soft empty:hidden">
          {done && t(`docx_template.${done}`)}
        </p>
      </div>
    </Section>
  );
}

/** The current template. */
function State({ template }: { template: DocxTemplate | null }) {
  const { t } = useTranslation("settings");
  const locale = useLocale();
  if (template === null) return <p className="text-[0.9375rem] text-ink-soft">{t("docx_template.none")}</p>;
  return (
    <p className="text-[0.9375rem]">
      <span className="block font-strong break-words">{template.name}</span>
      <span className="figures text-sm text-ink-soft">
        {formatBytes(template.size, locale)} · {formatDateTime(template.set_at, locale)}
      </span>
    </p>
  );
}

type Busy = "send" | "file" | "example" | null;

/** One action at a time, with its result. */
function useActions() {
  const { t } = useTranslation(["settings", "problems"]);
  const errorText = useErrorText();
  const sending = useSendDocxTemplate();
  const removal = useRemoveDocxTemplate();
  const [busy, setBusy] = useState<Busy>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState<"saved" | "removed" | null>(null);

  const attempt = async (what: Busy, act: () => Promise<"saved" | "removed" | null>, failed: string): Promise<boolean> => {
    setBusy(what);
    setFailure(null);
    setDone(null);
    try {
      setDone(await act());
      return true;
    } catch (error) {
      setFailure(`${failed}. ${errorText(error)}`);
      return false;
    } finally {
      setBusy(null);
    }
  };

  const send = async (file: File) => {
    if (file.size > MAX_TEMPLATE_BYTES) {
      setDone(null);
      return setFailure(`${t("docx_template.failed")}. ${t("problems:codes.docx_template_too_large")}`);
    }
    await attempt("send", async () => (await sending.mutateAsync(file)) && "saved", t("docx_template.failed"));
  };

  const remove = () =>
    attempt(
      null,
      async () => {
        await removal.mutateAsync(undefined);
        return "removed";
      },
      t("docx_template.remove_failed"),
    );

  const take = (which: "file" | "example") =>
    attempt(
      which,
      async () => {
        const { blob, filename } = await fetchDocxTemplate(which);
        saveBlob(blob, filename ?? "template.docx");
        return null;
      },
      t("docx_template.download_failed"),
    );

  return { failure, done, busy, send, remove, take };
}
