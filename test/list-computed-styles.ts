/**
 * Lists the computed styles of a page's elements, without the colors that the form registers, which
 * have a value everywhere. Runs in the page.
 */
export function listComputedStyles(selector: string): string[] {
  return [...document.querySelectorAll(selector)].map((element) => {
    const style = getComputedStyle(element);
    return [
      element.localName,
      ...[...style]
        .filter((name) => !name.startsWith('--_donation-'))
        // Chromium lists custom properties in an order that differs between pages.
        .sort()
        .map((name) => `${name}: ${style.getPropertyValue(name)}`),
    ].join('\n');
  });
}
