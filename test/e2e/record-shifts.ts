import type { Page } from 'playwright/test';

/**
 * Records the layout shifts of the next page, with the elements that moved, even right after an
 * input. Turns motion on, because animations can move elements.
 */
export async function recordShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[])
        shifts.push(
          `${value}: ${sources
            .map(
              ({ node, previousRect, currentRect }) =>
                `${node?.nodeName} ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`,
            )
            .join()}`,
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}
