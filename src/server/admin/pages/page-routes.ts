import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Client } from '../../fraud-protection/client-address.ts';
import type { Html } from '../../http/render-document.ts';
import { type Actor, ADMIN_KEY_ACTOR } from '../../staff/actor.ts';
import { ALL_ORGANIZATIONS, type Permission } from '../../staff/roles.ts';
import { createPersonActor } from '../../staff/staff-repository.ts';
import { type ActorContext, createActorContext } from '../access/actor-context.ts';
import { identifyClient } from '../access/client.ts';
import { describeDevice } from '../access/describe-device.ts';
import {
  readBrowserCookie,
  readTokenCookie,
  setBrowserCookie,
  setTokenCookie,
} from '../access/session-cookie.ts';
import {
  deriveCsrfToken,
  generateToken,
  type Session,
  type SessionNotice,
  type SessionRepository,
} from '../access/sessions.ts';
import type { SignInServices } from '../access/sign-in-services.ts';
import { ActionError } from '../actions/action-error.ts';
import { ACTION_ROUTES, type ActionName } from '../actions/action-routes.ts';
import { describeIntent } from '../actions/audit-description.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import { type ActionOutput, performAction } from '../actions/staff-actions.ts';
import type { AdminContext } from '../admin-context.ts';
import { renderConfirmPage } from '../views/confirm.ts';
import { renderForbiddenPage } from '../views/forbidden.ts';
import { renderSignInPage, type SignInForm } from '../views/sign-in.ts';
import {
  type AdminPageContext,
  isSubmittedFromSameSession,
  PAGE_HEADERS,
  type PageEnv,
  type PageFields,
  PASSKEY_PAGE_HEADERS,
} from './page-context.ts';

type PermittedHandler<Output> = (
  c: AdminPageContext,
  context: ActorContext,
) => Output | Promise<Output>;

/** Maximum size of a submitted form, in bytes. */
const MAX_FORM_SIZE = 16 * 1024;

/** Milliseconds for which a sign-in or confirmation allows changes of money and people. */
const RECENT = 600_000;

/** Paths that require no session. */
const SIGN_IN_PATHS = new Set([
  '/sign-in',
  '/sign-in/email',
  '/sign-in/sent',
  '/sign-in/passkey',
  '/sign-in/passkey/options',
  '/sign-in/openid-connect',
  '/sign-in/openid-connect/callback',
]);
const LINK_PATH = /^\/(?:sign-in\/link|invitation|setup)\/[\w-]+$/;

const isPublicPath = (path: string): boolean => SIGN_IN_PATHS.has(path) || LINK_PATH.test(path);

export interface FormOptions {
  /** In bytes. */
  readonly maxSize?: number | undefined;
  /**
   * If true, someone who signed in more than 10 minutes ago must first confirm that it is them.
   */
  readonly needsRecentAuthentication?: boolean | undefined;
}

export class PageRoutes {
  /** Add only routes here that everybody may call, such as those for signing in. */
  readonly app = new Hono<PageEnv>();
  /** Permissions that the other routes require, by method and path, such as `GET /receipts`. */
  readonly permissions = new Map<string, Permission>();
  readonly signIn: SignInServices;
  readonly sessions: SessionRepository;
  readonly #context: AdminContext;

  constructor(signIn: SignInServices, context: AdminContext) {
    this.signIn = signIn;
    this.sessions = signIn.sessions;
    this.#context = context;
    this.app.use(async (c, next) => {
      const token = readTokenCookie(c) ?? generateToken();
      const stored = await this.sessions.findAndTouchSession(token);
      const actor = stored && (await this.#findActor(stored, c.get('client')));
      const session = stored && actor && { ...stored, name: actor.name };
      c.set('token', token);
      c.set('adminOrigin', signIn.adminOrigin);
      c.set('fields', {});
      c.set('context', { csrf: deriveCsrfToken(token), session, actor });
      if (session) {
        c.set('session', session);
        c.set('actor', actor);
      } else if (!isPublicPath(c.req.path)) return this.sendSignInPage(c);
      return next();
    });
  }

  /**
   * Returns what the session's person may do now, or `undefined` if the session is void. The first
   * person ends the sessions of the admin key, on all servers.
   */
  async #findActor({ person: id, name }: Session, { address }: Client): Promise<Actor | undefined> {
    const { staff } = this.#context;
    if (id === null)
      return (await staff.hasEverHadPeople()) ? undefined : { ...ADMIN_KEY_ACTOR, name, address };
    const person = await staff.findPerson(id);
    return person && { ...createPersonActor(person), address };
  }

