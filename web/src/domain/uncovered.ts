/** For a form with buttons that stay at the bottom of the page: keeps them, and the header, from covering a focused field. */
export const UNCOVERED = "[&_:is(input,textarea,select,button)]:scroll-mt-20 [&_:is(input,textarea,select,button)]:scroll-mb-24";
