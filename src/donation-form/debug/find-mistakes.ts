/** Finds mistakes in a page's HTML and CSS that browsers accept silently. */
import {
  describeMisspelledAttributes,
  describeSuspectedContent,
} from '@donation-form/core/page-diagnosis';
import { toArray } from '../page/to-array.ts';
import { warnOnce } from './warn-once.ts';

/** Custom properties, with a CSS property that accepts the same values and what to write. */
export const CHECKED_STYLES: readonly (readonly [
  names: readonly string[],
  property: string,
  expected: string,
])[] = [
  [
    ['accent', 'on-accent', 'text', 'muted', 'border', 'danger', 'success'],
    'color',
    'a color, such as #7a2e8e',
  ],
  [['surface', 'field-background', 'choice-background'], 'background', 'a color, such as #7a2e8e'],
  [
    ['field-border-width', 'choice-border-width'],
    'border-width',
    'lengths with units, such as 1px',
  ],
  [['radius', 'gap'], 'border-radius', 'a length with a unit, such as .5em'],
  [['heading-font'], 'font-family', 'font names, such as Georgia, serif'],
];

/** Colors in which the button would be invisible. */
const INVISIBLE_ACCENT = /^(?:currentcolor|transparent)$/i;

const OUR_ELEMENTS = 'donation-button, donation-goal, [data-donation-form]';
const PAGE_CONTENT = `script, header, main, footer, h1, donation-form, ${OUR_ELEMENTS}`;

export function warnAboutMistakes(form: Element): void {
  try {
    findPageMistakes(form).forEach(warnOnce);
  } catch {
    // The page has replaced a function of the browser.
  }
}

/** Describes the mistakes of a form, and of its page's buttons, goals, and placeholders. */
export function findPageMistakes(form: Element): string[] {
  const elements = [form, ...toArray(document.querySelectorAll(OUR_ELEMENTS))];
  const tags = elements.filter(isProbablyUnclosed).map(({ localName }) => localName);
  return [...findMistakes(elements), ...[...new Set(tags)].map(describeSuspectedContent)];
}

/** Describes the mistakes of elements, each once, except those that only HTML source shows. */
export function findMistakes(elements: readonly Element[]): string[] {
  return [
    ...new Set(
      elements.flatMap((element) => [
        ...describeMisspelledAttributes(
          element.localName,
          toArray(element.attributes).map(({ name }) => name),
        ),
        ...findInvalidStyles(element),
      ]),
    ),
  ];
}

/** Returns true if an element contains what follows it, as it probably does without an end tag. */
function isProbablyUnclosed({ localName, firstChild, children }: Element): boolean {
  return (
    localName.startsWith('donation-') &&
    !firstChild?.nodeValue?.trim() &&
    toArray(children).some((child) => !child.slot && child.matches(PAGE_CONTENT))
  );
}

function findInvalidStyles(element: Element): string[] {
  const style = getComputedStyle(element);
  return CHECKED_STYLES.flatMap(([names, property, expected]) =>
    names.flatMap((name) => {
      const value = style.getPropertyValue(`--donation-${name}`).trim();
      const isValid =
        value === '' ||
        // Pages can have a variable named CSS.
        (globalThis.CSS.supports(property, value) &&
          !(name === 'accent' && INVISIBLE_ACCENT.test(value)));
      return isValid
        ? []
        : `--donation-${name} is invalid (${value.slice(0, 50)}); write ${expected}`;
    }),
  );
}
