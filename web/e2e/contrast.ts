/** The WCAG contrast ratio of colours as computed by the browser: `rgb(…)`, `rgba(…)`. */

/** From 1 to 21. Transparent colours are blended with `under`, and that with the opaque colour of the page. */
export function contrast(over: string, under: string, page = under): number {
  const back = blend(parse(under), parse(page));
  const [dark = 0, light = 0] = [blend(parse(over), back), back].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Red, green, blue from 0 to 255, and alpha from 0 to 1. */
type Colour = [number, number, number, number];

function parse(colour: string): Colour {
  const [red, green, blue, cover = 1] =
    /^rgba?\((.+)\)$/
      .exec(colour)?.[1]
      ?.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`no colour: ${colour}`);
  return [red, green, blue, cover];
}

const blend = ([red, green, blue, cover]: Colour, [r, g, b]: Colour): Colour => {
  const mix = (one: number, other: number) => one * cover + other * (1 - cover);
  return [mix(red, r), mix(green, g), mix(blue, b), 1];
};

function luminance([red, green, blue]: Colour): number {
  const linear = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
