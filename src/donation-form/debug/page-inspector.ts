/** Script that `donation-form verify` adds to the pages that it opens, before their own scripts. */
import { clickTrigger } from './click-trigger.ts';
import { inspectPage } from './inspect-page.ts';
import { recordViolations, requestForm } from './policy-violations.ts';
import { scrollThroughPage } from './scroll-through-page.ts';

const violations = recordViolations();

Object.defineProperty(globalThis, Symbol.for('donation-form inspector'), {
  value: {
    inspect: () => ({ ...inspectPage(), violations }),
    scrollThroughPage,
    clickTrigger,
    requestForm,
  },
});
