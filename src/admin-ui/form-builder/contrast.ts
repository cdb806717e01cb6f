import { getContrastRatio, type Rgb } from '@donation-form/core/color';
import { type Appearance, buildDeclarations, getThemeValues, type Property } from './appearance.ts';

type ContrastRequirement = readonly [
  foreground: Property,
  background: Property,
  minimum: number,
  label: string,
  help?: string,
];

/** Minimum contrast ratios of the form's colors (WCAG 2.2, 1.4.3 and 1.4.11). */
const REQUIREMENTS: readonly ContrastRequirement[] = [
  ['text', 'surface', 4.5, 'Text on the background'],
  ['text', 'field-background', 4.5, 'Text in fields'],
  ['muted', 'surface', 4.5, 'Muted text'],
  ['danger', 'surface', 4.5, 'Errors'],
  ['on-accent', 'accent', 4.5, 'Text on buttons'],
  ['border', 'surface', 3, 'Borders'],
  [
    'accent',
    'surface',
    3,
    'Accent color on the background',
    'The form adjusts the accent color for outlines and marks, but not for buttons.',
  ],
];

export type Scheme = 'light' | 'dark';
const SCHEMES = ['light', 'dark'] as const satisfies readonly Scheme[];

export interface ColorPalette {
  /** Returns the rendered color, or `undefined` if the form derives the color from another one. */
  readonly getColor: (property: Property, scheme: Scheme) => Rgb | undefined;
  readonly isCustomized: (property: Property) => boolean;
}

export function listContrastWarnings(palette: ColorPalette): string[] {
  return REQUIREMENTS.filter(
    ([foreground, background]) =>
      palette.isCustomized(foreground) || palette.isCustomized(background),
  ).flatMap((requirement) =>
    SCHEMES.flatMap((scheme) => createContrastWarning(requirement, scheme, palette) ?? []),
  );
}

function createContrastWarning(
  [foreground, background, minimum, label, help]: ContrastRequirement,
  scheme: Scheme,
  { getColor }: ColorPalette,
): string | undefined {
  const foregroundColor = getColor(foreground, scheme);
  const backgroundColor = getColor(background, scheme);
  if (!foregroundColor || !backgroundColor) return undefined;
  const ratio = getContrastRatio(foregroundColor, backgroundColor);
  if (ratio >= minimum) return undefined;
  const shownRatio = (Math.floor(ratio * 10) / 10).toFixed(1);
  const warning = `${label}, ${scheme}: the contrast is ${shownRatio}:1 but must be at least ${minimum}:1.`;
  return help === undefined ? warning : `${warning} ${help}`;
}

/** Default colors, which the form inherits from the page. */
const SYSTEM_COLORS: Readonly<Partial<Record<Property, string>>> = {
  text: 'CanvasText',
  surface: 'Canvas',
};

/** Creates a palette with an appearance's colors as this browser renders them. */
export function createColorPalette(
  appearance: Appearance,
  themeStyleSheet: string,
  sampleElement: HTMLElement,
): ColorPalette {
  const declarations = new Map(buildDeclarations(appearance, themeStyleSheet));
  const getCssColor = (property: Property): string | undefined => {
    const { light, dark } = getThemeValues(themeStyleSheet, property);
    const themeColor = light && dark ? `light-dark(${light}, ${dark})` : undefined;
    return declarations.get(`--donation-${property}`) ?? themeColor ?? SYSTEM_COLORS[property];
  };
  return {
    getColor: (property, scheme) => {
      const color =
        getCssColor(property) ??
        (property === 'field-background' ? getCssColor('surface') : undefined);
      return color === undefined ? undefined : computePixelColor(color, scheme, sampleElement);
    },
    isCustomized: (property) => declarations.has(`--donation-${property}`),
  };
}

let pixel: OffscreenCanvasRenderingContext2D | undefined;

function computePixelColor(color: string, scheme: Scheme, sampleElement: HTMLElement): Rgb {
  pixel ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  sampleElement.style.colorScheme = scheme;
  sampleElement.style.color = color;
  // Paint a white or black background first, because the color can be translucent.
  for (const paint of [
    scheme === 'light' ? '#fff' : '#000',
    getComputedStyle(sampleElement).color,
  ]) {
    pixel.fillStyle = paint;
    pixel.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
