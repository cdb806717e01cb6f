import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURE_REASONS, PUBLIC_STATUSES } from '../../src/core/donation/donation-status.ts';
import type { DonationOutcome } from '../../src/core/schemas/index.ts';
import type { Phase } from '../../src/donation-form/form/form-store.ts';
import {
  decideNextStep,
  type Effect,
  type NextStepInput,
  type SubmissionFacts,
  type SubmissionTransition,
} from '../../src/donation-form/submission/submission-machine.ts';

const gift = {
  amount: 5_000,
  coveredFees: 0,
  total: 5_000,
  currency: 'USD',
  frequency: 'once',
} as const;
const createOutcome = (
  status: DonationOutcome['status'],
  others: Partial<DonationOutcome> = {},
): DonationOutcome => ({ reference: 'DF-1', status, gift, provider: 'stripe', ...others });

const redirect = { kind: 'redirect', url: 'https://bank.example/' } as const;
const previous = createOutcome('requires_action', { action: redirect });

const PHASES: readonly Phase[] = [
  ...(['loading', 'unavailable', 'insecure', 'filling', 'sending'] as const).map((name) => ({
    name,
  })),
  ...(['unconfirmed', 'processing', 'succeeded'] as const).map((name) => ({
    name,
    outcome: createOutcome(name),
    isEarlier: false,
  })),
  ...([undefined, 'confirm', 'cancel', 'network-error'] as const).map((step) => ({
    name: 'requires_action' as const,
    outcome: previous,
    isEarlier: true,
    ...(step && { step }),
  })),
];

const OUTCOMES: readonly DonationOutcome[] = [
  ...PUBLIC_STATUSES.map((status) => createOutcome(status)),
  ...FAILURE_REASONS.map((reason) => createOutcome('failed', { reason })),
  previous,
];

const BOOLEANS = [false, true];

const OUTCOME_INPUTS = OUTCOMES.flatMap((outcome) =>
  BOOLEANS.flatMap((isEarlier) =>
    BOOLEANS.flatMap((startsAction) =>
      [undefined, { id: 'req_1' }].map((failedRequest) => ({
        kind: 'outcome' as const,
        outcome,
        isEarlier,
        startsAction,
        ...(failedRequest && { failedRequest }),
      })),
    ),
  ),
);

const OTHER_INPUTS: readonly NextStepInput[] = [
  { kind: 'problem', notice: 'rejected', code: 'invalid-gift', requestId: 'req_1' },
  { kind: 'problem', notice: 'too-many-requests', retryAfter: 60 },
  ...(['incomplete', 'email-invalid', 'failed', 'unavailable', 'canceled'] as const).flatMap(
    (problem) =>
      BOOLEANS.map((isOffline) => ({ kind: 'payment-problem' as const, problem, isOffline })),
  ),
  { kind: 'load-definition' },
  { kind: 'action-slow', outcome: previous, isEarlier: false },
  { kind: 'step-chosen', step: 'confirm' },
  { kind: 'step-chosen', step: 'cancel' },
  { kind: 'nothing-unfinished' },
  { kind: 'show-notice', notice: 'payment-unavailable', isAfterSubmission: false },
  { kind: 'offer-alternative', alternative: 'hosted-page', isOffline: false },
  { kind: 'offer-wallet-cancel' },
];

const FACTS: readonly SubmissionFacts[] = BOOLEANS.flatMap((isWalletPayment) =>
  BOOLEANS.flatMap((wasCanceled) =>
    [
      { isOnPage: true, hasSuccessor: false },
      { isOnPage: false, hasSuccessor: false },
      { isOnPage: false, hasSuccessor: true },
    ].map((place) => ({ ...place, isWalletPayment, wasCanceled })),
  ),
);
const [onPage] = FACTS as [SubmissionFacts];

/** Calls `check` for each combination of phase, input, and facts. */
function forEachTransition<Input extends NextStepInput>(
  inputs: readonly Input[],
  check: (
    transition: SubmissionTransition,
    phase: Phase,
    input: Input,
    facts: SubmissionFacts,
  ) => void,
): void {
  for (const phase of PHASES)
    for (const input of inputs)
      for (const facts of FACTS) check(decideNextStep(phase, input, facts), phase, input, facts);
}

const listEffects = ({ effects = [], afterRender = [] }: SubmissionTransition): Effect[] => [
  ...effects,
  ...afterRender,
];
const hasEffect = (transition: SubmissionTransition, kind: Effect['kind']): boolean =>
  listEffects(transition).some((effect) => effect.kind === kind);

