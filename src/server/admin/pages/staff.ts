import { ALL_ORGANIZATIONS, PERMISSIONS, ROLES } from '../../staff/roles.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import { listStaff, mayManage } from '../actions/staff.ts';
import { performAction } from '../actions/staff-actions.ts';
import { listTokens } from '../actions/tokens.ts';
import type { Choice } from '../views/select.ts';
import { renderStaffPage, type StaffSecret } from '../views/staff.ts';
import { type AdminPageContext, PAGE_HEADERS, type PageFields } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

const getStaffPage = (): string => '/staff';
const needsRecentAuthentication = true;

/** Adds the page with people, their roles, and API tokens. */
export function addStaffPage(routes: PageRoutes): void {
  const renderPage = async (c: AdminPageContext, context: ActorContext, secret?: StaffSecret) =>
    renderStaffPage(
      { ...c.get('context'), page: '/staff' },
      {
        people: await listStaff(context),
        tokens: await listTokens(context),
        organizations: listChoices(context),
        timeZone: context.organizations.all[0]!.timeZone,
        secret,
      },
    );

  routes.addPage('/staff', 'staff:manage', (c, context) => renderPage(c, context));

  routes.addForm(
    '/staff/invite',
    'staff:manage',
    (c, context) =>
      routes.catchActionError(c, '/staff', async () => {
        const { email = '', name = '', organization = '', ...fields } = c.get('fields');
        const input = { email, name, organization, roles: readChecked(fields, ROLES) };
        const { link, isMailed } = await performAction(
          'staff.invite',
          input,
          context.actor,
          context,
        );
        const message = isMailed ? ` The server sent a message to ${email}.` : '';
        if (link === undefined)
          return routes.redirectWithNotice(c, '/staff', {
            isError: false,
            text: `${name} can sign in now.${message}`,
          });
        const secret = { name, kind: 'invitation', value: link } as const;
        return c.html(await renderPage(c, context, secret), 200, PAGE_HEADERS);
      }),
    { needsRecentAuthentication },
  );

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

  // The page shows the token in its response, so that the server never stores it.
  routes.addForm(
    '/staff/tokens',
    'staff:manage',
    (c, context) =>
      routes.catchActionError(c, '/staff', async () => {
        const { name = '', organization = '', ...fields } = c.get('fields');
        const input = { name, organization, permissions: readChecked(fields, PERMISSIONS) };
        const { token } = await performAction('tokens.create', input, context.actor, context);
        const secret = { name, kind: 'token', value: token } as const;
        return c.html(await renderPage(c, context, secret), 200, PAGE_HEADERS);
      }),
    { needsRecentAuthentication },
  );

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
  return mayManage(ALL_ORGANIZATIONS, context)
    ? [[ALL_ORGANIZATIONS, 'All organizations'], ...choices]
    : choices;
}

/** Returns the values whose checkboxes are checked. */
function readChecked(fields: PageFields, values: readonly string[]): string[] {
  return values.filter((value) => fields[value] !== undefined);
}
