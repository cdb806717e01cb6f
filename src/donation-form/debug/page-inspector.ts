/**
 * Script that `donation-form verify` adds to the pages that it opens. It records policy violations
 * from the start, and inspects the document on request.
 */
import type { PolicyViolation } from '@donation-form/core/page-diagnosis';
import { clickTrigger } from './click-trigger.ts';
import { inspectPage } from './inspect-page.ts';
import { scrollThroughPage } from './scroll-through-page.ts';

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

Object.defineProperty(globalThis, Symbol.for('donation-form inspector'), {
  value: { inspect: () => ({ ...inspectPage(), violations }), scrollThroughPage, clickTrigger },
});
