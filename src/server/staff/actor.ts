import {
  ALL_ORGANIZATIONS,
  type Permission,
  PERMISSIONS,
  SERVER_WIDE_PERMISSIONS,
} from './roles.ts';

/** Permissions in one organization, or in {@link ALL_ORGANIZATIONS}. */
export interface Grant {
  readonly organization: string;
  readonly permissions: readonly Permission[];
}

/** Who performs a staff action. */
export interface Actor {
  readonly kind: 'person' | 'token' | 'admin-key' | 'anonymous';
  /** ID of the person or token, or empty. */
  readonly id: string;
  /** Saved with each decision. Empty for the admin key, with which people enter their names. */
  readonly name: string;
  /** IP address of the request, for the audit log. */
  readonly address?: string | undefined;
  readonly grants: readonly Grant[];
}

/** The admin key may do everything, until the first person exists. */
export const ADMIN_KEY_ACTOR: Actor = {
  kind: 'admin-key',
  id: '',
  name: '',
  grants: [{ organization: ALL_ORGANIZATIONS, permissions: PERMISSIONS }],
};

/** Everyone who reaches the monitoring paths on a private host name. */
export const ANONYMOUS_ACTOR: Actor = {
  kind: 'anonymous',
  id: '',
  name: '',
  grants: [{ organization: ALL_ORGANIZATIONS, permissions: ['totals:read', 'server:monitor'] }],
};

/** Organizations in which an actor has a permission: all, or those with the IDs. */
export type PermittedOrganizations = typeof ALL_ORGANIZATIONS | ReadonlySet<string>;

export function listPermittedOrganizations(
  { grants }: Pick<Actor, 'grants'>,
  permission: Permission,
): PermittedOrganizations {
  const ids = grants
    .filter(({ permissions }) => permissions.includes(permission))
    .map(({ organization }) => organization);
  if (ids.includes(ALL_ORGANIZATIONS)) return ALL_ORGANIZATIONS;
  return new Set(SERVER_WIDE_PERMISSIONS.has(permission) ? [] : ids);
}

/** Without an organization, returns true if the actor has the permission in any. */
export function hasPermission(
  actor: Pick<Actor, 'grants'>,
  permission: Permission,
  organization?: string,
): boolean {
  const permitted = listPermittedOrganizations(actor, permission);
  if (permitted === ALL_ORGANIZATIONS) return true;
  return organization === undefined ? permitted.size > 0 : permitted.has(organization);
}

/** Lists the permissions of a grant that an actor lacks, and so may not give to others. */
export function listMissingPermissions(
  actor: Pick<Actor, 'grants'>,
  { organization, permissions }: Grant,
): Permission[] {
  return permissions.filter((permission) => {
    const isEffective =
      organization === ALL_ORGANIZATIONS || !SERVER_WIDE_PERMISSIONS.has(permission);
    return isEffective && !hasPermission(actor, permission, organization);
  });
}