  /** Starts a session with a new token, so that nobody can have planted it. */
  async startSession(
    c: AdminPageContext,
    { person, name }: { readonly person?: string; readonly name: string },
  ): Promise<void> {
    await this.sessions.deleteSession(c.get('token'));
    const device = describeDevice(c.req.header('User-Agent'));
    const token = await this.sessions.createSession({ person: person ?? null, name, device });
    c.set('token', token);
    setTokenCookie(c, token);
  }

  /**
   * Signs a person in. If they already are, confirms that it is them, without a new token: the forms
   * that they have open still work.
   */
  async finishSignIn(
    c: AdminPageContext,
    person: string,
    { returnTo = '/', notice }: { readonly returnTo?: string; readonly notice?: string } = {},
  ): Promise<Response> {
    const found = await this.#context.staff.findPerson(person);
    if (!found) return this.sendSignInPage(c);
    const isConfirmation = c.get('context').session?.person === person;
    if (isConfirmation) await this.sessions.confirmAuthentication(c.get('token'));
    else await this.startSession(c, { person, name: found.name });
    setBrowserCookie(c, this.signIn.limits.signEmail(found.email));
    const actor = { ...createPersonActor(found), address: c.get('client').address };
    await this.recordSignIn(actor, isConfirmation ? 'confirmation' : 'sign-in');
    const text = isConfirmation
      ? 'You have confirmed that it is you. If you were changing something in another tab, continue there.'
      : notice;
    const to = isLocalPath(returnTo) ? returnTo : '/';
    return text === undefined
      ? c.redirect(to, 303)
      : this.redirectWithNotice(c, to, { isError: false, text });
  }

  /** Records an event in each organization whose administrators manage the actor. */
  async recordSignIn(actor: Actor, action: 'sign-in' | 'confirmation' | 'sign-out'): Promise<void> {
    const ids = actor.grants.map(({ organization }) => organization);
    const isInAll = ids.length === 0 || ids.includes(ALL_ORGANIZATIONS);
    for (const organization of isInAll ? [ALL_ORGANIZATIONS] : ids)
      await this.#context.auditLog.record({ actor, action, organization });
  }

  /** Mails a link if a person has the email. Returns false if too many links were requested. */
  async requestSignInLink(c: AdminPageContext, email: string, returnTo: string): Promise<boolean> {
    const { limits, links } = this.signIn;
    const kind = readBrowserCookie(c) === limits.signEmail(email) ? 'browser' : 'email';
    const isAllowed =
      (await limits.countAttempt('address', identifyClient(c.get('client')))) &&
      (await limits.countAttempt(kind, email));
    if (isAllowed) links.requestLink({ email, browserToken: c.get('token'), returnTo });
    return isAllowed;
  }

  async sendSignInForm(
    c: AdminPageContext,
    form: Omit<SignInForm, 'organizationNames' | 'methods'>,
    status: 400 | 401 | 403 | 429 = 401,
  ): Promise<Response> {
    const organizationNames = this.#context.organizations.all.map(getOrganizationName);
    const methods = await this.signIn.describeMethods();
    const page = renderSignInPage(c.get('context'), { ...form, organizationNames, methods });
    return c.html(page, status, methods.hasPeople ? PASSKEY_PAGE_HEADERS : PAGE_HEADERS);
  }

