/** Themes by file name. */
export const THEME_LABELS = {
  'warm-paper': 'Warm paper',
  'soft-meadow': 'Soft meadow',
  'sharp-ink': 'Sharp ink',
  'bright-coral': 'Bright coral',
  bare: 'Bare',
} as const;
export type Theme = keyof typeof THEME_LABELS;

/** The element's custom properties, in the order of docs/theming.md. */
export const PROPERTIES = {
  accent: { label: 'Accent', hint: 'Buttons, selected options, focus', isColor: true },
  'on-accent': {
    label: 'Text on accent',
    hint: 'Default: black or white, whichever contrasts more',
    isColor: true,
  },
  text: { label: 'Text', hint: 'Default: the page’s text color', isColor: true },
  muted: { label: 'Muted text', hint: 'Hints', isColor: true },
  surface: { label: 'Background', hint: 'Default: the page’s background', isColor: true },
  'field-background': {
    label: 'Field background',
    hint: 'Fields and secondary buttons',
    isColor: true,
  },
  'field-border-width': {
    label: 'Field border width',
    hint: 'Such as 1px, or 0 0 1px for a line below each field',
    isColor: false,
  },
  'choice-background': {
    label: 'Choice background',
    hint: 'Frequencies, amounts, and other choices',
    isColor: true,
  },
  'choice-border-width': {
    label: 'Choice border width',
    hint: 'Frequencies and amounts. Default: 0',
    isColor: false,
  },
  border: { label: 'Borders', hint: 'Fields and choices', isColor: true },
  danger: { label: 'Errors', hint: 'Default: red', isColor: true },
  success: { label: 'Success', hint: 'The check mark. Default: the accent color', isColor: true },
  'heading-font': {
    label: 'Heading font',
    hint: 'Names of fonts. Default: the page’s font',
    isColor: false,
  },
  radius: {
    label: 'Corner radius',
    hint: 'A length with a unit, such as .25em or 0px',
    isColor: false,
  },
  gap: {
    label: 'Space between sections',
    hint: 'A length with a unit, such as 2em',
    isColor: false,
  },
} as const;
export type Property = keyof typeof PROPERTIES;
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as Property[];

/** Values of a property by color scheme. */
export interface SchemeValues {
  readonly light?: string;
  readonly dark?: string;
}

export interface Appearance {
  readonly theme?: Theme;
  readonly values: Readonly<Partial<Record<Property, SchemeValues>>>;
}

/** Reads the value that a theme sets for a property. */
export function getThemeValues(themeStyleSheet: string, name: Property): SchemeValues {
  const [, value] = new RegExp(`--donation-${name}: ([^;]+);`).exec(themeStyleSheet) ?? [];
  if (value === undefined) return {};
  const [, light = value, dark = value] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
  return { light, dark };
}

/** @param text an empty string removes the value. */
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

/** Returns an error message for an invalid value. */
export function validateSchemeValue(
  appearance: Appearance,
  name: Property,
  scheme: keyof SchemeValues,
  themeStyleSheet: string,
  supports = supportsInThisBrowser,
): string | undefined {
  const { light = '', dark = '' } = appearance.values[name] ?? {};
  const value = scheme === 'light' ? light : dark;
  const { isColor } = PROPERTIES[name];
  const isLightMissing =
    scheme === 'light' &&
    value === '' &&
    dark !== '' &&
    getThemeValues(themeStyleSheet, name).light === undefined;
  if (isLightMissing) return 'Enter the color for light mode, too.';
  if (value === '') return undefined;
  const isSupported = isColor
    ? supports('color', value)
    : /\d[a-z%]|\)$/i.test(value) && supports('border-top-left-radius', value);
  if (isSingleValue(value) && isSupported) return undefined;
  return isColor
    ? 'Enter a valid color, such as #7a2e8e.'
    : 'Enter a length with a unit, such as .5em or 0px.';
}

/**
 * Builds the CSS declarations of the valid values. A color for only one scheme keeps the theme's
 * color for the other.
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
    const themeDark = PROPERTIES[name].isColor ? themeValues.dark : undefined;
    const dark = values.dark ?? themeDark ?? light;
    return [[`--donation-${name}`, dark === light ? light : `light-dark(${light}, ${dark})`]];
  });
}

/** Builds the theme's style sheet with the changed properties; empty if nothing is set. */
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
  const selector = appearance.theme ? `donation-form.theme-${appearance.theme}` : 'donation-form';
  const rule = `${selector} {\n${declarations.join('\n')}\n}`;
  const usesLightDark = declarations.some((declaration) => declaration.includes('light-dark('));
  // Browsers without light-dark() would treat the property as invalid and show no color at all.
  const guardedRule = usesLightDark
    ? `@supports (color: light-dark(red, red)) {\n${rule.replaceAll(/^/gm, '  ')}\n}`
    : rule;
  return [theme, guardedRule].filter(Boolean).join('\n');
}
