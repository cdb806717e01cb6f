import type { z } from 'zod';
import { getPublicAdminUrl } from '../../diagnostics/admin.ts';
import { type Actor, hasPermission, listMissingPermissions } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS, ROLE_PERMISSIONS } from '../../staff/roles.ts';
import { buildStaffLink, INVITATION_LIFETIME } from '../../staff/staff-links.ts';
import {
  createPersonActor,
  type Membership,
  type StaffPerson,
} from '../../staff/staff-repository.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { ActionError } from './action-error.ts';
import type { idSchema, invitationSchema, rolesSchema } from './input-schemas.ts';
import { describeOrganization, formatUnknownOrganization } from './organizations.ts';

export type StaffItem = Awaited<ReturnType<typeof listStaff>>[number];

/** Lists the people with a role in an organization that the actor may manage. */
export async function listStaff(context: ActorContext) {
  const invitations = await context.oneTimeTokens.listPeople('invitation');
  return (await listVisiblePeople(context)).map((person) => {
    const { id, email, name, memberships, createdAt } = person;
    const isRemovable = mayRemove(person, context);
    // Others may have sent the invitation of someone with roles elsewhere.
    const invitation = isRemovable && invitations.find((one) => one.person === id);
    return {
      id,
      email,
      name,
      memberships: memberships.filter(({ organization }) => isVisible(organization, context)),
      addedAt: new Date(createdAt).toISOString(),
      /** Until when the link of an unused invitation is valid. ISO 8601, or `null`. */
      invitedUntil: invitation ? new Date(invitation.expiresAt).toISOString() : null,
      /** False if the person has roles that the actor may not change. */
      isRemovable,
    };
  });
}

/** Adds a person, or roles of a person in another organization. */
export async function inviteStaff(
  { email, name, ...membership }: z.output<typeof invitationSchema>,
  context: ActorContext,
) {
  const { staff } = context;
  assertMayGive(membership, context);
  const { organization, roles } = membership;
  if (
    !(await staff.hasEverHadPeople()) &&
    !(organization === ALL_ORGANIZATIONS && roles.includes('administrator'))
  )
    throw new ActionError(
      409,
      'The first person must be administrator of all organizations, because the server accepts the ' +
        'admin key only until then. Add yourself first.',
    );
  const added = await staff.addPerson({ email, name }, membership);
  // The name that others entered for the same email is theirs.
  const person = { ...(await staff.findByEmail(email))!, name };
  if (added === undefined) await addMembership(person, membership, context);
  const link = added === undefined ? undefined : await createInvitation(person, context);
  const isMailed = await announceChange(person, organization, context, {
    subject: `${person.name} can sign in`,
    change: `made ${describePerson(person)} ${formatRoles(roles)} of ${describeOrganization(organization, context)}`,
    link,
  });
  return {
    id: person.id,
    isMailed,
    /** Signs in a new person once, if no mail was sent. */
    ...(!isMailed && link !== undefined && { link }),
    after: { email: person.email, ...membership },
  };
}

/** Replaces a person's roles in an organization. */
export async function setStaffRoles(
  { id, ...membership }: z.output<typeof rolesSchema>,
  context: ActorContext,
) {
  const { staff } = context;
  assertMayGive(membership, context);
  const person = await findVisiblePerson(id, context);
  const { organization, roles } = membership;
  const { roles: before = [] } =
    person.memberships.find((one) => one.organization === organization) ?? {};
  await staff.setRoles(id, membership);
  await announceChange(person, organization, context, {
    subject: `The roles of ${person.name} have changed`,
    change:
      `changed the roles of ${describePerson(person)} in ${describeOrganization(organization, context)} ` +
      `from ${formatRoles(before)} to ${formatRoles(roles)}`,
  });
  return {
    before: { email: person.email, organization, roles: before },
    after: { email: person.email, organization, roles },
  };
}

/** Removes a person, and the API tokens that the person created. */
export async function removeStaff({ id }: z.output<typeof idSchema>, context: ActorContext) {
  const { staff, apiTokens } = context;
  const person = await findVisiblePerson(id, context);
  const { memberships, name, email } = person;
  if (!mayRemove(person, context))
    throw new ActionError(
      403,
      `${name} also has roles that you cannot change. Remove only the roles in your organization.`,
    );
  const tokens = (await apiTokens.listTokens()).filter(({ createdBy }) => createdBy === id);
  await staff.removePerson(id);
  for (const { organization } of memberships)
    await announceChange(person, organization, context, {
      subject: `${name} can no longer sign in`,
      change: `removed ${describePerson(person)}`,
    });
  return { before: { email, memberships }, revokedTokens: tokens.map((token) => token.name) };
}