  /**
   * Asks someone who signed in more than 10 minutes ago to confirm that it is them. The page sends
   * the same form again, so that nothing typed is lost.
   * @returns `undefined` if the form may be processed.
   */
  async requireRecentAuthentication(c: AdminPageContext): Promise<Response | undefined> {
    const { passkey, confirmed, ...fields } = c.get('fields');
    const { person, authenticatedAt } = c.get('session');
    c.set('fields', fields);
    if (person === null || authenticatedAt > this.#context.now() - RECENT) return undefined;
    if (passkey && (await this.signIn.passkeys.verifyPasskey(passkey, c.get('token'))) === person) {
      await this.sessions.confirmAuthentication(c.get('token'));
      return undefined;
    }
    const problem =
      passkey === undefined && confirmed === undefined
        ? undefined
        : 'You have not confirmed yet that it is you.';
    return this.sendConfirmPage(c, { path: c.req.path, fields, problem });
  }

  async sendConfirmPage(
    c: AdminPageContext,
    form: {
      readonly path: string;
      readonly fields: PageFields;
      readonly problem?: string | undefined;
      readonly isLinkSent?: boolean;
    },
  ): Promise<Response> {
    const methods = await this.signIn.describeMethods();
    return c.html(
      renderConfirmPage(c.get('context'), { ...form, methods }),
      403,
      PASSKEY_PAGE_HEADERS,
    );
  }

  sendSignInPage(c: AdminPageContext): Response | Promise<Response> {
    setTokenCookie(c, c.get('token'));
    if (c.req.method === 'GET') return this.sendSignInForm(c, { returnTo: c.req.path });
    const returnTo = /^\/donations\/[^/]+/.exec(c.req.path)?.[0] ?? '/';
    const problem = 'Nothing was changed, because your session has ended. Sign in, then try again.';
    return this.sendSignInForm(c, { returnTo, problem });
  }

  /**
   * Adds a route for people with a permission. Others see a page that says so. `respond` gets a
   * context with only the organizations in which the person has the permission.
   */
  addRoute(
    method: 'GET' | 'POST',
    path: string,
    permission: Permission,
    respond: PermittedHandler<Response>,
    ...middleware: readonly MiddlewareHandler<PageEnv>[]
  ): void {
    this.permissions.set(`${method} ${path}`, permission);
    const handlePermitted = async (c: AdminPageContext): Promise<Response> => {
      let context: ActorContext;
      try {
        context = createActorContext(this.#context, c.get('actor'), permission);
      } catch (error) {
        if (!(error instanceof ActionError)) throw error;
        return c.html(renderForbiddenPage(c.get('context'), error.message), 403, PAGE_HEADERS);
      }
      return respond(c, context);
    };
    this.app.on(method, [path], ...middleware, handlePermitted);
  }

  /** Adds a download with donor data, which the audit log records. @param action its name there. */
  addDownload(
    path: string,
    permission: Permission,
    action: string,
    respond: PermittedHandler<Response>,
  ): void {
    const { auditLog } = this.#context;
    this.addRoute('GET', path, permission, async (c, context) => {
      const intent = await describeIntent({ ...c.req.query(), ...c.req.param() }, context);
      const entry = await auditLog.begin({ ...intent, actor: context.actor, action });
      try {
        const response = await respond(c, context);
        await auditLog.finish(entry, 'done');
        return response;
      } catch (error) {
        await auditLog.finish(entry, 'failed');
        throw error;
      }
    });
  }

  /** Adds a page. The page shows the session's notice, which is then removed from the session. */
  addPage(
    path: string,
    permission: Permission,
    renderPage: PermittedHandler<Html>,
    headers = PAGE_HEADERS,
  ): void {
    this.addRoute('GET', path, permission, async (c, context) =>
      this.#sendPage(c, await renderPage(c, context), headers),
    );
  }

  /** Adds a page about the signed-in person, which requires no permission. */
  addPersonalPage(
    path: string,
    renderPage: (c: AdminPageContext) => Promise<Html>,
    headers = PAGE_HEADERS,
  ): void {
    this.app.get(path, async (c) => this.#sendPage(c, await renderPage(c), headers));
  }

  async #sendPage(
    c: AdminPageContext,
    page: Html,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    if (c.get('session').notice) await this.sessions.setNotice(c.get('token'), undefined);
    return c.html(page, undefined, headers);
  }

  /** Adds a handler for a submitted form. Rejects forms from other websites or sessions. */
  addForm(
    path: string,
    permission: Permission,
    respond: PermittedHandler<Response>,
    options: FormOptions = {},
  ): void {
    this.addRoute(
      'POST',
      path,
      permission,
      async (c, context) => (await this.#readForm(c, options)) ?? respond(c, context),
      limitFormSize(options.maxSize ?? MAX_FORM_SIZE),
    );
  }

  /** Adds a form that requires no permission: for signing in, or about the signed-in person. */
  addOpenForm(
    path: string,
    respond: (c: AdminPageContext) => Promise<Response>,
    options: FormOptions = {},
  ): void {
    this.app.post(
      path,
      limitFormSize(MAX_FORM_SIZE),
      async (c) => (await this.#readForm(c, options)) ?? respond(c),
    );
  }

  /**
   * Reads the fields, or returns a response if the form came from another website or session, or the
   * person must first confirm that it is them.
   */
  async #readForm(
    c: AdminPageContext,
    { needsRecentAuthentication = false }: FormOptions,
  ): Promise<Response | undefined> {
    const { csrf = '', ...fields }: Record<string, string> = Object.fromEntries(
      Object.entries(await c.req.parseBody().catch(() => ({}))).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
    if (!isSubmittedFromSameSession(c, csrf)) {
      setTokenCookie(c, c.get('token'));
      const problem =
        'Nothing was changed, because the request came from another page or your session has expired. ' +
        'Please try again.';
      if (!c.get('context').session) return this.sendSignInForm(c, { returnTo: '/', problem }, 403);
      return this.redirectWithNotice(c, '/', { isError: true, text: problem });
    }
    c.set('fields', fields);
    return needsRecentAuthentication ? this.requireRecentAuthentication(c) : undefined;
  }

  /**
   * Adds a form that performs an action, for people with the action's permission. By default, the
   * donation's page or the overview shows the result.
   */
  addActionForm<Name extends ActionName>(
    path: string,
    name: Name,
    {
      readInput = (fields, by) => ({ ...fields, by }),
      formatOutput,
      getPage,
      renderSecret,
      ...options
    }: FormOptions & {
      readonly readInput?: (fields: PageFields, by: string) => object;
      readonly formatOutput: (output: ActionOutput<Name>, fields: PageFields) => string;
      /** Returns the path of the page that shows the result. */
      readonly getPage?: (fields: PageFields) => string;
      /** Renders a secret of the output, if any, in the response, so that it is never stored. */
      readonly renderSecret?: (
        output: ActionOutput<Name>,
        c: AdminPageContext,
        context: ActorContext,
      ) => Promise<Html | undefined>;
    },
  ): void {
    const perform: PermittedHandler<Response> = async (c, context) => {
      const { reference } = c.req.param() as { readonly reference?: string };
      const fields = c.get('fields');
      const to = getPage?.(fields) ?? (reference === undefined ? '/' : `/donations/${reference}`);
      const input = { ...readInput(fields, c.get('session').name), ...c.req.param() };
      try {
        const output = await performAction(name, input, context.actor, this.#context);
        const page = await renderSecret?.(output, c, context);
        if (page) return c.html(page, 200, PAGE_HEADERS);
        const text = formatOutput(output, fields);
        return await this.redirectWithNotice(c, to, { isError: false, text });
      } catch (error) {
        if (!(error instanceof ActionError)) throw error;
        const text = `Nothing was changed. ${error.message}`;
        return this.redirectWithNotice(c, to, { isError: true, text });
      }
    };
    this.addForm(path, ACTION_ROUTES[name].permission, perform, options);
  }

  async redirectWithNotice(
    c: AdminPageContext,
    to: string,
    notice: SessionNotice,
  ): Promise<Response> {
    await this.sessions.setNotice(c.get('token'), notice);
    return c.redirect(to, 303);
  }
}

/** Returns true for the path of a page of ours, to which a redirect cannot leave the server. */
export function isLocalPath(path: string): boolean {
  return /^\/(?:[\w-]+(?:\/[\w-]+)*)?$/.test(path);
}

const limitFormSize = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c) =>
      c.text(
        `Nothing was changed, because your input is larger than ${maxSize} bytes. Shorten the note.`,
        413,
      ),
  });
