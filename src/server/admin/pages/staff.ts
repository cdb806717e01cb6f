import { ALL_ORGANIZATIONS, PERMISSIONS, ROLES } from '../../staff/roles.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import { listStaff } from '../actions/staff.ts';
import { listTokens } from '../actions/tokens.ts';
import type { Choice } from '../views/select.ts';
import { renderStaffPage, type StaffSecret } from '../views/staff.ts';
import type { AdminPageContext, PageFields } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

const getStaffPage = (): string => '/staff';
const needsRecentAuthentication = true;

/** Adds the page with people, their roles, and API tokens. */
export function addStaffPage(routes: PageRoutes): void {
  const renderPage = async (
    c: AdminPageContext,
    context: ActorContext,
    secret?: Omit<StaffSecret, 'name'>,
  ) =>
    renderStaffPage(
      { ...c.get('context'), page: '/staff' },
      {
        people: await listStaff(context),
        tokens: await listTokens(context),
        organizations: listChoices(context),
        timeZone: context.organizations.all[0]!.timeZone,
        secret: secret && { ...secret, name: c.get('fields').name ?? '' },
      },
    );

  routes.addPage('/staff', 'staff:manage', (c, context) => renderPage(c, context));

  routes.addActionForm('/staff/invite', 'staff.invite', {
    readInput: ({ email, name, organization, ...fields }) => ({
      email,
      name,
      organization,
      roles: readChecked(fields, ROLES),
    }),
    formatOutput: ({ isMailed }, { name, email }) =>
      `${name} can sign in now.${isMailed ? ` The server sent a message to ${email}.` : ''}`,
    renderSecret: async ({ link }, c, context) =>
      link === undefined ? undefined : renderPage(c, context, { kind: 'invitation', value: link }),
    getPage: getStaffPage,
    needsRecentAuthentication,
  });

  routes.addActionForm('/staff/:id/roles', 'staff.set-roles', {
    readInput: ({ organization, ...fields }) => ({
      organization,
      roles: readChecked(fields, ROLES),
    }),
    formatOutput: ({ after: { email, roles } }) =>
      `The roles of ${email} are now: ${roles.join(', ') || 'none'}.`,
    getPage: getStaffPage,
    needsRecentAuthentication,
  });

  routes.addActionForm('/staff/:id/remove', 'staff.remove', {
    readInput: () => ({}),
    formatOutput: ({ before: { email }, revokedTokens }) =>
      [
        `${email} can no longer sign in.`,
        ...(revokedTokens.length === 0
          ? []
          : [`These API tokens no longer work: ${revokedTokens.join(', ')}.`]),
      ].join('\n'),
    getPage: getStaffPage,
    needsRecentAuthentication,
  });

  routes.addActionForm('/staff/tokens', 'tokens.create', {
    readInput: ({ name, organization, ...fields }) => ({
      name,
      organization,
      permissions: readChecked(fields, PERMISSIONS),
    }),
    formatOutput: (_output, { name }) => `The API token “${name}” works now.`,
    renderSecret: ({ token }, c, context) =>
      renderPage(c, context, { kind: 'token', value: token }),
    getPage: getStaffPage,
    needsRecentAuthentication,
  });

  routes.addActionForm('/staff/tokens/:id/revoke', 'tokens.revoke', {
    readInput: () => ({}),
    formatOutput: ({ before: { name } }) => `The API token “${name}” no longer works.`,
    getPage: getStaffPage,
    needsRecentAuthentication,
  });
}

function listChoices(context: ActorContext): Choice[] {
  const { all } = context.organizations;
  const choices = all.map((one): Choice => [one.id, getOrganizationName(one)]);
  return context.isPermitted(ALL_ORGANIZATIONS)
    ? [[ALL_ORGANIZATIONS, 'All organizations'], ...choices]
    : choices;
}

/** Returns the values whose checkboxes are checked. */
function readChecked(fields: PageFields, values: readonly string[]): string[] {
  return values.filter((value) => fields[value] !== undefined);
}
