/**
 * Routes of the staff actions in the admin API. The command imports this file before it runs a
 * subcommand, so this file imports only types.
 */

import type { Permission } from '../../staff/roles.ts';

export interface ActionRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The page, the API, and the command require it alike. */
  readonly permission: Permission;
  /** True if the action changes nothing, except that the report on settings saves pending counts. */
  readonly isReadOnly: boolean;
}

const get = (path: string, permission: Permission): ActionRoute => ({
  method: 'GET',
  path,
  permission,
  isReadOnly: true,
});
const post = (path: string, permission: Permission): ActionRoute => ({
  method: 'POST',
  path,
  permission,
  isReadOnly: false,
});
/** Reads with personal data in the input, which POST keeps out of URLs. */
const query = (path: string, permission: Permission): ActionRoute => ({
  ...post(path, permission),
  isReadOnly: true,
});

/** The routes, by the actions' names. */
export const ACTION_ROUTES = {
  'donations.list': get('/api/donations', 'donations:read'),
  'donations.export': query('/api/donations/export', 'records:export'),
  'donations.show': get('/api/donations/:reference', 'donations:read'),
  'donations.retry': post('/api/donations/:reference/retry', 'donations:change'),
  'donations.resend': post('/api/donations/:reference/resend', 'donations:change'),
  'donations.resolve': post('/api/donations/:reference/resolve', 'donations:change'),
  'gift-aid.cancel': post('/api/donations/:reference/gift-aid/cancel', 'donations:change'),
  'gift-aid.claim': query('/api/gift-aid/claim', 'records:export'),
  'receipts.list': get('/api/receipts', 'receipts:read'),
  'receipts.export': query('/api/receipts/export', 'records:export'),
  'receipts.correct': post('/api/receipts/:reference/correct', 'receipts:change'),
  'receipts.void': post('/api/receipts/:reference/void', 'receipts:change'),
  'statements.show': query('/api/statements', 'receipts:read'),
  'review.list': get('/api/review-queue', 'donations:read'),
  'review.match': query('/api/review-queue/matches', 'donations:read'),
  'review.resolve': post('/api/review-queue/resolve', 'donations:change'),
  'organizations.list': get('/api/organizations', 'totals:read'),
  'organizations.pause': post('/api/organizations/:id/pause', 'organizations:pause'),
  'organizations.resume': post('/api/organizations/:id/resume', 'organizations:pause'),
  'mail.pause': post('/api/mail/pause', 'organizations:pause'),
  'mail.resume': post('/api/mail/resume', 'organizations:pause'),
  'mail.resend': post('/api/mail/resend', 'donations:change'),
  'mail.block': post('/api/mail/block', 'donations:change'),
  'mail.unblock': post('/api/mail/unblock', 'donations:change'),
  'mail.test': post('/api/mail/test', 'forms:edit'),
  'webhooks.inbound.list': get('/api/webhooks/inbound', 'server:operate'),
  'webhooks.inbound.show': get('/api/webhooks/inbound/:id', 'server:operate'),
  'webhooks.failed': get('/api/webhooks/outbound/failed', 'server:operate'),
  'webhooks.retry': post('/api/webhooks/outbound/retry', 'server:operate'),
  'webhooks.redirect': post('/api/webhooks/outbound/redirect', 'server:operate'),
  'jobs.run': post('/api/jobs/run', 'server:operate'),
  'settings.report': get('/settings-report', 'totals:read'),
  reconcile: post('/api/reconciliation', 'records:reconcile'),
  'staff.list': get('/api/staff', 'staff:manage'),
  'staff.invite': post('/api/staff', 'staff:manage'),
  'staff.set-roles': post('/api/staff/:id/roles', 'staff:manage'),
  'staff.remove': post('/api/staff/:id/remove', 'staff:manage'),
  'tokens.list': get('/api/tokens', 'staff:manage'),
  'tokens.create': post('/api/tokens', 'staff:manage'),
  'tokens.revoke': post('/api/tokens/:id/revoke', 'staff:manage'),
  'audit.list': get('/api/audit-log', 'staff:manage'),
  'donors.export': query('/api/donors/export', 'records:export'),
  'donors.delete': post('/api/donors/delete', 'donors:delete'),
  backup: post('/api/backup', 'server:operate'),
} satisfies Readonly<Record<string, ActionRoute>>;

export type ActionName = keyof typeof ACTION_ROUTES;
