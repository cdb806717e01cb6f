import { Organizations } from '../../organizations/organizations.ts';
import { type Actor, listPermittedOrganizations } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS, type Permission } from '../../staff/roles.ts';
import { ActionError } from '../actions/staff-action.ts';
import type { AdminContext } from '../admin-context.ts';

/**
 * What an actor may see and change with one permission. `organizations` has only the organizations
 * in which the actor has the permission.
 */
export interface ActorContext extends AdminContext {
  readonly actor: Actor;
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
  if (permitted === ALL_ORGANIZATIONS) return { ...context, actor, isPermitted: () => true };
  const organizations = new Organizations(
    context.organizations.all.filter(({ id }) => permitted.has(id)),
  );
  if (organizations.all.length === 0) throw createForbiddenError(actor, permission);
  return { ...context, actor, organizations, isPermitted: (id) => permitted.has(id) };
}

function createForbiddenError({ kind }: Actor, permission: Permission): ActionError {
  return new ActionError(
    403,
    kind === 'token'
      ? `The API token does not have the permission ${permission}. Create a token with this permission.`
      : `Your roles do not include the permission ${permission}. Ask an administrator to change them.`,
  );
}