const mayRemove = ({ memberships }: StaffPerson, { isPermitted }: ActorContext): boolean =>
  memberships.every(({ organization }) => isPermitted(organization));

async function addMembership(
  { id, name, memberships }: StaffPerson,
  membership: Membership,
  { staff }: ActorContext,
): Promise<void> {
  if (memberships.some(({ organization }) => organization === membership.organization))
    throw new ActionError(409, `${name} already has roles here. Change these roles instead.`);
  await staff.setRoles(id, membership);
}

async function createInvitation({ id }: StaffPerson, context: ActorContext): Promise<string> {
  const token = await context.oneTimeTokens.create({
    purpose: 'invitation',
    person: id,
    lifetime: INVITATION_LIFETIME,
  });
  return buildStaffLink(getPublicAdminUrl(context.configuration())!, 'invitation', token);
}

/** @throws {ActionError} if the organization is unknown, or the actor lacks a role's permissions. */
function assertMayGive({ organization, roles }: Membership, context: ActorContext): void {
  const isKnown =
    organization === ALL_ORGANIZATIONS || context.organizations.find(organization) !== undefined;
  if (!isKnown || !context.isPermitted(organization))
    throw new ActionError(
      403,
      organization === ALL_ORGANIZATIONS
        ? 'Only an administrator of all organizations can change roles in all organizations.'
        : formatUnknownOrganization(organization, context.organizations),
    );
  const permissions = roles.flatMap((role) => ROLE_PERMISSIONS[role]);
  const [missing] = listMissingPermissions(context.actor, { organization, permissions });
  if (missing !== undefined)
    throw new ActionError(
      403,
      `You cannot give the permission ${missing}, because you do not have it yourself.`,
    );
}

/** People of one organization see who has roles in all of them. */
function isVisible(organization: string, { isPermitted }: ActorContext): boolean {
  return organization === ALL_ORGANIZATIONS || isPermitted(organization);
}

/** Shows people who also have roles elsewhere by email, because others entered their names. */
async function listVisiblePeople(context: ActorContext): Promise<readonly StaffPerson[]> {
  const seesAll = context.isPermitted(ALL_ORGANIZATIONS);
  const isKnown = ({ organization }: Membership): boolean => isVisible(organization, context);
  return (await context.staff.listPeople())
    .filter(({ memberships }) => seesAll || memberships.some(isKnown))
    .map((person) =>
      seesAll || person.memberships.every(isKnown) ? person : { ...person, name: person.email },
    );
}

/** @throws {ActionError} 404 */
async function findVisiblePerson(id: string, context: ActorContext): Promise<StaffPerson> {
  const person = (await listVisiblePeople(context)).find((one) => one.id === id);
  if (person) return person;
  throw new ActionError(404, 'Nobody in your organizations has this ID. Reload the staff page.');
}

const formatRoles = (roles: readonly string[]): string => roles.join(' and ') || 'none';

const describePerson = ({ name, email }: StaffPerson): string =>
  name === email ? email : `${name} (${email})`;

function describeActor({ kind, name }: Actor): string {
  return kind === 'token' ? `The API token “${name}”` : name || 'Somebody with the admin key';
}

interface Announcement {
  readonly subject: string;
  /** What the actor did, such as `removed Maria Silva`. */
  readonly change: string;
  /** Signs the person in. Only the person gets it. */
  readonly link?: string | undefined;
}

/**
 * Mails a change to the person and to everybody who manages the staff of the organization.
 * @returns false if the message to the person was not sent.
 */
async function announceChange(
  person: StaffPerson,
  organization: string,
  context: ActorContext,
  { subject, change, link }: Announcement,
): Promise<boolean> {
  const { actor, staff, staffMail } = context;
  const send = (to: StaffPerson, url?: string): Promise<boolean> =>
    staffMail.send(to, {
      subject,
      title: subject,
      paragraphs: [`${describeActor(actor)} ${change}.`],
      ...(url !== undefined && { link: { label: 'Sign in', url } }),
      closing: 'The donation server sends this message to its staff.',
    });
  const administrators = (await staff.listPeople()).filter(
    (one) =>
      one.id !== person.id && hasPermission(createPersonActor(one), 'staff:manage', organization),
  );
  const [isSent] = await Promise.all([
    send(person, link ?? getPublicAdminUrl(context.configuration())),
    ...administrators.map((one) => send(one)),
  ]);
  return isSent;
}
