import type { Scenario } from './layout.ts';

const BASE: Scenario = {
  provider: 'card',
  hasLookup: true,
  hasRefund: false,
  faults: 1,
  requests: 1,
  clockSteps: 0,
};

/** Completes a scenario. By default, one thing goes wrong, and the donor acts once more. */
export const createScenario = (changes: Partial<Scenario>): Scenario => ({ ...BASE, ...changes });

/** Scenarios that every run searches in some seconds. */
export const SHORT_SCENARIOS: readonly Scenario[] = [
  { faults: Infinity, requests: 0, hasRefund: true },
  { provider: 'page' } as const,
].map(createScenario);

/** Scenarios that one core searches in a minute. */
export const LONG_SCENARIOS: readonly Scenario[] = [
  { hasRefund: true },
  { faults: Infinity, requests: Infinity, hasRefund: true, hasLookup: false },
  { provider: 'page', hasRefund: true } as const,
  { provider: 'page', faults: Infinity, requests: 0, hasRefund: true, hasLookup: false } as const,
  { provider: 'debit' } as const,
  { provider: 'debit', faults: Infinity, requests: 0, hasLookup: false } as const,
  { clockSteps: 1 },
].map(createScenario);
