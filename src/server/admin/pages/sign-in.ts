import { isEmail } from '@donation-form/core/donor';
import { ADMIN_KEY_ACTOR } from '../../staff/actor.ts';
import {
  ADMIN_KEY_REFUSED,
  type AdminKeyVerifier,
  formatLockoutMessage,
} from '../access/admin-key.ts';
import { identifyClient } from '../access/client.ts';
import { setTokenCookie } from '../access/session-cookie.ts';
import { generateToken } from '../access/sessions.ts';
import { TOO_MANY_ATTEMPTS } from '../access/sign-in-limits.ts';
import { nameSchema } from '../actions/input-schemas.ts';
import type { AdminContext } from '../admin-context.ts';
import { renderLinkSentPage } from '../views/sign-in.ts';
import { PAGE_HEADERS } from './page-context.ts';
import { isLocalPath, type PageRoutes } from './page-routes.ts';

export function addSignInPages(
  routes: PageRoutes,
  context: AdminContext,
  verifier: AdminKeyVerifier,
): void {
  routes.app.get('/sign-in', (c) =>
    c.get('context').session ? c.redirect('/', 303) : routes.sendSignInPage(c),
  );

  addKeyForm(routes, context, verifier);
  addEmailForm(routes);
  addPasskeyForm(routes);

  routes.addOpenForm('/sign-out', async (c) => {
    if (c.get('context').session) await routes.recordSignIn(c.get('actor'), 'sign-out');
    await routes.sessions.deleteSession(c.get('token'));
    setTokenCookie(c, generateToken());
    return c.redirect('/', 303);
  });
}

/** Adds the form for the admin key, which opens the pages until the first person exists. */
function addKeyForm(
  routes: PageRoutes,
  { staff }: Pick<AdminContext, 'staff'>,
  verifier: AdminKeyVerifier,
): void {
  routes.addOpenForm('/sign-in', async (c) => {
    const { key = '', name: enteredName = '', returnTo = '/' } = c.get('fields');
    const { data: name } = nameSchema.safeParse(enteredName);
    const refuse = (problem: string, status: 400 | 401 | 403 | 429): Promise<Response> =>
      routes.sendSignInForm(c, { returnTo, problem, name: enteredName }, status);
    if (await staff.hasEverHadPeople()) return refuse(ADMIN_KEY_REFUSED, 403);
    if (name === undefined)
      return refuse(
        'Enter your name. The server saves your name with every decision you make.',
        400,
      );
    const verification = verifier.verifyKey(key, identifyClient(c.get('client')), '/sign-in');
    if (verification === 'invalid')
      return refuse(
        'This is not the admin key. Enter the key that "admin.key" in the configuration specifies.',
        401,
      );
    if (verification !== 'valid') {
      c.header('Retry-After', String(verification.retryAfter));
      return refuse(formatLockoutMessage(verification.retryAfter), 429);
    }
    await routes.startSession(c, { name });
    const { address } = c.get('client');
    await routes.recordSignIn({ ...ADMIN_KEY_ACTOR, name, address }, 'sign-in');
    return c.redirect(isLocalPath(returnTo) ? returnTo : '/', 303);
  });
}

/** Adds the form that mails a link. Its answer is the same for all emails. */
function addEmailForm(routes: PageRoutes): void {
  const { links } = routes.signIn;

  routes.addOpenForm('/sign-in/email', async (c) => {
    const { email = '', returnTo = '/' } = c.get('fields');
    if (!isEmail(email)) {
      const problem = 'Enter your email, such as name@example.org.';
      return routes.sendSignInForm(c, { returnTo, problem, email }, 400);
    }
    return (await routes.requestSignInLink(c, email, returnTo))
      ? c.redirect('/sign-in/sent', 303)
      : routes.sendSignInForm(c, { returnTo, problem: TOO_MANY_ATTEMPTS, email }, 429);
  });

  routes.app.get('/sign-in/sent', (c) => {
    const code = links.deriveCode(c.get('token'));
    return c.html(renderLinkSentPage(c.get('context'), code), 200, PAGE_HEADERS);
  });
}

function addPasskeyForm(routes: PageRoutes): void {
  const { passkeys, limits } = routes.signIn;
  if (!passkeys.isAvailable) return;

  routes.addOpenForm('/sign-in/passkey/options', async (c) =>
    (await limits.countAttempt('challenge', identifyClient(c.get('client'))))
      ? c.json(await passkeys.createAuthenticationOptions(c.get('token')))
      : c.json({ message: TOO_MANY_ATTEMPTS }, 429),
  );

  routes.addOpenForm('/sign-in/passkey', async (c) => {
    const { passkey = '', returnTo = '/' } = c.get('fields');
    const person = await passkeys.verifyPasskey(passkey, c.get('token'));
    if (person !== undefined) return routes.finishSignIn(c, person, { returnTo });
    const problem =
      'This passkey did not work. It may have been removed. Try again, or sign in in another way.';
    return routes.sendSignInForm(c, { returnTo, problem }, 401);
  });
}
