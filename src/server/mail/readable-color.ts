import { getContrastRatio, type Rgb } from '@donation-form/core/color';

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** For text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
const STEPS = 20;

/**
 * Makes a color darker or lighter until it is readable on the background, which is nearly white or
 * nearly black. Colors are like `#0a6e5c`.
 */
export function makeReadable(color: string, background: string): string {
  const from = parseColor(color);
  const surface = parseColor(background);
  const to = getContrastRatio(WHITE, surface) < MIN_CONTRAST ? BLACK : WHITE;
  const mixed = Array.from({ length: STEPS + 1 }, (_, step) => mixColors(from, to, step / STEPS));
  return formatColor(
    mixed.find((candidate) => getContrastRatio(candidate, surface) >= MIN_CONTRAST) ?? to,
  );
}

const mixColors = (from: Rgb, to: Rgb, share: number): Rgb =>
  mapChannels((index) => Math.round(from[index]! + (to[index]! - from[index]!) * share));

const parseColor = (color: string): Rgb =>
  mapChannels((index) => Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16));

const formatColor = (color: Rgb): string =>
  `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

const mapChannels = (get: (index: number) => number): Rgb => [get(0), get(1), get(2)];
