/** Violations of the page's Content-Security-Policy. */
import type { PolicyViolation } from '@donation-form/core/page-diagnosis';
import { inspectPage } from './inspect-page.ts';

/** Milliseconds to wait for the browser to report a violation. */
const VIOLATION_DELAY = 100;

/** Records violations from now on. @returns the list to which they are added. */
export function recordViolations(): readonly PolicyViolation[] {
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
  return violations;
}

/**
 * Requests the definition of a form that is shown without a request, as the form requests other
 * things later. A policy that blocks the endpoint then reports a violation.
 */
export async function requestForm(): Promise<true> {
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
