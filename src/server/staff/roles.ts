import type { Role } from '../database/schema.ts';

/** What staff may do. Each staff action, admin page, and API token names permissions. */
export const PERMISSIONS = [
  'totals:read',
  'forms:edit',
  'donations:read',
  'donations:change',
  'receipts:read',
  'receipts:change',
  'records:export',
  'donors:delete',
  'organizations:pause',
  'staff:manage',
  'server:operate',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

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
  ],
  administrator: PERMISSIONS,
};
export const ROLES = Object.keys(ROLE_PERMISSIONS) as readonly Role[];

/** In place of an organization's ID, for a role in all organizations, including later ones. */
export const ALL_ORGANIZATIONS = '*';
