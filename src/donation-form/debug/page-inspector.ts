/**
 * Script that `donation-form verify` adds to the pages that it opens. It records policy violations
 * from the start, and inspects the document on request.
 */
import type { PolicyViolation } from '@donation-form/core/page-diagnosis';
import { clickTrigger } from './click-trigger.ts';
import { inspectPage } from './inspect-page.ts';
import { scrollThroughPage } from './scroll-through-page.ts';

/** Milliseconds to wait for the browser to report a violation. */
const VIOLATION_DELAY = 100;

const violations: PolicyViolation[] = [];
addEventListener(
  'securitypolicyviolation',
  ({ effectiveDirective, blockedURI, disposition, originalPolicy }) => {
    violations.push({
      directive: effectiveDirective,
      blocked: blockedURI,
      isReportOnly: disposition === 'report',
      isStrictDynamic: originalPolicy.includes("'strict-dynamic'"),
    });
  },
  { capture: true },
);

/**
 * Requests the definition of a form that is shown without a request, as the form requests other
 * things later. A policy that blocks the endpoint then reports a violation.
 */
async function requestForm(): Promise<true> {
  const { elements, endpointUrl } = inspectPage();
  const form = elements.find(({ tag, state }) => tag === 'donation-form' && state === 'shown');
  if (!form || endpointUrl === undefined) return true;
  const query = new URLSearchParams({
    ...(form.formId !== undefined && { id: form.formId }),
    language: 'en',
  });
  await fetch(`${endpointUrl}form?${query}`, { credentials: 'omit' }).catch(() => undefined);
  // Violations are reported in a later task.
  await new Promise((resolve) => setTimeout(resolve, VIOLATION_DELAY));
  return true;
}

Object.defineProperty(globalThis, Symbol.for('donation-form inspector'), {
  value: {
    inspect: () => ({ ...inspectPage(), violations }),
    scrollThroughPage,
    clickTrigger,
    requestForm,
  },
});
