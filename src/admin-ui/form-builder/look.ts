/** The ready themes, by the name of their file. */
export const THEMES = {
  'warm-paper': 'Warm paper',
  'soft-meadow': 'Soft meadow',
  'sharp-ink': 'Sharp ink',
  'bright-coral': 'Bright coral',
} as const;
export type Theme = keyof typeof THEMES;

/** The element's custom properties, in the order of docs/theming.md. */
export const PROPERTIES = {
  accent: { label: 'Accent', about: 'The button, what is chosen, focus', isColour: true },
  'on-accent': {
    label: 'Words on the accent',
    about: 'Black or white by itself, whichever contrasts more',
    isColour: true,
  },
  text: { label: 'Text', about: 'The page’s by itself', isColour: true },
  muted: { label: 'Quiet text', about: 'Hints', isColour: true },
  surface: {
    label: 'Ground',
    about: 'What the form stands on; the page by itself',
    isColour: true,
  },
  field: {
    label: 'Fields',
    about: 'The ground of fields, tiles and quiet buttons',
    isColour: true,
  },
  line: { label: 'Borders', about: 'Of fields and tiles', isColour: true },
  danger: { label: 'What is wrong', about: 'Red by itself', isColour: true },
  success: { label: 'Thank-you', about: 'Its tick; the accent by itself', isColour: true },
  radius: {
    label: 'Corners',
    about: 'A length with a unit, such as .25em or 0px',
    isColour: false,
  },
  gap: {
    label: 'Space between sections',
    about: 'A length with a unit, such as 2em',
    isColour: false,
  },
} as const;
export type Property = keyof typeof PROPERTIES;
export const PROPERTY_NAMES = Object.keys(PROPERTIES) as Property[];

/** A value for the light, and maybe another one for the dark. */
export interface Shades {
  readonly light?: string;
  readonly dark?: string;
}

export interface Look {
  readonly theme?: Theme;
  readonly values: Readonly<Partial<Record<Property, Shades>>>;
}

/** What a theme sets for a property. @param theme the text of its style sheet. */
export function themeShades(theme: string, name: Property): Shades {
  const [, value] = new RegExp(`--donation-${name}: ([^;]+);`).exec(theme) ?? [];
  if (value === undefined) return {};
  const [, light = value, dark = value] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
  return { light, dark };
}

/** A look with a value for light or dark changed. @param text empty: there is none. */
export function withShade(look: Look, name: Property, shade: keyof Shades, text: string): Look {
  const shades = Object.entries({ ...look.values[name], [shade]: text }).filter(
    ([, value]) => value !== '',
  );
  return { ...look, values: { ...look.values, [name]: Object.fromEntries(shades) } };
}

/** Whether a browser takes a value of a property. */
export type Supports = (property: string, value: string) => boolean;
const inThisBrowser: Supports = (property, value) => CSS.supports(property, value);

const isOneValue = (value: string): boolean => /^[^<>{};]*$/.test(value);

/** What is wrong with a value that was typed; `undefined` where nothing is. */
export function shadeProblem(
  look: Look,
  name: Property,
  shade: keyof Shades,
  theme: string,
  supports = inThisBrowser,
): string | undefined {
  const { light = '', dark = '' } = look.values[name] ?? {};
  const value = shade === 'light' ? light : dark;
  const { isColour } = PROPERTIES[name];
  if (
    shade === 'light' &&
    value === '' &&
    dark !== '' &&
    themeShades(theme, name).light === undefined
  )
    return 'Write the colour for light, too.';
  if (value === '') return undefined;
  const isGood =
    isOneValue(value) &&
    (isColour
      ? supports('color', value)
      : /\d[a-z%]|\)$/i.test(value) && supports('border-top-left-radius', value));
  if (isGood) return undefined;
  return isColour
    ? 'This is no colour. Write one such as #7a2e8e.'
    : 'This is no length. Write one with its unit, such as .5em or 0px.';
}

/**
 * What is set of a look, as style sheets write it: only what is right. A colour for one of light
 * and dark leaves the theme's for the other.
 */
export function declarationsOf(
  look: Look,
  theme: string,
  supports = inThisBrowser,
): [property: string, value: string][] {
  return PROPERTY_NAMES.flatMap((name): [string, string][] => {
    const own = look.values[name] ?? {};
    const ofTheme = themeShades(theme, name);
    if (
      Object.keys(own).length === 0 ||
      (['light', 'dark'] as const).some((shade) => shadeProblem(look, name, shade, theme, supports))
    )
      return [];
    const light = own.light ?? ofTheme.light!;
    const dark = own.dark ?? (PROPERTIES[name].isColour ? ofTheme.dark : undefined) ?? light;
    return [[`--donation-${name}`, dark === light ? light : `light-dark(${light}, ${dark})`]];
  });
}

/**
 * The style sheet of a look; empty where nothing is set.
 * @param theme the text of its theme's own style sheet.
 */
export function styleSheetOf(look: Look, theme: string, supports = inThisBrowser): string {
  const declarations = declarationsOf(look, theme, supports).map(
    ([property, value]) => `${property}: ${value};`,
  );
  const selector = look.theme ? `donation-form.theme-${look.theme}` : 'donation-form';
  if (declarations.length === 0) return theme.trim();
  const hasShades = declarations.some((declaration) => declaration.includes('light-dark('));
  const rule = `${selector} {\n${declarations.map((declaration) => `  ${declaration}`).join('\n')}\n}`;
  // A browser without light-dark() would take such a property for a wrong one, and show no colour
  // at all.
  const own = hasShades
    ? `@supports (color: light-dark(red, red)) {\n${rule.replaceAll(/^/gm, '  ')}\n}`
    : rule;
  return [theme.trim(), own].filter(Boolean).join('\n');
}
