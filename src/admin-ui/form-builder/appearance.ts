/** Labels of the themes, keyed by file name. */
export const THEME_LABELS = {
  'warm-paper': 'Warm paper',
  'soft-meadow': 'Soft meadow',
  'sharp-ink': 'Sharp ink',
  'bright-coral': 'Bright coral',
  bare: 'Bare',
} as const;
export type Theme = keyof typeof THEME_LABELS;

/** Kinds of values, each with a CSS property for validating them and an error message. */
const KINDS = {
  color: { property: 'color', problem: 'Enter a valid color, such as #7a2e8e.' },
  length: {
    property: 'border-top-left-radius',
    problem: 'Enter a length with a unit, such as .5em or 0px.',
  },
  widths: { property: 'border-width', problem: 'Enter one to four lengths, such as 0 0 1px.' },
  fonts: { property: 'font-family', problem: 'Enter font names, such as Georgia, serif.' },
} as const;

/**
 * Kind, label, and hint of the form element's CSS custom properties, in the same order as in
 * docs/reference/theming.md.
 */
export const PROPERTIES = {
  accent: ['color', 'Accent', 'Buttons, selected options, and focus outlines'],
  'on-accent': ['color', 'Text on accent', 'Default: black or white, whichever contrasts more'],
  text: ['color', 'Text', 'Default: the page’s text color'],
  muted: ['color', 'Muted text', 'Hints'],
  surface: ['color', 'Background', 'Default: the page’s background'],
  'field-background': ['color', 'Field background', 'Fields and secondary buttons'],
  'field-border-width': [
    'widths',
    'Field border width',
    'For example, 1px, or 0 0 1px for a line below each field',
  ],
  'choice-background': ['color', 'Choice background', 'Frequencies, amounts, and other choices'],
  'choice-border-width': ['widths', 'Choice border width', 'Frequencies and amounts. Default: 0'],
  border: ['color', 'Borders', 'Fields and choices'],
  danger: ['color', 'Errors', 'Default: red'],
  success: ['color', 'Success', 'Color of the check mark. Default: the accent color'],
  'heading-font': ['fonts', 'Heading font', 'Font names. Default: the page’s font'],
  radius: ['length', 'Corner radius', 'A length with a unit, such as .25em or 0px'],
  gap: ['length', 'Space between sections', 'A length with a unit, such as 2em'],
} as const;
export type Property = keyof typeof PROPERTIES;
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as Property[];

export interface SchemeValues {
  readonly light?: string;
  readonly dark?: string;
}

export interface Appearance {
  readonly theme?: Theme;
  readonly values: Readonly<Partial<Record<Property, SchemeValues>>>;
}

export function getThemeValues(themeStyleSheet: string, name: Property): SchemeValues {
  const [, value] = new RegExp(`--donation-${name}:\\s+([^;]+);`).exec(themeStyleSheet) ?? [];
  if (value === undefined) return {};
  const [, light = value, dark = value] =
    /^light-dark\((.{1,200}), (.{1,200})\)$/.exec(value) ?? [];
  return { light, dark };
}

/** Returns a copy of the appearance with one value replaced or, for an empty text, removed. */
export function replaceSchemeValue(
  appearance: Appearance,
  name: Property,
  scheme: keyof SchemeValues,
  text: string,
): Appearance {
  const schemeValues = Object.entries({ ...appearance.values[name], [scheme]: text }).filter(
    ([, value]) => value !== '',
  );
  const values = { ...appearance.values, [name]: Object.fromEntries(schemeValues) };
  return { ...appearance, values };
}

export type SupportsCss = (property: string, value: string) => boolean;
const supportsInThisBrowser: SupportsCss = (property, value) => CSS.supports(property, value);

const isSingleValue = (value: string): boolean => /^[^<>{};]*$/.test(value);

/** Returns an error message for an invalid value, or `undefined` for a valid one. */
export function validateSchemeValue(
  appearance: Appearance,
  name: Property,
  scheme: keyof SchemeValues,
  themeStyleSheet: string,
  supports = supportsInThisBrowser,
): string | undefined {
  const { light = '', dark = '' } = appearance.values[name] ?? {};
  const value = scheme === 'light' ? light : dark;
  const [kind] = PROPERTIES[name];
  const isLightMissing =
    scheme === 'light' &&
    value === '' &&
    dark !== '' &&
    getThemeValues(themeStyleSheet, name).light === undefined;
  if (isLightMissing) return 'Enter the color for light mode, too.';
  if (value === '') return undefined;
  const hasUnit = kind !== 'length' || /\d[a-z%]|\)$/i.test(value);
  const { property, problem } = KINDS[kind];
  return isSingleValue(value) && hasUnit && supports(property, value) ? undefined : problem;
}

/** Builds the CSS declarations for all valid values. A missing color comes from the theme. */
export function buildDeclarations(
  appearance: Appearance,
  themeStyleSheet: string,
  supports = supportsInThisBrowser,
): [property: string, value: string][] {
  return PROPERTY_NAMES.flatMap((name): [string, string][] => {
    const values = appearance.values[name] ?? {};
    const isInvalid = (['light', 'dark'] as const).some((scheme) =>
      validateSchemeValue(appearance, name, scheme, themeStyleSheet, supports),
    );
    if (Object.keys(values).length === 0 || isInvalid) return [];
    const themeValues = getThemeValues(themeStyleSheet, name);
    const light = values.light ?? themeValues.light!;
    const themeDark = PROPERTIES[name][0] === 'color' ? themeValues.dark : undefined;
    const dark = values.dark ?? themeDark ?? light;
    return [[`--donation-${name}`, dark === light ? light : `light-dark(${light}, ${dark})`]];
  });
}

/** Builds the theme's style sheet with the customized properties, or an empty string. */
export function buildStyleSheet(
  appearance: Appearance,
  themeStyleSheet: string,
  supports = supportsInThisBrowser,
): string {
  const declarations = buildDeclarations(appearance, themeStyleSheet, supports).map(
    ([property, value]) => `  ${property}: ${value};`,
  );
  const theme = themeStyleSheet.trim();
  if (declarations.length === 0) return theme;
  const selector = appearance.theme
    ? `donation-form:where(.theme-${appearance.theme})`
    : 'donation-form';
  const rule = `${selector} {\n${declarations.join('\n')}\n}`;
  const usesLightDark = declarations.some((declaration) => declaration.includes('light-dark('));
  // Browsers without light-dark() would treat the property as invalid and show no color at all.
  // Lightning CSS would replace light-dark() if both colors of the condition were the same.
  const guardedRule = usesLightDark
    ? `@supports (color: light-dark(white, black)) {\n${rule.replaceAll(/^/gm, '  ')}\n}`
    : rule;
  return [theme, guardedRule].filter(Boolean).join('\n');
}
