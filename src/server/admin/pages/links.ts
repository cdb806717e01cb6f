import type { OneTimeTokenRow } from '../../database/schema.ts';
import { isSameEmail } from '../../lib/normalize-email.ts';
import { STAFF_LINK_PATHS, type StaffLinkPurpose } from '../../staff/staff-links.ts';
import type { StaffPerson } from '../../staff/staff-repository.ts';
import { readTokenCookie, setTokenCookie } from '../access/session-cookie.ts';
import { TOO_MANY_ATTEMPTS } from '../access/sign-in-limits.ts';
import { getReturnPath, isAskingBrowser, isCodeOf } from '../access/sign-in-links.ts';
import { personEmailSchema, personNameSchema } from '../actions/input-schemas.ts';
import type { AdminContext } from '../admin-context.ts';
import {
  renderDeadLinkPage,
  renderInvitationPage,
  renderSetupPage,
  renderSignInLinkPage,
} from '../views/links.ts';
import { openProvider } from './openid-connect.ts';
import { type AdminPageContext, PAGE_HEADERS } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

const WELCOME =
  'Welcome. Add a passkey to sign in without waiting for a mail: with your fingerprint, face, or PIN.';

type Status = 200 | 400 | 401 | 404 | 429;
type SendPage = (
  c: AdminPageContext,
  link: OneTimeTokenRow,
  problem?: string,
  status?: Status,
) => Promise<Response>;

/**
 * Adds the pages that links open. `GET` only shows a page, because mail scanners open links; its
 * button uses the link.
 */
export function addLinkPages(routes: PageRoutes, context: AdminContext): void {
  addSignInLinkPage(routes, context);
  addInvitationPage(routes, context);
  addSetupPage(routes, context);
}

/** Adds a link's page and its form, which both show the same page if the link does not work. */
function addLinkPage(
  routes: PageRoutes,
  { oneTimeTokens }: AdminContext,
  purpose: StaffLinkPurpose,
  sendPage: SendPage,
  useLink: (c: AdminPageContext, link: OneTimeTokenRow) => Promise<Response>,
): void {
  const path = `${STAFF_LINK_PATHS[purpose]}/:token`;
  const findLink = (c: AdminPageContext): Promise<OneTimeTokenRow | undefined> =>
    oneTimeTokens.find(c.req.param('token') ?? '', purpose);

  routes.app.get(path, async (c) => {
    const link = await findLink(c);
    if (readTokenCookie(c) === undefined) setTokenCookie(c, c.get('token'));
    return link ? sendPage(c, link) : sendDeadLinkPage(c);
  });

  routes.addOpenForm(path, async (c) => {
    const link = await findLink(c);
    return link ? useLink(c, link) : sendDeadLinkPage(c);
  });
}

const sendDeadLinkPage = async (c: AdminPageContext): Promise<Response> =>
  c.html(renderDeadLinkPage(c.get('context')), 404, PAGE_HEADERS);

/**
 * Adds the page of the links that people ask for. In another browser than the one that asked, such
 * a link needs the code that the first one shows, so that nobody else can use the link.
 */
function addSignInLinkPage(routes: PageRoutes, context: AdminContext): void {
  const { oneTimeTokens } = context;
  const { limits } = routes.signIn;
  const sendPage: SendPage = async (c, link, problem, status = 200) => {
    const needsCode = !isAskingBrowser(link, c.get('token'));
    const page = renderSignInLinkPage(c.get('context'), { path: c.req.path, problem, needsCode });
    return c.html(page, status, PAGE_HEADERS);
  };

  addLinkPage(routes, context, 'sign-in', sendPage, async (c, link) => {
    const token = c.req.param('token') ?? '';
    if (!isAskingBrowser(link, c.get('token'))) {
      const code = (c.get('fields').code ?? '').replaceAll(/\s/g, '');
      // Scanners that submit forms must not use up the tries.
      if (!/^\d{6}$/.test(code))
        return sendPage(c, link, 'Enter the 6 digits that the other browser shows.', 400);
      if (!(await limits.countAttempt('code', link.hash))) {
        await oneTimeTokens.consume(token, 'sign-in');
        return sendDeadLinkPage(c);
      }
      if (!isCodeOf(link, code))
        return sendPage(c, link, 'This is not the code that the other browser shows.', 401);
    }
    const used = await oneTimeTokens.consume(token, 'sign-in');
    return used?.person
      ? routes.finishSignIn(c, used.person, { returnTo: getReturnPath(used) })
      : sendDeadLinkPage(c);
  });
}

/** Adds the page of invitations. It asks for the email, which scanners do not enter. */
function addInvitationPage(routes: PageRoutes, context: AdminContext): void {
  const { oneTimeTokens, staff } = context;
  const { limits } = routes.signIn;
  const findPerson = async (link: OneTimeTokenRow): Promise<StaffPerson | undefined> =>
    staff.findPerson(link.person ?? '');
  const sendPage: SendPage = async (c, link, problem, status = 200) => {
    const person = await findPerson(link);
    if (!person) return sendDeadLinkPage(c);
    const { email } = c.get('fields');
    const form = {
      path: c.req.path,
      problem,
      name: person.name,
      ...(email && { email }),
      providerName: routes.signIn.openIdConnect?.provider.name,
    };
    return c.html(renderInvitationPage(c.get('context'), form), status, PAGE_HEADERS);
  };

  addLinkPage(routes, context, 'invitation', sendPage, async (c, link) => {
    const { email = '' } = c.get('fields');
    const person = await findPerson(link);
    if (!(await limits.countAttempt('code', link.hash)))
      return sendPage(c, link, TOO_MANY_ATTEMPTS, 429);
    if (!person || !isSameEmail(email, person.email))
      return sendPage(c, link, 'The invitation was sent to another email.', 401);
    const token = c.req.param('token') ?? '';
    if (c.get('fields').with === 'provider')
      return openProvider(routes, c, { returnTo: '/account', invitation: token });
    const used = await oneTimeTokens.consume(token, 'invitation');
    return used
      ? routes.finishSignIn(c, person.id, { returnTo: '/account', notice: WELCOME })
      : sendDeadLinkPage(c);
  });
}

/** Adds the page on which the first person becomes an administrator of all organizations. */
function addSetupPage(routes: PageRoutes, context: AdminContext): void {
  const { oneTimeTokens, staff } = context;
  const sendPage: SendPage = async (c, _link, problem, status = 200) => {
    const { name, email } = c.get('fields');
    const form = { path: c.req.path, problem, ...(name && { name }), ...(email && { email }) };
    return c.html(renderSetupPage(c.get('context'), form), status, PAGE_HEADERS);
  };

  addLinkPage(routes, context, 'setup', sendPage, async (c, link) => {
    const { email = '', name: enteredName = '' } = c.get('fields');
    const { data: name } = personNameSchema.safeParse(enteredName);
    if (name === undefined)
      return sendPage(c, link, 'Enter your name, without a link or other contact details.', 400);
    if (!personEmailSchema.safeParse(email).success)
      return sendPage(c, link, 'Enter your email, such as name@example.org.', 400);
    const used = await oneTimeTokens.consume(c.req.param('token') ?? '', 'setup');
    const person = used && (await staff.addFirstPerson({ email, name }));
    return person === undefined
      ? sendDeadLinkPage(c)
      : routes.finishSignIn(c, person, { returnTo: '/account', notice: WELCOME });
  });
}
