import type { Scenario } from './layout.ts';
import type { Mutation } from './production-code.ts';

/** A bug to plant, the search that must find it, and the rule that it breaks. */
export interface PlantedBug extends Mutation {
  readonly scenario: Partial<Scenario>;
  /** Part of the rule. */
  readonly breaks: string;
}

const TRANSITION = 'donations/transition.ts';
const PAYMENTS = 'donations/payment-decisions.ts';
const OUTBOX = 'donations/outbox-decisions.ts';

/** Bugs that the product had, or that an audit warned of, and others like them. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'sends a gift again without a lookup after a lost reply',
    file: OUTBOX,
    replace: "return hasLookup ? 'find' : 'review';",
    by: "return 'create';",
    scenario: {},
    breaks: 'recorded the gift twice',
  },
  {
    name: 'forgets after a failed call that the platform may have the gift',
    file: OUTBOX,
    replace: 'dispatchedAt: isUntouched ? null : call.startedAt',
    by: 'dispatchedAt: null',
    scenario: {},
    breaks: 'recorded the gift twice',
  },
  {
    name: 'trusts that the platform does not have a gift while the call may be under way',
    file: OUTBOX,
    replace: "type: lookedUpAt < dueAt ? 'postpone' : 'create'",
    by: "type: 'create'",
    scenario: {},
    breaks: 'recorded the gift twice',
  },
  {
    name: "judges claims by the server's own clock",
    file: 'database/database-clock.ts',
    replace: `return Math.round(time - this.#skew);
  };

  readonly in = (delay: number): RawBuilder<number> =>
    sql<number>\`((extract(epoch FROM clock_timestamp()) * 1000)::bigint + \${sql.lit(delay)})\`;`,
    by: `return time;
  };

  readonly in = (delay: number): RawBuilder<number> => sql<number>\`\${Date.now() + delay}\`;`,
    scenario: {},
    breaks: 'recorded the gift twice',
  },
  {
    name: 'takes status 503 for a call that recorded nothing',
    file: 'platform/rethrow-errors.ts',
    replace: '= [400, 401, 403, 404, 422];',
    by: '= [400, 401, 403, 404, 422, 503];',
    scenario: {},
    breaks: 'recorded the gift twice',
  },
  {
    name: 'fails a donation after a refused charge although another server charges it',
    file: TRANSITION,
    replace:
      "isUnfinished(donation) && !hasChargeStartedSince(donation, seen)\n        ? { change: { status: 'failed'",
    by: "isUnfinished(donation)\n        ? { change: { status: 'failed'",
    scenario: { provider: 'page' },
    breaks: 'failed, but the donor was charged',
  },
  {
    name: 'lets a stale server send a donation back to its donor while another charges it',
    file: TRANSITION,
    replace:
      "isUnfinished(donation) && !hasChargeStartedSince(donation, seen)\n        ? { change: { status: 'requires_action' } }",
    by: "isUnfinished(donation)\n        ? { change: { status: 'requires_action' } }",
    scenario: { provider: 'page' },
    breaks: 'failed, but the donor was charged',
  },
  {
    name: 'fails a canceled donation although another server has begun to charge it',
    file: TRANSITION,
    replace:
      "seen.status === 'requires_action' ? donation.status === seen.status : isUnfinished(donation)",
    by: 'isUnfinished(donation)',
    scenario: { provider: 'page' },
    breaks: 'failed, but the donor was charged',
  },
  {
    name: 'declares a donation failed because its payment is not confirmed yet',
    file: PAYMENTS,
    replace: "case 'unconfirmed':\n      return { type: 'postpone' };",
    by: "case 'unconfirmed':\n      return { type: 'failed', reason: 'payment-failed' };",
    scenario: {},
    breaks: 'failed, but the donor was charged',
  },
  {
    name: 'reports a bank debit as paid when the bank has accepted it',
    file: PAYMENTS,
    replace: ": { type: 'accepted', awaiting: 'bank' };",
    by: ": { type: 'succeeded' };",
    scenario: { provider: 'debit' },
    breaks: 'succeeded, but nothing was charged',
  },
  {
    name: 'never checks donations that are processing',
    file: PAYMENTS,
    replace: "  'requires_action',\n  'processing',\n];",
    by: "  'requires_action',\n];",
    scenario: { provider: 'debit', requests: 0 },
    breaks: 'waits forever',
  },
  {
    name: 'saves the same refund twice',
    file: 'donations/record-payment-events.ts',
    replace: '  return {\n    id,\n    kind,\n    reference: entry.reference,',
    by: '  return {\n    id: `${id} ${Math.random()}`,\n    kind,\n    reference: entry.reference,',
    scenario: { hasRefund: true },
    breaks: 'one refund twice',
  },
  {
    name: 'gives up an unused payment without canceling it',
    file: PAYMENTS,
    replace: "  if (paymentId !== null) return 'retrieve';",
    by: "  if (paymentId !== null && now - startedAt < UNUSED_PAYMENT_TIMEOUT) return 'retrieve';",
    scenario: {},
    breaks: 'failed, but the donor was charged',
  },
  {
    name: 'does not notify the platform of a settled debit',
    file: TRANSITION,
    replace: "? { change, notify: 'payment_settled' } : undefined",
    by: '? { change } : undefined',
    scenario: { provider: 'debit', requests: 0 },
    breaks: 'waits forever',
  },
];
