import { ADMIN_KEY_ACTOR } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS } from '../../staff/roles.ts';
import {
  ADMIN_KEY_REFUSED,
  type AdminKeyVerifier,
  formatLockoutMessage,
} from '../access/admin-key.ts';
import { setTokenCookie } from '../access/session-cookie.ts';
import { generateToken } from '../access/sessions.ts';
import { nameSchema } from '../actions/input-schemas.ts';
import type { AdminContext } from '../admin-context.ts';
import { getActor } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

export function addSignInPages(
  routes: PageRoutes,
  verifier: AdminKeyVerifier,
  context: AdminContext,
): void {
  const { sessions } = routes;

  routes.app.get('/sign-in', (c) =>
    c.get('context').session ? c.redirect('/', 303) : routes.sendSignInPage(c),
  );

  routes.addOpenForm('/sign-in', async (c) => {
    const { key = '', name: enteredName = '', returnTo = '/' } = c.get('fields');
    const { data: name } = nameSchema.safeParse(enteredName);
    const refuse = (problem: string, status: 400 | 401 | 403 | 429): Response | Promise<Response> =>
      routes.sendSignInForm(c, { returnTo, problem, name: enteredName }, status);
    if (name === undefined)
      return refuse(
        'Enter your name. The server saves your name with every decision you make.',
        400,
      );
    const verification = verifier.verifyKey(key, c.env.address ?? '', '/sign-in');
    if (verification === 'invalid')
      return refuse(
        'This is not the admin key. Enter the key that "admin.key" in the configuration specifies.',
        401,
      );
    if (verification !== 'valid') {
      c.header('Retry-After', String(verification.retryAfter));
      return refuse(formatLockoutMessage(verification.retryAfter), 429);
    }
    if (await context.staff.hasEverHadPeople()) return refuse(ADMIN_KEY_REFUSED, 403);
    await sessions.deleteSession(c.get('token'));
    setTokenCookie(c, await sessions.createSession(name));
    await context.auditLog.record({
      actor: { ...ADMIN_KEY_ACTOR, name, address: c.env.address },
      action: 'sign-in',
      organization: ALL_ORGANIZATIONS,
    });
    return c.redirect(isAdminPagePath(returnTo) ? returnTo : '/', 303);
  });

  routes.addOpenForm('/sign-out', async (c) => {
    if (c.get('context').session)
      await context.auditLog.record({
        actor: getActor(c),
        action: 'sign-out',
        organization: ALL_ORGANIZATIONS,
      });
    await sessions.deleteSession(c.get('token'));
    setTokenCookie(c, generateToken());
    return c.redirect('/', 303);
  });
}

function isAdminPagePath(path: string): boolean {
  return /^\/(?:builder|donations(?:\/[\w-]+)?)?$/.test(path);
}
