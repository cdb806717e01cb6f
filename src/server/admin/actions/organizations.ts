import type { z } from 'zod';
import type { Organization } from '../../organizations/organization.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { hasPermission } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS } from '../../staff/roles.ts';
import type { ActorContext } from '../access/actor-context.ts';
import type { AdminContext } from '../admin-context.ts';
import { ActionError } from './action-error.ts';
import type { pauseSchema } from './input-schemas.ts';

export type OrganizationSummary = Awaited<ReturnType<typeof listOrganizations>>[number];
type OrganizationsContext = Pick<AdminContext, 'repository' | 'organizations'>;

/** Returns the English name that donors see, or the ID of an organization without forms. */
export function getOrganizationName({ id, forms }: Pick<Organization, 'id' | 'forms'>): string {
  return forms[0]?.en.definition.organization.name ?? id;
}

/** Returns the name of an organization or of all, or the ID if it is no longer configured. */
export function describeOrganization(
  id: string,
  { organizations }: Pick<AdminContext, 'organizations'>,
): string {
  if (id === ALL_ORGANIZATIONS) return 'all organizations';
  const organization = organizations.find(id);
  return organization ? getOrganizationName(organization) : id;
}

/** Returns an organization's time zone. Defaults to UTC, in case it is no longer configured. */
export function getTimeZone(
  id: string,
  { organizations }: Pick<AdminContext, 'organizations'>,
): string {
  return organizations.find(id)?.timeZone ?? 'UTC';
}

export async function listOrganizations({
  organizations,
  repository,
  outboundMail,
  actor,
}: Pick<ActorContext, 'organizations' | 'repository' | 'outboundMail' | 'actor'>) {
  const pauses = await repository.pauses.listActive();
  const mailPauses = await outboundMail.pauses.listActive();
  return organizations.all.map(({ id, forms, mail }) => {
    const pause = pauses.find(({ organization }) => organization === id);
    const mailPause = mailPauses.find(({ organization }) => organization === id);
    return {
      id,
      name: getOrganizationName({ id, forms }),
      forms: forms.map(({ en }) => en.definition.id),
      /** `null` if the organization accepts donations. `at` is ISO 8601. */
      paused: pause
        ? {
            at: new Date(pause.pausedAt).toISOString(),
            by: pause.pausedBy,
            // Notes can mention donors.
            note: hasPermission(actor, 'donations:read', id) ? pause.note : '',
          }
        : null,
      sendsMail: mail !== undefined,
      /** `null` unless the organization's mail is paused. `at` is ISO 8601. */
      mailPaused: mailPause
        ? { at: new Date(mailPause.pausedAt).toISOString(), by: mailPause.pausedBy }
        : null,
    };
  });
}

/** @throws {ActionError} if no organization has the ID. */
export async function pauseOrResumeOrganization(
  { organizations, repository: { pauses } }: OrganizationsContext,
  action: 'pause' | 'resume',
  { id, by, note }: z.output<typeof pauseSchema>,
): Promise<string> {
  if (!organizations.find(id))
    throw new ActionError(404, formatUnknownOrganization(id, organizations));
  const hasChanged = await (action === 'pause'
    ? pauses.pauseOrganization(id, by, note)
    : pauses.resumeOrganization(id, by, note));
  if (action === 'pause')
    return hasChanged
      ? `${id} is paused. Within 5 seconds, all servers will reject new donations to it, ` +
          'but they will still process existing donations.'
      : `${id} is already paused.`;
  return hasChanged
    ? `${id} is no longer paused. Within 5 seconds, all servers will accept donations to it again.`
    : `${id} is not paused, so there is nothing to resume.`;
}

export function selectOrganization(
  id: string | undefined,
  { organizations }: OrganizationsContext,
): Organization {
  return organizations.find(id ?? '') ?? organizations.all[0]!;
}

/** @throws {ActionError} if the ID is unknown. Without an ID, returns the first organization. */
export function findRequestedOrganization(
  id: string | undefined,
  context: OrganizationsContext,
): Organization {
  return id === undefined || id === ''
    ? selectOrganization(undefined, context)
    : findOnlyOrganization(id, context.organizations);
}

/** @throws {ActionError} if the ID is unknown, or undefined although there are several. */
export function findOnlyOrganization(
  id: string | undefined,
  organizations: Organizations,
): Organization {
  const organization =
    id === undefined && organizations.all.length === 1
      ? organizations.all[0]
      : organizations.find(id ?? '');
  if (organization) return organization;
  const ids = organizations.all.map((one) => one.id).join(', ');
  throw new ActionError(
    400,
    id === undefined
      ? `The server has several organizations. Specify one with --organization: ${ids}.`
      : formatUnknownOrganization(id, organizations),
  );
}

export function formatUnknownOrganization(id: string, { all }: Organizations): string {
  const ids = all.map((organization) => organization.id);
  return `Unknown organization '${id}'; expected one of ${ids.join(', ')}.`;
}
