/** Creates a link: expiry, visitors' rights, and optional password. */
import { Link2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, TextInput } from "@/components/field";
import { INITIAL_FOCUS } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { copyText } from "@/lib/clipboard";
import { toast } from "@/lib/toast";
import { useCreateShare } from "./api";
import { EXPIRIES, type Expiry, expiresAt, isFutureDay, nextDay } from "./expiry";
import { LinkPassword } from "./link-password";
import { brokenBy } from "./share-settings";
import { lacksConsent, OpenEditField, RightsField, ShownFields, type Visitors } from "./visitors";

interface NewShareFormProps {
  jobId: string;
  onCreated: (shareId: string) => void;
}

export function NewShareForm({ jobId, onCreated }: NewShareFormProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const create = useCreateShare(jobId);
  const [expiry, setExpiry] = useState<Expiry>("week");
  const [date, setDate] = useState("");
  const [visitors, setVisitors] = useState<Visitors>({ rights: "read", with_media: true, with_confidence: false });
  const [locked, setLocked] = useState(false);
  const [password, setPassword] = useState("");
  const [wrongDate, setWrongDate] = useState(false);
  const [unprotected, setUnprotected] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const now = new Date();
    const wrong = expiry === "date" && !isFutureDay(date, now);
    setWrongDate(wrong);
    const open = lacksConsent(visitors, locked);
    setUnprotected(open);
    if (wrong || open) return;
    try {
      const share = await create.mutateAsync({
        expires_at: expiresAt(expiry, date, now),
        ...visitors,
        password: locked ? password : null,
      });
      onCreated(share.id);
      // The next link has a password of its own.
      setLocked(false);
      setPassword("");
      setVisitors((current) => ({ ...current, edit_without_password: false }));
      toast.success((await copyText(share.url)) ? t("share.createdCopied") : t("share.created"));
    } catch (error) {
      if (brokenBy(error)) return;
      toast.error(`${t("share.createFailed")}. ${errorText(error)}`);
    }
  };

  const broken = brokenBy(create.error);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="max-w-[60ch] text-ink-soft">{t("share.lead")}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("share.expiry.label")}>
          {(wiring) => (
            <select
              {...wiring}
              {...INITIAL_FOCUS}
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
                min={nextDay(new Date())}
                onChange={({ currentTarget }) => setDate(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <RightsField value={visitors} onChange={setVisitors} />
      </div>
      <ShownFields value={visitors} onChange={setVisitors} />
      <Checkbox checked={locked} onChange={setLocked}>
        {t("share.password.ask")}
      </Checkbox>
      {locked && (
        <LinkPassword
          label={t("share.password.label")}
          value={password}
          error={broken && violationText(broken)}
          onChange={setPassword}
        />
      )}
      {visitors.rights === "edit" && !locked && (
        <OpenEditField
          value={visitors}
          onChange={(next) => {
            setVisitors(next);
            setUnprotected(false);
          }}
          missing={unprotected}
        />
      )}
      <Button type="submit" look="primary" busy={create.isPending} className="self-start">
        <Link2 aria-hidden="true" />
        {t("share.create")}
      </Button>
    </form>
  );
}
