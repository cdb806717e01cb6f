/**
 * Schemas of what the admin API sends, by action. The compiler checks that they match the types.
 * For an action with a stream of lines, the schema is that of a line.
 */
import { z } from 'zod';
import { DONATION_FREQUENCIES } from '../src/core/donation/frequency.ts';
import { MISTAKE_REASONS } from '../src/core/settings/ignore-reason.ts';
import type { ActionName } from '../src/server/admin/actions/action-routes.ts';
import { DECISIONS } from '../src/server/admin/actions/input-values.ts';
import type { ActionOutput } from '../src/server/admin/actions/staff-actions.ts';
import { RECEIPT_COLUMNS } from '../src/server/receipts/receipt-rows.ts';
import { CLAIM_COLUMNS } from '../src/server/reporting/gift-aid-claim.ts';
import {
  DONATION_COLUMNS,
  FEE_COLUMNS,
  type LedgerRow,
  PAYMENT_COLUMNS,
} from '../src/server/reporting/report.ts';
import { PERMISSIONS, ROLES } from '../src/server/staff/roles.ts';

/** JSON omits properties that are undefined. */
type Sent<Output> = Output extends object
  ? { [Key in keyof Output as undefined extends Output[Key] ? never : Key]: Output[Key] } & {
      [Key in keyof Output as undefined extends Output[Key] ? Key : never]?: Output[Key];
    }
  : Output;
type OutputOf<Name extends ActionName> = Sent<
  ActionOutput<Name> extends AsyncIterable<infer Line> ? Line : ActionOutput<Name>
>;

const time = z.iso.datetime();
const count = z.int().nonnegative();
const donationStatus = z.enum([
  'unconfirmed',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'needs_review',
]);
const outboxStatus = z.enum(['pending', 'delivered', 'needs_review', 'manual']);
const labeledValues = z.array(z.tuple([z.string(), z.string()]));

const membership = z.strictObject({
  organization: z.string(),
  roles: z.array(z.enum(ROLES)),
});

const decision = z.strictObject({
  at: time,
  by: z.string(),
  decision: z.string(),
  subject: z.string(),
  from: z.union([donationStatus, outboxStatus]),
  to: z.union([donationStatus, outboxStatus]),
  platformId: z.string().nullable(),
  note: z.string(),
});

const donation = z.strictObject({
  reference: z.string(),
  organization: z.string(),
  organizationName: z.string(),
  createdAt: time,
  total: z.string(),
  donorName: z.string(),
  donationFields: labeledValues,
  donorFields: labeledValues,
  canCancelGiftAid: z.boolean(),
  status: donationStatus,
  paymentFields: labeledValues,
  lastError: z.string().nullable(),
  nextRetryAt: time.nullable(),
  platformId: z.string().nullable(),
  events: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      reference: z.string(),
      status: outboxStatus,
      at: time,
      amount: z.string().nullable(),
      platformId: z.string().nullable(),
      attempts: count,
      lastError: z.string().nullable(),
      nextRetryAt: time.nullable(),
    }),
  ),
  decisions: z.array(decision),
  reviewOptions: z.array(
    z.strictObject({
      decision: z.enum(DECISIONS),
      event: z.string(),
      title: z.string(),
      effect: z.string(),
      needsPlatformId: z.boolean(),
    }),
  ),
});

const reviewItems = z.strictObject({
  items: z.array(
    z.strictObject({
      at: time,
      kind: z.enum([
        'donation',
        'payment_settled',
        'payment_failed',
        'renewal',
        'renewal_failed',
        'refund',
        'refund_failed',
        'dispute_opened',
        'dispute_won',
        'dispute_lost',
        'subscription_resumed',
        'subscription_suspended',
        'subscription_canceled',
      ]),
      status: z.enum(['manual', 'needs_review']),
      reference: z.string(),
      amount: z.string().nullable(),
      currency: z.string(),
      reason: z.string(),
      event: z.string().nullable(),
      markedAt: time,
    }),
  ),
});

const result = z.strictObject({ result: z.string() });
const resent = z.strictObject({ resent: count });

const inboundWebhook = z.strictObject({
  id: z.string(),
  organization: z.string(),
  source: z.enum(['fundraising', 'donation-v1']),
  kind: z.string().nullable(),
  receivedAt: time,
  status: z.enum(['pending', 'handled', 'stored']),
  failures: count,
  lastError: z.string().nullable(),
  nextRetryAt: time.nullable(),
});

