/** The user's photo, saved as soon as it is cropped. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { removeAvatar, uploadAvatar } from "@/api";
import type { User } from "@/api/account";
import { AvatarField } from "@/components/avatar-editor";
import { FormAlert } from "@/components/form-alert";
import { useErrorText } from "@/hooks/use-error-text";

export function OwnAvatar({ user }: { user: User }) {
  const { t } = useTranslation(["settings", "auth"]);
  const errorText = useErrorText();
  // Shown at once, without waiting for the server's copy, until it is replaced.
  const [picture, setPicture] = useState<Blob | null>(null);
  const upload = useMutation({ mutationFn: uploadAvatar, onError: () => setPicture(null) });
  const remove = useMutation({ mutationFn: removeAvatar, onSuccess: () => setPicture(null) });

  const failure = () => {
    if (upload.error) return `${t("auth:profile.avatar_failed")}. ${errorText(upload.error)}`;
    return remove.error && `${t("avatar.remove_failed")}. ${errorText(remove.error)}`;
  };

  return (
    <div className="mb-6 flex flex-col gap-5">
      <FormAlert text={failure()} />
      <AvatarField
        user={user}
        picture={picture}
        busy={upload.isPending ? "upload" : remove.isPending ? "removal" : null}
        onPicture={(cropped) => {
          remove.reset();
          setPicture(cropped);
          upload.mutate(cropped);
        }}
        onRemove={() => {
          upload.reset();
          remove.mutate();
        }}
      />
    </div>
  );
}
