import type { CDPSession, Page } from 'playwright';
import { addForms, answerForeignRequests, type Loading } from './page-functions.ts';
import type { Stage } from './stage.ts';
import { ADYEN, NORMAL_SIZE, type Size, type Subject } from './subjects.ts';

/** A page with forms whose script is not loaded yet. */
export interface PreparedPage extends AsyncDisposable {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly loading: Loading;
}

/** Opens a page with an empty cache. */
export async function preparePage(
  stage: Stage,
  subject: Subject,
  size: Size = NORMAL_SIZE,
): Promise<PreparedPage> {
  const context = await stage.browser.newContext({ viewport: { width: 900, height: 1_000 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.goto(stage.page);
  if (subject === ADYEN) await page.evaluate(answerForeignRequests);
  await page.evaluate(addForms, stage.getMarkup(subject, size));
  return {
    page,
    devtools,
    loading: {
      ...stage.getFiles(subject, size),
      selectors: subject.createSelectors(size.amounts),
      gate: undefined,
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
