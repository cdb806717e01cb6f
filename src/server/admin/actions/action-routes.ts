/**
 * Routes of the staff actions in the admin API. The command imports this file before it runs a
 * subcommand, so this file imports nothing.
 */

/**
 * What a staff action requires. `read` actions change nothing, except that the report on settings
 * saves the server's pending counts. The admin key has both permissions.
 */
export type Permission = 'read' | 'change';

/** Route of a staff action in the admin API, and the permission that the action requires. */
export interface ActionRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly permission: Permission;
}

/**
 * The routes, by the actions' names. A `read` action with personal data in its input uses POST, to
 * keep the data out of URLs.
 */
export const ACTION_ROUTES = {
  'donations.list': { method: 'GET', path: '/api/donations', permission: 'read' },
  'donations.export': { method: 'POST', path: '/api/donations/export', permission: 'read' },
  'donations.show': { method: 'GET', path: '/api/donations/:reference', permission: 'read' },
  'donations.retry': {
    method: 'POST',
    path: '/api/donations/:reference/retry',
    permission: 'change',
  },
  'donations.resolve': {
    method: 'POST',
    path: '/api/donations/:reference/resolve',
    permission: 'change',
  },
  'review.list': { method: 'GET', path: '/api/review-queue', permission: 'read' },
  'review.match': { method: 'POST', path: '/api/review-queue/matches', permission: 'read' },
  'review.resolve': { method: 'POST', path: '/api/review-queue/resolve', permission: 'change' },
  'organizations.list': { method: 'GET', path: '/api/organizations', permission: 'read' },
  'organizations.pause': {
    method: 'POST',
    path: '/api/organizations/:id/pause',
    permission: 'change',
  },
  'organizations.resume': {
    method: 'POST',
    path: '/api/organizations/:id/resume',
    permission: 'change',
  },
  'webhooks.inbound.list': { method: 'GET', path: '/api/webhooks/inbound', permission: 'read' },
  'webhooks.inbound.show': {
    method: 'GET',
    path: '/api/webhooks/inbound/:id',
    permission: 'read',
  },
  'webhooks.failed': { method: 'GET', path: '/api/webhooks/outbound/failed', permission: 'read' },
  'webhooks.retry': { method: 'POST', path: '/api/webhooks/outbound/retry', permission: 'change' },
  'webhooks.redirect': {
    method: 'POST',
    path: '/api/webhooks/outbound/redirect',
    permission: 'change',
  },
  'jobs.run': { method: 'POST', path: '/api/jobs/run', permission: 'change' },
  'settings.report': { method: 'GET', path: '/settings-report', permission: 'read' },
  reconcile: { method: 'POST', path: '/api/reconciliation', permission: 'change' },
  'donors.export': { method: 'POST', path: '/api/donors/export', permission: 'read' },
  'donors.delete': { method: 'POST', path: '/api/donors/delete', permission: 'change' },
  backup: { method: 'POST', path: '/api/backup', permission: 'change' },
} as const satisfies Readonly<Record<string, ActionRoute>>;

export type ActionName = keyof typeof ACTION_ROUTES;
