import { Organizations } from '../../organizations/organizations.ts';
import {
  type Actor,
  listPermittedOrganizations,
  type PermittedOrganizations,
} from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS, type Permission, PERMISSION_DESCRIPTIONS } from '../../staff/roles.ts';
import { ActionError } from '../actions/action-error.ts';
import type { AdminContext } from '../admin-context.ts';

/**
 * What an actor may see and change with one permission. `organizations` has only the organizations
 * in which the actor has the permission.
 */
export interface ActorContext extends AdminContext {
  readonly actor: Actor;
  /** Also organizations that are no longer configured. */
  readonly permitted: PermittedOrganizations;
  /** Returns true for organizations in which the actor has the permission, configured or not. */
  readonly isPermitted: (organization: string) => boolean;
}

/** @throws {ActionError} 403 if the actor has the permission in no organization. */
export function createActorContext(
  context: AdminContext,
  actor: Actor,
  permission: Permission,
): ActorContext {
  const permitted = listPermittedOrganizations(actor, permission);
  if (permitted === ALL_ORGANIZATIONS)
    return { ...context, actor, permitted, isPermitted: () => true };
  const organizations = new Organizations(
    context.organizations.all.filter(({ id }) => permitted.has(id)),
  );
  if (organizations.all.length === 0) throw createForbiddenError(actor, permission);
  return { ...context, actor, permitted, organizations, isPermitted: (id) => permitted.has(id) };
}

/**
 * Lists the organizations that a query may read: the requested one, or all in which the actor has
 * the permission. Returns `undefined` for all, including those that are no longer configured.
 */
export function listReadableOrganizations(
  { permitted, isPermitted }: Pick<ActorContext, 'permitted' | 'isPermitted'>,
  requested: string | undefined,
): readonly string[] | undefined {
  if (requested !== undefined) return isPermitted(requested) ? [requested] : [];
  return permitted === ALL_ORGANIZATIONS ? undefined : [...permitted];
}

function createForbiddenError({ kind }: Actor, permission: Permission): ActionError {
  return new ActionError(
    403,
    kind === 'token'
      ? `The API token does not have the permission ${permission}. Create a token with this permission.`
      : `None of your roles lets you ${PERMISSION_DESCRIPTIONS[permission]} (${permission}). Ask an ` +
          'administrator for a role with this permission.',
  );
}
