/** Who may see which routes. */
import { Fragment, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { lastUserId, signedOutDeliberately, useUser } from "@/api";
import { Loading } from "@/components/loading";
import { returnTargetFrom } from "@/lib/chosen-plan";
import { type ReturnTarget, returnPath } from "@/lib/return-target";
import { PATHS } from "./paths";

/** Redirects guests to sign in, and remembers the page they wanted. */
export function RequireUser() {
  const user = useUser();
  const { pathname, search, hash } = useLocation();
  if (user) {
    // Keyed by the user, so that no page state is passed on to the next user.
    return (
      <Fragment key={user.id}>
        <Outlet />
      </Fragment>
    );
  }
  const owner = lastUserId();
  const state: ReturnTarget = signedOutDeliberately() ? {} : { from: pathname + search + hash, ...(owner && { user: owner }) };
  return (
    <>
      <Loading />
      <Navigate to={PATHS.login} state={state} replace />
    </>
  );
}

interface GuestOnlyProps {
  /** Where to go after signing in on this page; by default to the page they wanted. */
  then?: string;
}

/** Redirects signed-in users away from the sign-in pages. */
export function GuestOnly({ then }: GuestOnlyProps) {
  const user = useUser();
  const [cameAsGuest] = useState(user === null);
  const location = useLocation();
  if (!user) return <Outlet />;
  const place = (cameAsGuest && then) || returnPath(returnTargetFrom(location), user.id) || PATHS.dashboard;
  return <Navigate to={place} replace />;
}
