/** Red, green, and blue values, from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function getContrastRatio(first: Rgb, second: Rgb): number {
  const luminances = [getRelativeLuminance(first), getRelativeLuminance(second)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** Returns the relative luminance of a color, from 0 to 1 (WCAG 2.2, "relative luminance"). */
function getRelativeLuminance(color: Rgb): number {
  const [red, green, blue] = color
    .map((channel) => channel / 255)
    .map((channel) =>
      channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
    ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
