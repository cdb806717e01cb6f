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

/** CSS custom properties of the form element, in the same order as in docs/reference/theming.md. */
export const PROPERTIES = {
  accent: { label: 'Accent', hint: 'Buttons, selected options, and focus outlines', kind: 'color' },
  'on-accent': {
    label: 'Text on accent',
    hint: 'Default: black or white, whichever contrasts more',
    kind: 'color',
  },
  text: { label: 'Text', hint: 'Default: the page’s text color', kind: 'color' },
  muted: { label: 'Muted text', hint: 'Hints', kind: 'color' },
  surface: { label: 'Background', hint: 'Default: the page’s background', kind: 'color' },
  'field-background': {
    label: 'Field background',
    hint: 'Fields and secondary buttons',
    kind: 'color',
  },
  'field-border-width': {
    label: 'Field border width',
    hint: 'For example, 1px, or 0 0 1px for a line below each field',
    kind: 'widths',
  },
  'choice-background': {
    label: 'Choice background',
    hint: 'Frequencies, amounts, and other choices',
    kind: 'color',
  },
  'choice-border-width': {
    label: 'Choice border width',
    hint: 'Frequencies and amounts. Default: 0',
    kind: 'widths',
  },
  border: { label: 'Borders', hint: 'Fields and choices', kind: 'color' },
  danger: { label: 'Errors', hint: 'Default: red', kind: 'color' },
  success: {
    label: 'Success',
    hint: 'Color of the check mark. Default: the accent color',
    kind: 'color',
  },
  'heading-font': {
    label: 'Heading font',
    hint: 'Font names. Default: the page’s font',
    kind: 'fonts',
  },
  radius: {
    label: 'Corner radius',
    hint: 'A length with a unit, such as .25em or 0px',
    kind: 'length',
  },
  gap: {
    label: 'Space between sections',
    hint: 'A length with a unit, such as 2em',
    kind: 'length',
  },
} as const;
export type Property = keyof typeof PROPERTIES;
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as Property[];

/** A property's values for light mode and dark mode. */
export interface SchemeValues {
  readonly light?: string;
  readonly dark?: string;
}

export interface Appearance {
  readonly theme?: Theme;
  readonly values: Readonly<Partial<Record<Property, SchemeValues>>>;
}

/** Reads the values that a theme sets for a property. */
export function getThemeValues(themeStyleSheet: string, name: Property): SchemeValues {
  const [, value] = new RegExp(`--donation-${name}:\\s+([^;]+);`).exec(themeStyleSheet) ?? [];
  if (value === undefined) return {};
  const [, light = value, dark = value] =
    /^light-dark\((.{1,200}), (.{1,200})\)$/.exec(value) ?? [];
  return { light, dark };
}

/**
 * Returns a copy of the appearance with one value replaced.
 * @param text new value, or an empty string to remove the value.
 */
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

/** Returns true if the browser supports a value for a CSS property. */
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
  const { kind } = PROPERTIES[name];
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

/**
 * Builds the CSS declarations for all valid values. If the user sets a color for only one scheme,
 * the other scheme uses the theme's color.
 */
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
    const themeDark = PROPERTIES[name].kind === 'color' ? themeValues.dark : undefined;
    const dark = values.dark ?? themeDark ?? light;
    return [[`--donation-${name}`, dark === light ? light : `light-dark(${light}, ${dark})`]];
  });
}

/**
 * Builds the theme's style sheet with the customized properties. Returns an empty string if there
 * is neither a theme nor a customized property.
 */
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
