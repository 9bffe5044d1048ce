/** Makes a link: until when it serves, and whether the recording can be heard. */
import { Link2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FIRST } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { copyText } from "@/lib/clipboard";
import { toast } from "@/lib/toast";
import { useCreateShare } from "./api";
import { dayAfter, EXPIRIES, type Expiry, expiresAt, isComing } from "./expiry";

interface NewShareFormProps {
  jobId: string;
  onCreated: (shareId: string) => void;
}

export function NewShareForm({ jobId, onCreated }: NewShareFormProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const create = useCreateShare(jobId);
  const [expiry, setExpiry] = useState<Expiry>("week");
  const [date, setDate] = useState("");
  const [withMedia, setWithMedia] = useState(true);
  const [wrongDate, setWrongDate] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const now = new Date();
    const wrong = expiry === "date" && !isComing(date, now);
    setWrongDate(wrong);
    if (wrong) return;
    try {
      const share = await create.mutateAsync({ expires_at: expiresAt(expiry, date, now), with_media: withMedia });
      onCreated(share.id);
      toast.success((await copyText(share.url)) ? t("share.createdCopied") : t("share.created"));
    } catch (error) {
      toast.error(`${t("share.createFailed")}. ${errorText(error)}`);
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="max-w-[60ch] text-ink-soft">{t("share.lead")}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("share.expiry.label")}>
          {(wiring) => (
            <select
              {...wiring}
              {...FIRST}
              className={CONTROL}
              value={expiry}
              onChange={({ currentTarget }) => {
                setExpiry(currentTarget.value as Expiry);
                setWrongDate(false);
              }}
            >
              {EXPIRIES.map((each) => (
                <option key={each} value={each}>
                  {t(`share.expiry.${each}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {expiry === "date" && (
          <Field label={t("share.expiry.until")} error={wrongDate ? t("share.expiry.wrong") : undefined}>
            {(wiring) => (
              <TextInput
                {...wiring}
                type="date"
                value={date}
                min={dayAfter(new Date())}
                onChange={({ currentTarget }) => setDate(currentTarget.value)}
              />
            )}
          </Field>
        )}
      </div>
      <Checkbox checked={withMedia} onChange={setWithMedia}>
        {t("share.withMedia")}
      </Checkbox>
      <Button type="submit" look="primary" busy={create.isPending} className="self-start">
        <Link2 aria-hidden="true" />
        {t("share.create")}
      </Button>
    </form>
  );
}
