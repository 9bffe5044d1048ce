/** Smooth scrolling, unless the reader prefers reduced motion. */
export const scrollBehavior = (): ScrollBehavior => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
