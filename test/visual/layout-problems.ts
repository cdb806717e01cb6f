import type { Page } from 'playwright/test';

/** Styles of donors who enlarge text or its spacing (WCAG 1.4.4 and 1.4.12). */
const DONOR_STYLES = {
  'text at 200%': ':root { font-size: 200% }',
  'text spacing':
    '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } ' +
    'p { margin-bottom: 2em !important }',
};

/** Finds what does not fit on a phone with large text or much space between letters. */
export async function findProblemsOfLargeText(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 900 });
  const problems: string[] = [];
  for (const [name, css] of Object.entries(DONOR_STYLES)) {
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      for (const root of [document, document.querySelector('donation-form')!.shadowRoot!])
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    }, css);
    const found = await page.evaluate(findLayoutProblems, '*');
    // Rows of large text may have gaps.
    const serious = found.filter((problem) => !problem.startsWith('alone in a row'));
    problems.push(...serious.map((problem) => `${name}: ${problem}`));
    await page.evaluate(() => {
      for (const root of [document, document.querySelector('donation-form')!.shadowRoot!])
        root.adoptedStyleSheets = root.adoptedStyleSheets.slice(0, -1);
    });
  }
  return problems;
}

/**
 * Finds text that is clipped, elements that overflow or overlap, broken words, and gaps in rows of
 * choices. Runs in the page.
 */
export function findLayoutProblems(selector: string): string[] {
  const form = document.querySelector('donation-form')!;
  const root = form.shadowRoot!;
  const problems: string[] = [];
  const frame = form.getBoundingClientRect();
  const isLaidOut = (element: Element): boolean =>
    element.getClientRects().length > 0 &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('.visually-hidden, .test-badge, svg, select') &&
    !element.matches('.native, br');
  const describeElement = (element: Element): string =>
    `${element.localName}.${element.className} “${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  if (document.documentElement.scrollWidth > innerWidth) problems.push('the page scrolls sideways');
  const hasSpaces = !/^(ja|zh)/.test(form.getAttribute('language')!);
  const elements = [...root.querySelectorAll(selector)].filter(isLaidOut);
  for (const element of elements) {
    const { left, right } = element.getBoundingClientRect();
    if (left < frame.left - 1 || right > frame.right + 1)
      problems.push(`overflows: ${describeElement(element)}`);
    const texts = [...element.childNodes].filter(
      (node) => node instanceof Text && node.data.trim() !== '',
    ) as Text[];
    const { display, fontSize } = getComputedStyle(element);
    // Glyphs can be taller than the line in large text.
    if (
      texts.length > 0 &&
      display !== 'inline' &&
      (element.scrollWidth > element.clientWidth + 1 ||
        element.scrollHeight > element.clientHeight + parseFloat(fontSize) / 4)
    )
      problems.push(`clipped: ${describeElement(element)}`);
    const room = [...element.children]
      .filter((child) => child instanceof HTMLElement)
      .reduce((left, child) => left - child.offsetWidth * 1.5, element.clientWidth);
    for (const text of hasSpaces ? texts : []) {
      // Emails and URLs may be longer than a line.
      const words = text.data.replace(/\S*(@|:\/\/)\S*/g, (address) => ' '.repeat(address.length));
      for (const { index, 0: word } of words.matchAll(
        /[\p{L}\p{M}\p{N}\p{Sc}\u00a0\u200e\u200f\u2066-\u2069.,]+/gu,
      )) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const parts = [...range.getClientRects()];
        const width = parts.reduce((sum, part) => sum + part.width, 0);
        const lines = new Set(parts.map(({ top }) => Math.round(top / parseFloat(fontSize))));
        // A word that is longer than the line can only break.
        if (lines.size > 1 && width < room)
          problems.push(`broken word: ${word} in ${describeElement(element)}`);
      }
    }
    // Inline text has one box per line.
    // The payment field loads over its placeholder.
    const children = [...element.querySelectorAll(':scope > :not(.bones, .bone)')]
      .filter(isLaidOut)
      .map((child) => [child, [...child.getClientRects()]] as const);
    for (const [index, [one, boxes]] of children.entries()) {
      for (const [other, otherBoxes] of children.slice(index + 1)) {
        const doOverlap = (box: DOMRect, otherBox: DOMRect): boolean =>
          Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left) > 1.5 &&
          Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top) > 1.5;
        if (boxes.some((box) => otherBoxes.some((otherBox) => doOverlap(box, otherBox))))
          problems.push(`overlap: ${describeElement(one)} and ${describeElement(other)}`);
      }
    }
  }
  const context = document.createElement('canvas').getContext('2d')!;
  for (const input of root.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(input, '::placeholder');
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const { paddingLeft, paddingRight } = getComputedStyle(input);
    const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (context.measureText(input.placeholder).width > room + 1)
      problems.push(`clipped: “${input.placeholder}”`);
  }
  for (const group of root.querySelectorAll('.tiles, .segments')) {
    const rows = Map.groupBy(group.querySelectorAll('.choice'), (choice) =>
      Math.round(choice.getBoundingClientRect().top),
    );
    const { paddingLeft, columnGap } = getComputedStyle(group);
    const room = group.clientWidth - 2 * parseFloat(paddingLeft);
    for (const [index, row] of [...rows.values()].entries()) {
      const widths = row.map((choice) => choice.getBoundingClientRect().width);
      const gaps = (parseFloat(columnGap) || 0) * (row.length - 1);
      const rowWidth = widths.reduce((sum, width) => sum + width, gaps);
      const text = row.map((choice) => choice.textContent.trim()).join(' | ');
      if (Math.abs(rowWidth - room) > 2) problems.push(`gap of ${room - rowWidth} after ${text}`);
      if (
        index > 0 &&
        row.length === 1 &&
        rows.size < group.querySelectorAll('.choice').length &&
        !row[0]!.matches('.custom-amount')
      )
        problems.push(`alone in a row: ${text}`);
    }
  }
  const badge = root.querySelector('.test-badge')?.getBoundingClientRect();
  const title = new Range();
  for (const heading of root.querySelectorAll('legend, .title, h2')) {
    title.selectNodeContents(heading);
    const { left, right, top, bottom } = title.getBoundingClientRect();
    if (
      badge &&
      left < badge.right &&
      right > badge.left &&
      top < badge.bottom &&
      bottom > badge.top
    )
      problems.push(`the test badge covers “${heading.textContent}”`);
  }
  return problems;
}