const createRow = <Column extends string>(columns: readonly Column[]) =>
  z.strictObject(
    Object.fromEntries(columns.map((column) => [column, z.string()])) as Record<
      Column,
      z.ZodString
    >,
  );
const ledgerRow = createRow([
  ...DONATION_COLUMNS,
  ...FEE_COLUMNS,
  ...PAYMENT_COLUMNS,
] as const).extend({
  frequency: z.enum(DONATION_FREQUENCIES),
}) satisfies z.ZodType<LedgerRow>;
const side = z.enum(['payment-provider', 'database', 'platform']);

export const ACTION_OUTPUT_SCHEMAS: {
  readonly [Name in ActionName]?: z.ZodType<OutputOf<Name>>;
} = {
  'donations.list': z.strictObject({
    days: count,
    items: z.array(
      z.strictObject({
        createdAt: time,
        reference: z.string(),
        organization: z.string(),
        donorName: z.string(),
        total: z.string(),
        frequency: z.enum(DONATION_FREQUENCIES),
        paymentStatus: donationStatus,
        platformStatus: outboxStatus.nullable(),
        reason: z.string(),
      }),
    ),
    isTruncated: z.boolean(),
  }),
  'donations.export': z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('columns'),
      customFields: z.array(z.string()),
      omitted: count,
      consents: z.array(z.string()),
    }),
    z.strictObject({ kind: z.literal('row'), row: z.record(z.string(), z.string()) }),
    z.strictObject({ kind: z.literal('end'), donations: count }),
  ]),
  'donations.show': donation,
  'donations.retry': z.strictObject({ results: z.array(z.string()) }),
  'donations.resend': resent,
  'donations.resolve': z.strictObject({ decision, donation: donation.exactOptional() }),
  'gift-aid.cancel': z.strictObject({ from: z.iso.date(), canceled: z.array(z.string()) }),
  'gift-aid.claim': z.strictObject({
    rows: z.array(createRow(CLAIM_COLUMNS)),
    total: z.string(),
    adjustments: z.array(z.strictObject({ reference: z.string(), amount: z.string() })),
    adjustmentTotal: z.string(),
  }),
  'receipts.list': z.strictObject({
    organization: z.string(),
    year: z.int(),
    years: z.array(z.int()),
    search: z.string(),
    items: z.array(
      z.strictObject({
        number: z.string(),
        status: z.enum(['issued', 'void']),
        reference: z.string(),
        day: z.iso.date(),
        issuedAt: time,
        donor: z.string(),
        isDonorErased: z.boolean(),
        amount: z.string(),
        isTest: z.boolean(),
        voidReason: z.string().nullable(),
      }),
    ),
    series: z.array(
      z.strictObject({
        series: z.string(),
        lastNumber: count,
        valid: count,
        void: count,
        missing: z.array(count),
      }),
    ),
    due: z.strictObject({ count, lastError: z.string().nullable() }),
    next: z.string().optional(),
  }),
  'receipts.export': z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('row'), row: createRow(RECEIPT_COLUMNS) }),
    z.strictObject({ kind: z.literal('end'), receipts: count }),
  ]),
  'receipts.correct': z.strictObject({ corrected: z.string() }),
  'receipts.void': z.strictObject({ voided: z.string() }),
  'statements.show': z.strictObject({
    table: z.strictObject({
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
      totals: z.array(z.array(z.string())),
    }),
    mediaType: z.enum(['text/html', 'application/pdf']),
    base64: z.string(),
  }),
  'review.list': reviewItems,
  'review.match': reviewItems,
  'review.resolve': z.strictObject({ resolved: count, skipped: count }),
  'organizations.list': z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        forms: z.array(z.string()),
        paused: z.strictObject({ at: time, by: z.string(), note: z.string() }).nullable(),
        sendsMail: z.boolean(),
        mailPaused: z.strictObject({ at: time, by: z.string() }).nullable(),
      }),
    ),
  }),
  'organizations.pause': result,
  'organizations.resume': result,
  'mail.pause': result,
  'mail.resume': result,
  'mail.resend': resent,
  'mail.block': result,
  'mail.unblock': result,
  'mail.test': z.strictObject({ server: z.string() }),
  'webhooks.inbound.list': z.strictObject({ items: z.array(inboundWebhook) }),
  'webhooks.inbound.show': inboundWebhook.extend({
    format: z.enum(['json', 'xml']),
    body: z.string(),
  }),
  'webhooks.failed': z.strictObject({
    items: z.array(
      z.strictObject({
        organization: z.string(),
        url: z.string(),
        status: z.enum(['pending', 'failed', 'endpoint_gone']),
        count,
        oldest: z.int(),
        lastError: z.string().nullable(),
        isConfigured: z.boolean(),
      }),
    ),
  }),
  'webhooks.retry': z.strictObject({ retried: count }),
  'webhooks.redirect': z.strictObject({ redirected: count }),
  'jobs.run': z.strictObject({
    sentUpdates: count,
    checkedPayments: count,
    pendingUpdates: count,
    pendingWebhooks: count,
    pendingMail: count,
    paymentsInProgress: count,
    nextRunAt: time.optional(),
  }),
  'settings.report': z.strictObject({
    days: count,
    items: z.array(
      z.strictObject({
        form: z.string(),
        name: z.string(),
        reason: z.enum(MISTAKE_REASONS),
        segment: z.string(),
        count,
        lastDay: z.iso.date(),
      }),
    ),
  }),
  reconcile: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('progress'), listed: count }),
    z.strictObject({ kind: z.literal('row'), row: ledgerRow }),
    z.strictObject({
      kind: z.literal('difference'),
      difference: z.strictObject({
        type: z.enum(['missing', 'duplicate', 'mismatch']),
        side,
        reference: z.string(),
        field: z.string(),
        found: z.string(),
        expected: z.string(),
      }),
    }),
    z.strictObject({
      kind: z.literal('in-progress'),
      reference: z.string(),
      reason: z.string(),
    }),
    z.strictObject({ kind: z.literal('applied'), reference: z.string(), change: z.string() }),
    z.strictObject({
      kind: z.literal('not-compared'),
      side,
      reason: z.string(),
      isFailure: z.boolean(),
    }),
    z.strictObject({ kind: z.literal('end'), donations: count, differences: count }),
  ]),
  'staff.list': z.strictObject({
    people: z.array(
      z.strictObject({
        id: z.string(),
        email: z.string(),
        name: z.string(),
        memberships: z.array(membership),
        addedAt: time,
        invitedUntil: time.nullable(),
        isRemovable: z.boolean(),
      }),
    ),
  }),
  'staff.invite': z.strictObject({
    id: z.string(),
    isMailed: z.boolean(),
    link: z.string().exactOptional(),
    after: membership.extend({ email: z.string() }),
  }),
  'staff.set-roles': z.strictObject({
    before: membership.extend({ email: z.string() }),
    after: membership.extend({ email: z.string() }),
  }),
  'staff.remove': z.strictObject({
    before: z.strictObject({ email: z.string(), memberships: z.array(membership) }),
    revokedTokens: z.array(z.string()),
  }),
  'tokens.list': z.strictObject({
    tokens: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        organization: z.string(),
        permissions: z.array(z.enum(PERMISSIONS)),
        createdBy: z.string(),
        createdAt: time,
        lastUsedAt: time.nullable(),
      }),
    ),
  }),
  'tokens.create': z.strictObject({ id: z.string(), token: z.string(), after: z.looseObject({}) }),
  'tokens.revoke': z.strictObject({
    before: z.strictObject({ name: z.string(), permissions: z.array(z.enum(PERMISSIONS)) }),
  }),
  'audit.list': z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        at: time,
        actorKind: z.enum(['person', 'token', 'admin-key', 'anonymous', 'shell']),
        actorId: z.string(),
        actorName: z.string(),
        address: z.string(),
        organization: z.string(),
        action: z.string(),
        subject: z.string(),
        before: z.looseObject({}).nullable(),
        after: z.looseObject({}).nullable(),
        result: z.enum(['done', 'failed', 'unknown']),
      }),
    ),
  }),
  'donors.delete': z.strictObject({
    deleted: z.array(z.string()),
    retained: z.array(z.strictObject({ reference: z.string(), reason: z.string() })),
    notifyEmailRemoved: z.array(z.string()),
  }),
  backup: z.strictObject({ file: z.string(), bytes: count, donations: count }),
};