/** Notices, fields, and codes that a transition shows, as short strings. */
const summarize = (transition: SubmissionTransition): string[] =>
  listEffects(transition).flatMap((effect) => {
    if (effect.kind === 'show-notice') return `notice ${effect.notice}`;
    if (effect.kind === 'show-field-failure') return `field ${effect.reason}`;
    if (effect.kind === 'report-error') return `error ${effect.code}`;
    return effect.kind === 'focus' ? `focus ${effect.target}` : [];
  });

test('each outcome leads to its screen, whatever the form showed before', () => {
  forEachTransition(OUTCOME_INPUTS, (transition, _, { outcome, startsAction }, facts) => {
    const startsNow = startsAction && outcome.action !== undefined;
    const screens = { failed: 'filling', ...(startsNow && { requires_action: 'sending' }) };
    const expected = (screens as Record<string, string>)[outcome.status] ?? outcome.status;
    assert.equal(transition.phase?.name, facts.hasSuccessor && !startsNow ? undefined : expected);
    assert.equal(hasEffect(transition, 'start-action'), startsNow);
  });
});

test('an outcome screen shows the outcome, and whether it is an earlier donation’s', () => {
  forEachTransition(OUTCOME_INPUTS, ({ phase }, _, { outcome, isEarlier }) => {
    if (!phase || !('outcome' in phase)) return;
    assert.equal(phase.outcome, outcome);
    assert.equal(phase.isEarlier, isEarlier);
  });
});

test('announces exactly the accepted donations', () => {
  forEachTransition([...OUTCOME_INPUTS, ...OTHER_INPUTS], (transition, _, input, facts) => {
    const isAccepted =
      input.kind === 'outcome' && ['succeeded', 'processing'].includes(input.outcome.status);
    assert.equal(hasEffect(transition, 'announce'), isAccepted && !facts.hasSuccessor);
  });
});

test('closes a donation only if its outcome is final and a form has shown it or it failed', () => {
  forEachTransition([...OUTCOME_INPUTS, ...OTHER_INPUTS], (transition, _, input, facts) => {
    const status = input.kind === 'outcome' && !facts.hasSuccessor ? input.outcome.status : '';
    const isClosed =
      status === 'failed' || (['succeeded', 'processing'].includes(status) && facts.isOnPage);
    assert.equal(hasEffect(transition, 'close-donation'), isClosed);
  });
});

test('polls exactly while the outcome is unknown or an action is required', () => {
  forEachTransition([...OUTCOME_INPUTS, ...OTHER_INPUTS], (transition) => {
    const { phase } = transition;
    const isWaiting =
      phase?.name === 'unconfirmed' || (phase?.name === 'requires_action' && !isBusy(phase));
    assert.equal(hasEffect(transition, 'poll'), isWaiting);
  });
});

const isBusy = (phase: Phase): boolean =>
  'step' in phase && (phase.step === 'confirm' || phase.step === 'cancel');

test('hands an outcome over to the form that replaced this one', () => {
  forEachTransition(OUTCOME_INPUTS, (transition, _, { outcome, startsAction }, facts) => {
    if (!facts.hasSuccessor || (startsAction && outcome.action)) return;
    assert.deepEqual(transition, {
      effects: [{ kind: 'stop-action' }, { kind: 'hand-over', outcome }],
    });
  });
});

test('empties the payment field only after a decline or an unconfirmed payment in it', () => {
  forEachTransition(OUTCOME_INPUTS, (transition, _, { outcome }, facts) => {
    const { status, reason = 'card-declined' } = outcome;
    const isRejected =
      reason === 'card-declined' || (reason === 'not-confirmed' && !facts.wasCanceled);
    const isEmptied =
      status === 'failed' && isRejected && !facts.isWalletPayment && !facts.hasSuccessor;
    assert.equal(hasEffect(transition, 'empty-field'), isEmptied);
  });
});

test('whatever returns the donor to the form also makes the form usable and tells why', () => {
  forEachTransition([...OUTCOME_INPUTS, ...OTHER_INPUTS], (transition, _, { kind }) => {
    if (transition.phase?.name !== 'filling') return;
    const isSilent = kind === 'nothing-unfinished';
    assert.equal(hasEffect(transition, 'resume'), true);
    assert.equal(hasEffect(transition, 'report-error'), !isSilent);
    assert.equal(hasEffect(transition, 'focus'), !isSilent);
  });
});

