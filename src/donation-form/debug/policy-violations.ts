import type { PolicyViolation } from '@donation-form/core/page-diagnosis';
import type { FormDefinition } from '@donation-form/core/schemas';
import { STRIPE_JS_URL } from '@donation-form/core/url';
import { wait } from '../page/wait.ts';
import { inspectPage } from './inspect-page.ts';

const VIOLATION_DELAY = 100;
const SCRIPT_TIMEOUT = 1_000;

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

/** A form whose script contains the definition sends no request that a policy could block. */
export async function repeatFormRequest(): Promise<true> {
  await fetchDefinition();
  await wait(VIOLATION_DELAY);
  return true;
}

/**
 * Requests the definition and the payment provider's scripts again, so that a policy that blocks
 * them reports a violation again.
 * @returns the scripts' origins, or `undefined` if there is no definition.
 */
export async function repeatRequests(): Promise<readonly string[] | undefined> {
  const definition = await fetchDefinition();
  const scripts = definition?.payments
    .filter(({ provider }) => provider === 'stripe')
    .map(({ options }) => options.scriptUrl ?? STRIPE_JS_URL);
  await Promise.all([...new Set(scripts)].map(preloadScript));
  await wait(VIOLATION_DELAY);
  return scripts?.map((script) => new URL(script).origin);
}

async function fetchDefinition(): Promise<FormDefinition | undefined> {
  const { elements, endpointUrl } = inspectPage();
  const form = elements.find(({ tag, state }) => tag === 'donation-form' && state === 'shown');
  if (!form || endpointUrl === undefined) return undefined;
  const query = new URLSearchParams({
    ...(form.formId !== undefined && { id: form.formId }),
    language: 'en',
  });
  try {
    const response = await fetch(`${endpointUrl}form?${query}`, { credentials: 'omit' });
    return response.ok ? ((await response.json()) as FormDefinition) : undefined;
  } catch {
    return undefined;
  }
}

async function preloadScript(url: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  link.href = url;
  await new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
    setTimeout(resolve, SCRIPT_TIMEOUT);
    document.head.append(link);
  });
  link.remove();
}
