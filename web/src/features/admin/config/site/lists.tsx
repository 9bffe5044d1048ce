/** Lists for the public pages: links to other sites, and testimonials. */
import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { SocialLink, Testimonial } from "@/api/admin-site";
import { Button } from "@/components/button";
import { CONTROL, Field, FieldError, TextInput } from "@/components/field";
import { IconButton } from "@/components/icon-button";
import { MAX_RATING } from "@/rules/constants";
import type { SiteForm } from "./use-site-form";

/** In descending order. */
const RATINGS = Array.from({ length: MAX_RATING }, (_, below) => MAX_RATING - below);

interface ListProps<Entry> {
  title: string;
  hint: string;
  error: string | undefined;
  entries: readonly Entry[];
  /** The initial value of an entry. */
  blank: Entry;
  add: string;
  remove: (position: number) => string;
  onChange: (entries: Entry[]) => void;
  children: (entry: Entry, position: number, change: (change: Partial<Entry>) => void) => ReactNode;
}

function List<Entry>({ title, hint, error, entries, blank, add, remove, onChange, children }: ListProps<Entry>) {
  const id = useId();
  const put = (position: number, change: Partial<Entry>) =>
    onChange(entries.map((entry, at) => (at === position ? { ...entry, ...change } : entry)));
  return (
    <fieldset className="flex flex-col gap-3" aria-describedby={error && `${id}-error`}>
      <legend className="text-[0.9375rem] font-strong">{title}</legend>
      <p className="text-sm text-ink-faint">{hint}</p>
      {entries.length > 0 && (
        <ul className="flex flex-col gap-4">
          {entries.map((entry, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no names of their own, and keep their order
            <li key={position} className="flex items-start gap-3">
              <div className="min-w-0 flex-1">{children(entry, position, (change) => put(position, change))}</div>
              <IconButton
                label={remove(position + 1)}
                className="mt-7"
                onClick={() => onChange(entries.filter((_, at) => at !== position))}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <FieldError id={`${id}-error`} text={error} />
      <Button size="small" className="self-start" onClick={() => onChange([...entries, blank])}>
        <Plus aria-hidden="true" />
        {add}
      </Button>
    </fieldset>
  );
}

export function SocialLinks({ form }: { form: SiteForm }) {
  const { t } = useTranslation("admin-site");
  return (
    <List<SocialLink>
      title={t("fields.social.label")}
      hint={t("fields.social.hint")}
      error={form.errorOf("social")}
      entries={form.values.social}
      blank={{ name: "", url: "" }}
      add={t("fields.social.add")}
      remove={(number) => t("fields.social.remove", { number })}
      onChange={(social) => form.change({ social })}
    >
      {(link, position, change) => (
        <div className="grid gap-x-5 gap-y-3 sm:grid-cols-[1fr_2fr]">
          <Field label={t("fields.social.name")} error={form.errorOf(`social.${position}.name`)}>
            {(wiring) => <TextInput {...wiring} value={link.name} onChange={(event) => change({ name: event.target.value })} />}
          </Field>
          <Field label={t("fields.social.url")} error={form.errorOf(`social.${position}.url`)}>
            {(wiring) => (
              <TextInput
                {...wiring}
                type="url"
                placeholder="https://"
                spellCheck={false}
                value={link.url}
                onChange={(event) => change({ url: event.target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </List>
  );
}

export function Testimonials({ form }: { form: SiteForm }) {
  const { t } = useTranslation("admin-site");
  const error = (position: number, field: keyof Testimonial) => form.errorOf(`own_testimonials.${position}.${field}`);
  return (
    <List<Testimonial>
      title={t("fields.own_testimonials.label")}
      hint={t("fields.own_testimonials.hint")}
      error={form.errorOf("own_testimonials")}
      entries={form.values.own_testimonials}
      blank={{ name: "", role: "", content: "", rating: 5 }}
      add={t("fields.own_testimonials.add")}
      remove={(number) => t("fields.own_testimonials.remove", { number })}
      onChange={(own_testimonials) => form.change({ own_testimonials })}
    >
      {(entry, position, change) => (
        <div className="grid gap-x-5 gap-y-3 sm:grid-cols-[1fr_1fr_6rem]">
          <Field label={t("fields.own_testimonials.name")} error={error(position, "name")}>
            {(wiring) => <TextInput {...wiring} value={entry.name} onChange={(event) => change({ name: event.target.value })} />}
          </Field>
          <Field label={t("fields.own_testimonials.role")} error={error(position, "role")}>
            {(wiring) => <TextInput {...wiring} value={entry.role} onChange={(event) => change({ role: event.target.value })} />}
          </Field>
          <Field label={t("fields.own_testimonials.rating")} error={error(position, "rating")}>
            {(wiring) => (
              <select
                {...wiring}
                className={CONTROL}
                value={entry.rating}
                onChange={(event) => change({ rating: Number(event.target.value) })}
              >
                {RATINGS.map((rating) => (
                  <option key={rating} value={rating}>
                    {rating}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t("fields.own_testimonials.content")} error={error(position, "content")} className="sm:col-span-3">
            {(wiring) => (
              <textarea
                {...wiring}
                rows={3}
                className={`${CONTROL} h-auto py-2`}
                value={entry.content}
                onChange={(event) => change({ content: event.target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </List>
  );
}
