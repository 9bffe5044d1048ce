/** Joins class names; falsy ones are skipped. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
