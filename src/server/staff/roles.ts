import type { Role } from '../database/schema.ts';

/**
 * What staff may do. Each staff action, admin page, and API token names permissions. The
 * descriptions complete “You may …”.
 */
export const PERMISSION_DESCRIPTIONS = {
  'totals:read': 'see totals and examples of mail',
  'forms:edit': 'edit forms',
  'donations:read': 'see donors and donations',
  'donations:change': 'resolve donations, and send or block mail to donors',
  'receipts:read': 'see receipts and statements',
  'receipts:change': 'correct and void receipts',
  'records:export': 'export donations, receipts, claims, and the data of a donor',
  'records:reconcile': 'reconcile donations, and recover lost events',
  'donors:delete': 'delete the data of a donor',
  'organizations:pause': 'pause donations and mail',
  'staff:manage': 'manage staff and API tokens',
  'server:monitor': 'monitor the server',
  'server:operate': 'operate the server: jobs, webhooks, and backups',
} as const;
export type Permission = keyof typeof PERMISSION_DESCRIPTIONS;
export const PERMISSIONS = Object.keys(PERMISSION_DESCRIPTIONS) as readonly Permission[];

/** Permissions that concern the whole server, and so require a role in all organizations. */
export const SERVER_WIDE_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'server:monitor',
  'server:operate',
]);

/** Permissions of each role, which a person has in one organization or in all of them. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  campaigner: ['totals:read', 'forms:edit'],
  fundraiser: ['totals:read', 'donations:read', 'donations:change', 'receipts:read'],
  finance: [
    'totals:read',
    'donations:read',
    'donations:change',
    'receipts:read',
    'receipts:change',
    'records:export',
    'records:reconcile',
  ],
  administrator: PERMISSIONS,
};
export const ROLES = Object.keys(ROLE_PERMISSIONS) as readonly Role[];

/** In place of an organization's ID, for a role in all organizations, including later ones. */
export const ALL_ORGANIZATIONS = '*';
