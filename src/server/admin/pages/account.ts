import { describeDevice } from '../access/describe-device.ts';
import { TOO_MANY_ATTEMPTS } from '../access/sign-in-limits.ts';
import { nameSchema } from '../actions/input-schemas.ts';
import type { AdminContext } from '../admin-context.ts';
import { renderAccountPage } from '../views/account.ts';
import { type AdminPageContext, PASSKEY_PAGE_HEADERS } from './page-context.ts';
import { isLocalPath, type PageRoutes } from './page-routes.ts';

/** Adds the page on which people manage their passkeys and sessions. */
export function addAccountPages(routes: PageRoutes, context: AdminContext): void {
  const { sessions } = routes;
  const { passkeys, passkeyRepository, openIdConnect, identities } = routes.signIn;
  const provider = openIdConnect?.provider;

  routes.addPersonalPage(
    '/account',
    async (c) => {
      const { id } = c.get('actor');
      const person = await context.staff.findPerson(id);
      return renderAccountPage(c.get('context'), {
        person,
        organizations: context.organizations,
        passkeys: await passkeyRepository.listPasskeys(id),
        canAddPasskeys: passkeys.isAvailable,
        device: describeDevice(c.req.header('User-Agent')),
        sessions: await sessions.listSessions(id, c.get('token')),
        provider: provider && {
          name: provider.name,
          isLinked: await identities.hasIdentity(id, provider.issuer),
        },
        now: context.now(),
      });
    },
    PASSKEY_PAGE_HEADERS,
  );

  addPasskeyForms(routes, context);
  addConfirmForm(routes, context);

  routes.addOpenForm('/account/sessions/end', async (c) => {
    await sessions.endSession(c.get('actor').id, c.get('fields').id ?? '');
    return redirectToAccount(routes, c, 'The session has ended.');
  });

  routes.addOpenForm('/account/sessions/end-others', async (c) => {
    await sessions.endOtherSessions(c.get('actor').id, c.get('token'));
    return redirectToAccount(routes, c, 'All your other sessions have ended.');
  });
}

function addPasskeyForms(routes: PageRoutes, { staff }: Pick<AdminContext, 'staff'>): void {
  const { passkeys, passkeyRepository } = routes.signIn;
  const needsRecentAuthentication = true;

  routes.addOpenForm('/account/passkeys/options', async (c) => {
    const person = await staff.findPerson(c.get('actor').id);
    return person && passkeys.isAvailable
      ? c.json(await passkeys.createRegistrationOptions(person, c.get('token')))
      : c.notFound();
  });

  routes.addOpenForm(
    '/account/passkeys/add',
    async (c) => {
      const { registration = '', name = '' } = c.get('fields');
      const device = nameSchema.safeParse(name).data ?? describeDevice(c.req.header('User-Agent'));
      const isAdded = await passkeys.addPasskey({
        person: c.get('actor').id,
        name: device,
        response: registration,
        browserToken: c.get('token'),
      });
      return isAdded
        ? redirectToAccount(routes, c, `You can now sign in with the passkey “${device}”.`)
        : redirectToAccount(routes, c, 'The passkey was not added. Try again.', true);
    },
    { needsRecentAuthentication },
  );

  routes.addOpenForm(
    '/account/passkeys/remove',
    async (c) => {
      await passkeyRepository.removePasskey(c.get('actor').id, c.get('fields').id ?? '');
      return redirectToAccount(routes, c, 'The passkey no longer signs you in.');
    },
    { needsRecentAuthentication },
  );
}

/** Adds the form with which signed-in people ask for a link to confirm that it is them. */
function addConfirmForm(routes: PageRoutes, { staff }: Pick<AdminContext, 'staff'>): void {
  routes.addOpenForm('/account/confirm', async (c) => {
    const fields = Object.fromEntries(
      Object.entries(c.get('fields')).filter(([name]) => name !== 'confirmed'),
    );
    const path = c.req.query('path') ?? '';
    const person = await staff.findPerson(c.get('actor').id);
    if (!person || !isLocalPath(path)) return c.notFound();
    const isLinkSent = await routes.requestSignInLink(c, person.email, '/account');
    return routes.sendConfirmPage(c, {
      path,
      fields,
      isLinkSent,
      ...(!isLinkSent && { problem: TOO_MANY_ATTEMPTS }),
    });
  });
}

const redirectToAccount = (
  routes: PageRoutes,
  c: AdminPageContext,
  text: string,
  isError = false,
): Promise<Response> => routes.redirectWithNotice(c, '/account', { isError, text });