test('moves the focus to a screen’s heading once', () => {
  forEachTransition(OUTCOME_INPUTS, (transition, phase) => {
    const isScreen = transition.phase !== undefined && 'outcome' in transition.phase;
    const isAccepted = ['succeeded', 'processing'].includes(transition.phase?.name ?? '');
    const isNew = transition.phase?.name !== phase.name || isAccepted;
    assert.equal(summarize(transition).includes('focus heading'), isScreen && isNew);
  });
});

test('shows that a step failed, with the request’s ID', () => {
  const failedRequest = { id: 'req_1' };
  const input = { kind: 'outcome', outcome: previous, isEarlier: false, failedRequest } as const;
  assert.deepEqual(decideNextStep({ name: 'loading' }, input, onPage).phase, {
    name: 'requires_action',
    outcome: previous,
    isEarlier: false,
    step: 'network-error',
    requestId: 'req_1',
  });
});

test('requests a step once, and only while an action is required', () => {
  forEachTransition(
    OTHER_INPUTS.filter((input) => input.kind === 'step-chosen'),
    (transition, phase, { step }) => {
      const canStart = phase.name === 'requires_action' && !isBusy(phase);
      assert.deepEqual(
        transition,
        canStart
          ? {
              phase: { name: 'requires_action', outcome: previous, isEarlier: true, step },
              effects: [{ kind: 'stop-action' }],
              afterRender: [{ kind: 'request-step', step, outcome: previous, isEarlier: true }],
            }
          : {},
      );
    },
  );
});

test('offers to continue a slow action without moving the focus', () => {
  const input = { kind: 'action-slow', outcome: previous, isEarlier: false } as const;
  const { phase, afterRender } = decideNextStep({ name: 'sending' }, input, onPage);
  assert.deepEqual(phase, { name: 'requires_action', outcome: previous, isEarlier: false });
  assert.deepEqual(afterRender, [{ kind: 'poll', outcome: previous, isEarlier: false }]);
});

test('notices and a new definition leave the phase as it is', () => {
  forEachTransition(OTHER_INPUTS, (transition, _, input) => {
    if (/^(show|hide|offer|load)-/.test(input.kind))
      assert.deepEqual(transition, { effects: [input] });
  });
});

const FAILURES: readonly (readonly [NextStepInput, ...string[]])[] = [
  ...(['card-declined', 'not-confirmed', 'payment-failed'] as const).map(
    (reason) =>
      [
        { kind: 'outcome', outcome: createOutcome('failed', { reason }), isEarlier: false },
        `notice ${reason}`,
        `error ${reason}`,
        'focus notice',
      ] as const,
  ),
  ...(['email-invalid', 'amount-too-small', 'amount-too-large'] as const).map(
    (reason) =>
      [
        { kind: 'outcome', outcome: createOutcome('failed', { reason }), isEarlier: false },
        `field ${reason}`,
        'error fields',
        'focus notice',
      ] as const,
  ),
  [
    { kind: 'problem', notice: 'rejected', code: 'invalid-gift' },
    'notice rejected',
    'error invalid-gift',
    'focus notice',
  ],
  [
    { kind: 'payment-problem', problem: 'incomplete', isOffline: false },
    'notice payment-details-incomplete',
    'error payment-details-incomplete',
    'focus payment',
  ],
  [
    { kind: 'payment-problem', problem: 'email-invalid', isOffline: false },
    'field email-invalid',
    'error fields',
    'focus notice',
  ],
  [
    { kind: 'payment-problem', problem: 'failed', isOffline: true },
    'notice offline',
    'error offline',
    'focus notice',
  ],
  [
    { kind: 'payment-problem', problem: 'failed', isOffline: false },
    'notice processor-unavailable',
    'error processor-unavailable',
    'focus notice',
  ],
  [
    { kind: 'payment-problem', problem: 'unavailable', isOffline: false },
    'notice payment-unavailable',
    'error payment-unavailable',
    'focus notice',
  ],
  [
    { kind: 'payment-problem', problem: 'canceled', isOffline: false },
    'notice processor-unavailable',
    'error processor-unavailable',
    'focus notice',
    'focus provider',
  ],
];

test('each failure has its message, error code, and focus', () => {
  for (const [input, ...expected] of FAILURES)
    assert.deepEqual(summarize(decideNextStep({ name: 'sending' }, input, onPage)), expected);
});
