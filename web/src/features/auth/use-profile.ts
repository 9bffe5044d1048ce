import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { ApiError, saveProfile, type User, uploadAvatar } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { planOfReturnTarget, planRequestPath } from "@/lib/chosen-plan";
import { returnTarget } from "@/lib/return-target";
import { toast } from "@/lib/toast";
import { validateProfile } from "@/rules";
import { formFailure } from "./failures";
import { type FieldErrors, firstOfEach } from "./field-errors";

/** The profile's form: filled with known data, validated with the shared rules, and saved with the photo. */
export function useProfile(user: User | null) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const navigate = useNavigate();
  // Chosen before the sign-in at another server: the page of plans shows the state of the request, or sends it.
  const plan = planOfReturnTarget(returnTarget(useLocation().state));
  const [form, setForm] = useState({
    fullname: user?.fullname ?? "",
    usage: user?.usage ?? "",
    // Only the user ticks it; it is not shown again after consent.
    terms: user?.terms_accepted ?? false,
  });
  const [asksForTerms] = useState(!user?.terms_accepted);
  // A user who returns to change something is not welcomed as a new one.
  const [wasNamed] = useState(Boolean(user?.fullname));
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
    if (broken.terms) toast.refusal(violationText(broken.terms));
    refused();
    return Object.keys(broken).length > 0;
  };

  /** False if it failed: the profile is saved anyway, and the photo is unchanged. */
  const sendPicture = async (): Promise<boolean> => {
    if (picture === null) return true;
    setPicture(null);
    try {
      await uploadAvatar(picture);
      return true;
    } catch (error) {
      console.warn(error);
      return false;
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    toast.dismissRefusal();
    if (show(validateProfile(form))) return;
    setBusy(true);
    let pictureSent = true;
    try {
      pictureSent = await sendPicture();
      await saveProfile(form);
      toast.success(t("profile.saved"));
      await navigate(plan !== null ? planRequestPath(plan) : wasNamed ? "/dashboard" : "/success");
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError && error.code === "validation_failed" && show(error.violations))) setFailure(error);
    } finally {
      // After the profile's own message, so that it is on top.
      if (!pictureSent) toast.error(t("profile.avatar_failed"));
    }
  };

  const failureText = () => {
    if (failure === null) return null;
    return formFailure(failure) === "named" ? errorText(failure) : t("profile.failed");
  };

  return { element, form, edit, asksForTerms, picture, setPicture, errors, failure: failureText(), busy, submit };
}
