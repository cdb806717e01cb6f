import type { Property } from './look.ts';

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** How much two colours differ for the eye, 1 to 21: WCAG 2.2, 'contrast ratio'. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [brighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (brighter + 0.05) / (darker + 0.05);
}

function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** What has to be seen on what: WCAG 2.2, 1.4.3 and 1.4.11. */
const PAIRS: readonly {
  readonly of: Property;
  readonly on: Property;
  readonly least: number;
  readonly words: string;
  readonly help?: string;
}[] = [
  { of: 'text', on: 'surface', least: 4.5, words: 'Text on the ground' },
  { of: 'text', on: 'field', least: 4.5, words: 'Text in fields' },
  { of: 'muted', on: 'surface', least: 4.5, words: 'Quiet text on the ground' },
  { of: 'danger', on: 'surface', least: 4.5, words: 'What is wrong, on the ground' },
  { of: 'on-accent', on: 'accent', least: 4.5, words: 'The words on the button' },
  { of: 'line', on: 'surface', least: 3, words: 'Borders on the ground' },
  {
    of: 'accent',
    on: 'surface',
    least: 3,
    words: 'The accent on the ground',
    help: 'The form makes it darker or lighter where it marks something, as far as it takes; the button keeps it.',
  },
];

export type Scheme = 'light' | 'dark';
const SCHEMES = ['light', 'dark'] as const satisfies readonly Scheme[];

/** The colours of a look. */
export interface Palette {
  /** A colour as it is seen; `undefined` where the form finds it itself. */
  readonly rgbOf: (property: Property, scheme: Scheme) => Rgb | undefined;
  /** Whether somebody has chosen it here. */
  readonly isChosen: (property: Property) => boolean;
}

/** What of a look is hard to see, in sentences. */
export function poorContrasts({ rgbOf, isChosen }: Palette): string[] {
  return PAIRS.filter(({ of, on }) => isChosen(of) || isChosen(on)).flatMap(
    ({ of, on, least, words, help }) =>
      SCHEMES.flatMap((scheme) => {
        const one = rgbOf(of, scheme);
        const other = rgbOf(on, scheme);
        const contrast = one && other && contrastOf(one, other);
        if (contrast === undefined || contrast >= least) return [];
        return [
          `${words}, ${scheme}: ${(Math.floor(contrast * 10) / 10).toFixed(1)} to 1, where ${least} to 1 is seen well.${help === undefined ? '' : ` ${help}`}`,
        ];
      }),
  );
}
