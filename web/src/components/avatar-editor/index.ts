/** A user's photo: chosen, cropped, previewed. */
export { Avatar } from "./avatar";
export { AvatarField } from "./avatar-field";
