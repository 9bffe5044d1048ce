/** Who may see which routes. */
import { Fragment, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { lastUserId, leftOnPurpose, useUser } from "@/api";
import { Loading } from "@/components/loading";
import { wayBackFrom } from "@/lib/chosen-plan";
import { placeWanted, type WayBack } from "@/lib/way-back";
import { PATHS } from "./paths";

/** Sends strangers to sign in, and remembers where they wanted to go. */
export function RequireUser() {
  const user = useUser();
  const { pathname, search, hash } = useLocation();
  if (user) {
    // Nothing that a page holds of one user is there for the next one.
    return (
      <Fragment key={user.id}>
        <Outlet />
      </Fragment>
    );
  }
  const owner = lastUserId();
  const state: WayBack = leftOnPurpose() ? {} : { from: pathname + search + hash, ...(owner && { user: owner }) };
  return (
    <>
      <Loading />
      <Navigate to={PATHS.login} state={state} replace />
    </>
  );
}

interface GuestOnlyProps {
  /** Where who signs in on this page is led; without it, where they wanted to go. */
  then?: string;
}

/** Who is signed in has no business on the sign-in pages. */
export function GuestOnly({ then }: GuestOnlyProps) {
  const user = useUser();
  const [cameAsGuest] = useState(user === null);
  const location = useLocation();
  if (!user) return <Outlet />;
  const place = (cameAsGuest && then) || placeWanted(wayBackFrom(location), user.id) || PATHS.dashboard;
  return <Navigate to={place} replace />;
}
