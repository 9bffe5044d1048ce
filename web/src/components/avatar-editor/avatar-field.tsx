/**
 * The photo with its buttons. It returns the cropped image without uploading it: one page saves at once, another with
 * its form.
 */
import { CircleAlert } from "lucide-react";
import { type ChangeEvent, lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAvatarUrl, useObjectUrl } from "@/api";
import { Button } from "@/components/button";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { Avatar } from "./avatar";
import { decode, NOT_AN_IMAGE, originalViolation } from "./original";

const CropDialog = lazy(async () => ({ default: (await import("./crop-dialog")).CropDialog }));

const ACCEPT = ".png,.jpg,.jpeg,.webp,image/png,image/jpeg,image/webp";

interface AvatarFieldProps {
  /** The user's initials, shown without a photo, and the version on the server. */
  user: { initials: string; avatar: string | null };
  /** A cropped image that is not uploaded yet: shown instead of the server's. */
  picture: Blob | null;
  /** A cropped image within the limits of the rules: WebP or JPEG, at most 800x800. */
  onPicture: (picture: Blob) => void;
  /** Removes the shown photo; without it there is no such button. */
  onRemove?: (() => void) | undefined;
  /** The server operation in progress. */
  busy?: "upload" | "removal" | null;
}

export function AvatarField({ user, picture, onPicture, onRemove, busy = null }: AvatarFieldProps) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const hint = useId();
  const picker = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { photo, fault, open, close, fail } = useOriginal();
  const preview = useObjectUrl(picture);
  const saved = useAvatarUrl(user.avatar);
  const hasPicture = picture !== null || user.avatar !== null;
  const removable = hasPicture && onRemove !== undefined;
  const removing = useRef(false);

  // The button disappears with the photo, so the focus moves to the button beside it.
  useEffect(() => {
    if (removing.current && !removable) opener.current?.focus();
    if (!removable) removing.current = false;
  }, [removable]);

  const picked = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // Lets the same file be chosen again after it was refused or the crop was cancelled.
    event.currentTarget.value = "";
    if (file) void open(file);
  };

  const remove = () => {
    removing.current = true;
    onRemove?.();
  };

  const closed = () => {
    close();
    opener.current?.focus();
  };

  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-[0.9375rem] font-strong">{t("avatar.label")}</legend>
      <div className="flex items-center gap-4">
        <Avatar url={preview ?? saved} initials={user.initials} className="size-20 text-2xl" />
        <div className="flex min-w-0 flex-wrap gap-2">
          <Button
            ref={opener}
            busy={busy === "upload"}
            disabled={busy === "removal"}
            onClick={() => picker.current?.click()}
            aria-describedby={hint}
          >
            {t(hasPicture ? "avatar.change" : "avatar.choose")}
          </Button>
          {removable && (
            <Button look="quiet" busy={busy === "removal"} disabled={busy === "upload"} onClick={remove}>
              {t("avatar.remove")}
            </Button>
          )}
        </div>
        <input ref={picker} type="file" hidden accept={ACCEPT} aria-label={t("avatar.choose")} onChange={picked} />
      </div>
      <p id={hint} className="text-sm text-ink-faint">
        {t("avatar.hint")}
      </p>
      <p role="alert" className="not-has-[svg]:sr-only flex items-start gap-1.5 text-sm text-bad">
        {fault && <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />}
        {fault && violationText(fault)}
      </p>
      {photo && (
        <Suspense>
          <CropDialog
            photo={photo}
            onClose={closed}
            onFail={() => {
              fail();
              closed();
            }}
            onCrop={(cut) => {
              onPicture(cut);
              closed();
            }}
          />
        </Suspense>
      )}
    </fieldset>
  );
}

/** The photo that is being cropped, from choosing the file until the dialog closes. */
function useOriginal() {
  const [photo, setPhoto] = useState<HTMLImageElement | null>(null);
  const [fault, setFault] = useState<BrokenRule | null>(null);
  // The object URL is revoked when the dialog closes.
  useEffect(() => () => URL.revokeObjectURL(photo?.src ?? ""), [photo]);

  const open = async (file: File) => {
    setFault(null);
    let url: string | null = null;
    try {
      const refused = await originalViolation(file);
      if (refused) return setFault(refused);
      url = URL.createObjectURL(file);
      setPhoto(await decode(url));
    } catch {
      // It cannot be read or decoded: deleted meanwhile, damaged, or too large for memory.
      if (url) URL.revokeObjectURL(url);
      setFault(NOT_AN_IMAGE);
    }
  };

  return { photo, fault, open, close: () => setPhoto(null), fail: () => setFault(NOT_AN_IMAGE) };
}
