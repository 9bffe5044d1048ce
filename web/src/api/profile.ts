/** A user's profile. */
import { api, call, session } from "./client";
import type { ProfileForm } from "./schema";

/** Saves the profile; the new name is shown everywhere. */
export async function saveProfile(form: ProfileForm): Promise<void> {
  session.updateUser(await call(api.PUT("/api/v1/me/profile", { body: form })));
}
