import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type DonationState,
  INITIAL_STATE,
  transition,
} from '../../../src/server/donations/transition.ts';

const STATUSES = [
  'unconfirmed',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'needs_review',
] as const;

const createState = (state: Partial<DonationState>): DonationState => ({
  ...INITIAL_STATE,
  paymentId: null,
  chargeStartedAt: 1,
  ...state,
});

/** Lists the statuses of donations that an event may change. @param seen by default the same. */
const listStatuses = (
  event: Parameters<typeof transition>[1],
  seen?: Partial<DonationState>,
): readonly string[] =>
  STATUSES.filter((status) => {
    const state = createState({ status });
    return transition(state, event, seen ? createState(seen) : state) !== undefined;
  });

test('never changes a succeeded donation, and changes a failed one only for review', () => {
  assert.deepEqual(
    [
      listStatuses({ type: 'charge_started', paymentId: null }),
      listStatuses({ type: 'succeeded' }),
      listStatuses({ type: 'failed', reason: null }, { status: 'unconfirmed' }),
      listStatuses({ type: 'approved' }),
      listStatuses({ type: 'contradicted' }, { status: 'failed' }),
      STATUSES.filter((status) =>
        listStatuses({ type: 'contradicted' }, { status }).includes(status),
      ),
      listStatuses({ type: 'reviewed', decision: 'succeeded', hasGift: true }),
    ],
    [
      ['unconfirmed', 'requires_action'],
      ['unconfirmed', 'requires_action', 'processing'],
      ['unconfirmed', 'requires_action', 'processing'],
      ['requires_action'],
      ['failed'],
      ['unconfirmed', 'requires_action', 'processing', 'failed'],
      ['needs_review'],
    ],
  );
});

test('starts no charge of a second payment, which another server may have created', () => {
  const event = { type: 'charge_started', paymentId: 'p2' } as const;
  assert.deepEqual(
    [null, 'p1', 'p2'].map((id) => {
      const state = createState({ paymentId: id });
      return transition(state, event, state)?.change;
    }),
    [{}, undefined, {}],
  );
});

test('notifies the platform of a settlement only if it knows the donation', () => {
  assert.deepEqual(
    (['unconfirmed', 'processing'] as const).map((status) => {
      const state = createState({ status });
      return transition(state, { type: 'succeeded' }, state)?.notify;
    }),
    ['donation', 'payment_settled'],
  );
});

test('clears the awaited party once a donation is no longer processing', () => {
  const state = createState({ status: 'processing', awaiting: 'donor' });
  for (const event of [
    { type: 'succeeded' },
    { type: 'failed', reason: null },
    { type: 'contradicted' },
    { type: 'reviewed', decision: 'succeeded', hasGift: true },
    { type: 'reviewed', decision: 'failed', hasGift: true },
  ] as const)
    assert.equal(transition(state, event, state)?.change.awaiting, null, JSON.stringify(event));
});

test('reports a subscription status once, and none of a subscription that never started', () => {
  const change = (changes: Partial<DonationState>) => {
    const state = createState(changes);
    return transition(state, { type: 'subscription_changed', status: 'retrying' }, state)?.notify;
  };
  assert.deepEqual(
    [
      change({ status: 'succeeded' }),
      change({ status: 'succeeded', subscriptionStatus: 'retrying' }),
      change({ status: 'failed' }),
    ],
    ['renewal_failed', undefined, undefined],
  );
});

test('no other module writes the status of a donation or subscription', () => {
  const writers = globSync('src/server/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/(?=\.updateTable\()/)
      .slice(1)
      .filter(
        (text) =>
          text.startsWith(".updateTable('donations')") &&
          /\bstatus:|subscription_status:|\.\.\.change\b/.test(
            /\.set\((.*?)\)\s*\.where/s.exec(text)?.[1] ?? text,
          ),
      )
      .map(() => file),
  );
  assert.deepEqual(writers, ['src/server/donations/apply-transition.ts']);
});
