import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { ApiError, saveProfile, type User, uploadAvatar } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { validateProfile } from "@/rules";
import { formFailure } from "./failures";
import { type FieldErrors, firstOfEach } from "./field-errors";
import { useInvalidFocus } from "./use-invalid-focus";

/** The profile's form: filled with what is known, checked by the shared rules, saved with the photo. */
export function useProfile(user: User | null) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const [form, setForm] = useState({
    fullname: user?.fullname ?? "",
    usage: user?.usage ?? "",
    // A name is there only after they have been agreed to: here, or on the way to Google.
    terms: Boolean(user?.fullname),
  });
  const [picture, setPicture] = useState<Blob | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  const edit = <F extends keyof typeof form>(field: F, value: (typeof form)[F]) => {
    setForm({ ...form, [field]: value });
    setErrors({ ...errors, [field]: undefined });
    setFailure(null);
  };

  const show = (violations: readonly BrokenRule[]): boolean => {
    const broken = firstOfEach(violations);
    setErrors(broken);
    if (broken.terms) toast.error(violationText(broken.terms));
    refused();
    return Object.keys(broken).length > 0;
  };

  /** The profile is saved all the same: the old photo, or none, stays. */
  const sendPicture = async () => {
    if (picture === null) return;
    try {
      await uploadAvatar(picture);
    } catch (error) {
      console.warn(error);
      toast.error(t("profile.avatar_failed"));
    }
    setPicture(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    toast.dismissAll();
    if (show(validateProfile(form))) return;
    setBusy(true);
    try {
      await sendPicture();
      await saveProfile(form);
      toast.success(t("profile.saved"));
      await navigate("/success");
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError && error.code === "validation_failed" && show(error.violations))) setFailure(error);
    }
  };

  const failureText = () => {
    if (failure === null) return null;
    return formFailure(failure) === "named" ? errorText(failure) : t("profile.failed");
  };

  return { element, form, edit, picture, setPicture, errors, failure: failureText(), busy, submit };
}
