import type { OneTimeTokenRow } from '../../database/schema.ts';
import type { Identity } from '../../staff/identity-repository.ts';
import type { ProviderRequest } from '../access/openid-connect.ts';
import type { AdminContext } from '../admin-context.ts';
import { renderProviderPage } from '../views/sign-in.ts';
import { type AdminPageContext, PAGE_HEADERS } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

/** Adds the sign-in with the organization's own identity provider, if there is one. */
export function addOpenIdConnect(routes: PageRoutes, context: AdminContext): void {
  const { openIdConnect, identities } = routes.signIn;
  if (!openIdConnect) return;
  const { name, issuer } = openIdConnect.provider;

  routes.addOpenForm('/sign-in/openid-connect', async (c) => {
    const { returnTo = '/' } = c.get('fields');
    const isConfirmation = c.get('context').session !== undefined;
    return openProvider(routes, c, { returnTo, isConfirmation });
  });

  routes.app.get('/sign-in/openid-connect/callback', async (c) => {
    const { search } = new URL(c.req.url);
    const result = await openIdConnect.finishRequest(search, c.get('token'));
    if (result) return finishProviderRequest(routes, context, c, result);
    const problem = `${name} did not sign you in. Try again, or sign in in another way.`;
    return c.get('context').session
      ? routes.redirectWithNotice(c, '/account', { isError: true, text: problem })
      : routes.sendSignInForm(c, { returnTo: '/', problem });
  });

  routes.addOpenForm(
    '/account/identity/link',
    async (c) => openProvider(routes, c, { returnTo: '/account', linkTo: c.get('actor').id }),
    { needsRecentAuthentication: true },
  );

  routes.addOpenForm(
    '/account/identity/unlink',
    async (c) => {
      await identities.unlinkIdentities(c.get('actor').id, issuer);
      const text = `${name} no longer signs you in.`;
      return routes.redirectWithNotice(c, '/account', { isError: false, text });
    },
    { needsRecentAuthentication: true },
  );
}

/**
 * Sends the browser to the provider, from a page: the policy of our pages forbids forms that
 * redirect to other websites.
 */
export async function openProvider(
  routes: PageRoutes,
  c: AdminPageContext,
  request: ProviderRequest,
): Promise<Response> {
  const { openIdConnect } = routes.signIn;
  if (!openIdConnect) return c.notFound();
  const { name } = openIdConnect.provider;
  const url = await openIdConnect.startRequest(request, c.get('token'));
  if (url === undefined) {
    const problem = `${name} does not answer. Try again later, or sign in in another way.`;
    return routes.sendSignInForm(c, { returnTo: request.returnTo, problem });
  }
  return c.html(renderProviderPage(c.get('context'), name, url), 200, {
    ...PAGE_HEADERS,
    Refresh: `0; url=${url}`,
  });
}

async function finishProviderRequest(
  routes: PageRoutes,
  { oneTimeTokens }: AdminContext,
  c: AdminPageContext,
  { request, identity }: { readonly request: ProviderRequest; readonly identity: Identity },
): Promise<Response> {
  const { identities, openIdConnect } = routes.signIn;
  const { name } = openIdConnect!.provider;
  const { linkTo, invitation, returnTo } = request;
  if (linkTo !== undefined) {
    const isLinked =
      c.get('context').session?.person === linkTo &&
      (await identities.linkIdentity(linkTo, identity));
    const text = isLinked
      ? `You can now sign in with ${name}.`
      : `This account of ${name} belongs to somebody else here.`;
    return routes.redirectWithNotice(c, '/account', { isError: !isLinked, text });
  }
  const used: OneTimeTokenRow | undefined =
    invitation === undefined ? undefined : await oneTimeTokens.consume(invitation, 'invitation');
  if (used?.person && (await identities.linkIdentity(used.person, identity)))
    return routes.finishSignIn(c, used.person, { returnTo });
  const person = await identities.findPerson(identity);
  if (person !== undefined) return routes.finishSignIn(c, person, { returnTo });
  const problem =
    `Your account of ${name} is not linked to a person here. Sign in in another way, and link it on ` +
    '“Your account”, or ask an administrator for an invitation.';
  return routes.sendSignInForm(c, { returnTo, problem }, 403);
}
