/** Finds mistakes in a page's HTML and CSS that browsers accept silently. */
import {
  describeMisspelledAttributes,
  describeUnclosedElement,
} from '@donation-form/core/page-diagnosis';
import { toArray } from '../page/to-array.ts';

/** Custom properties, with a CSS property that accepts the same values and what to write. */
const STYLES: readonly (readonly [names: string, property: string, expected: string])[] = [
  ['accent on-accent text muted border danger success', 'color', 'a color, such as #7a2e8e'],
  ['surface field-background choice-background', 'background', 'a color, such as #7a2e8e'],
  ['field-border-width choice-border-width', 'border-width', 'lengths with units, such as 1px'],
  ['radius gap', 'border-radius', 'a length with a unit, such as .5em'],
  ['heading-font', 'font-family', 'font names, such as Georgia, serif'],
];

/** Describes the mistakes of our elements and placeholders, each once. */
export function findMistakes(elements: readonly Element[]): string[] {
  return [
    ...new Set(
      elements.flatMap((element) => [
        ...describeMisspelledAttributes(
          element.localName,
          toArray(element.attributes).map(({ name }) => name),
        ),
        ...(isUnclosed(element) ? [describeUnclosedElement(element.localName)] : []),
        ...findInvalidStyles(element),
      ]),
    ),
  ];
}

/** Returns true if an element contains several others of its page, as it does without an end tag. */
function isUnclosed({ firstChild, nextSibling, parentNode, children }: Element): boolean {
  // Scripts add elements to the end of the body.
  const isLast =
    !nextSibling ||
    (parentNode === document.body && nextSibling.nodeType === document.ELEMENT_NODE);
  const isIndented = firstChild?.nodeType === document.TEXT_NODE;
  return isLast && isIndented && toArray(children).filter(({ slot }) => !slot).length > 1;
}

function findInvalidStyles(element: Element): string[] {
  const style = getComputedStyle(element);
  return STYLES.flatMap(([names, property, expected]) =>
    names.split(' ').flatMap((name) => {
      const value = style.getPropertyValue(`--donation-${name}`).trim();
      return value === '' || CSS.supports(property, value)
        ? []
        : `--donation-${name} is invalid (${value.slice(0, 50)}); write ${expected}`;
    }),
  );
}
