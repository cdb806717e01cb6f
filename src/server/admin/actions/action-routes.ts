/**
 * Routes of the staff actions in the admin API. The command imports this file before it runs a
 * subcommand, so this file imports nothing.
 */

/**
 * What a staff action requires. `read` actions change nothing, except that the report on settings
 * saves the server's pending counts. The admin key has both permissions.
 */
export type Permission = 'read' | 'change';

export interface ActionRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly permission: Permission;
}

const get = (path: string): ActionRoute => ({ method: 'GET', path, permission: 'read' });
const post = (path: string, permission: Permission): ActionRoute => ({
  method: 'POST',
  path,
  permission,
});

/**
 * The routes, by the actions' names. A `read` action with personal data in its input uses POST, to
 * keep the data out of URLs.
 */
export const ACTION_ROUTES = {
  'donations.list': get('/api/donations'),
  'donations.export': post('/api/donations/export', 'read'),
  'donations.show': get('/api/donations/:reference'),
  'donations.retry': post('/api/donations/:reference/retry', 'change'),
  'donations.resend': post('/api/donations/:reference/resend', 'change'),
  'donations.resolve': post('/api/donations/:reference/resolve', 'change'),
  'gift-aid.cancel': post('/api/donations/:reference/gift-aid/cancel', 'change'),
  'gift-aid.claim': post('/api/gift-aid/claim', 'read'),
  'receipts.list': get('/api/receipts'),
  'receipts.export': post('/api/receipts/export', 'read'),
  'receipts.correct': post('/api/receipts/:reference/correct', 'change'),
  'receipts.void': post('/api/receipts/:reference/void', 'change'),
  'statements.show': post('/api/statements', 'read'),
  'review.list': get('/api/review-queue'),
  'review.match': post('/api/review-queue/matches', 'read'),
  'review.resolve': post('/api/review-queue/resolve', 'change'),
  'organizations.list': get('/api/organizations'),
  'organizations.pause': post('/api/organizations/:id/pause', 'change'),
  'organizations.resume': post('/api/organizations/:id/resume', 'change'),
  'mail.pause': post('/api/mail/pause', 'change'),
  'mail.resume': post('/api/mail/resume', 'change'),
  'mail.resend': post('/api/mail/resend', 'change'),
  'mail.block': post('/api/mail/block', 'change'),
  'mail.unblock': post('/api/mail/unblock', 'change'),
  'mail.test': post('/api/mail/test', 'change'),
  'webhooks.inbound.list': get('/api/webhooks/inbound'),
  'webhooks.inbound.show': get('/api/webhooks/inbound/:id'),
  'webhooks.failed': get('/api/webhooks/outbound/failed'),
  'webhooks.retry': post('/api/webhooks/outbound/retry', 'change'),
  'webhooks.redirect': post('/api/webhooks/outbound/redirect', 'change'),
  'jobs.run': post('/api/jobs/run', 'change'),
  'settings.report': get('/settings-report'),
  reconcile: post('/api/reconciliation', 'change'),
  'donors.export': post('/api/donors/export', 'read'),
  'donors.delete': post('/api/donors/delete', 'change'),
  backup: post('/api/backup', 'change'),
} satisfies Readonly<Record<string, ActionRoute>>;

export type ActionName = keyof typeof ACTION_ROUTES;
