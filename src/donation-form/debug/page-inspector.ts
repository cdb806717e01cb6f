/** Script that `donation-form verify` adds to the pages that it opens, before their own scripts. */
import { wait } from '../page/wait.ts';
import { clickTrigger } from './click-trigger.ts';
import { inspectPage } from './inspect-page.ts';
import { recordViolations, repeatFormRequest } from './policy-violations.ts';

const violations = recordViolations();

Object.defineProperty(globalThis, Symbol.for('donation-form inspector'), {
  value: {
    inspect: () => ({ ...inspectPage(), violations }),
    scrollThroughPage,
    clickTrigger,
    requestForm: repeatFormRequest,
  },
});

const STEP_DELAY = 60;
const MAX_STEPS = 30;

/** Loads parts that wait. Returns true, unlike a document without this script. */
async function scrollThroughPage(): Promise<true> {
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const top = step * innerHeight * 0.8;
    scrollTo({ top, behavior: 'instant' });
    await wait(STEP_DELAY);
    if (top >= document.documentElement.scrollHeight - innerHeight) break;
  }
  scrollTo({ top: 0, behavior: 'instant' });
  return true;
}
