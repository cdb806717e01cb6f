import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Html } from '../../http/render-document.ts';
import { type Actor, ADMIN_KEY_ACTOR } from '../../staff/actor.ts';
import type { Permission } from '../../staff/roles.ts';
import { createPersonActor } from '../../staff/staff-repository.ts';
import { type ActorContext, createActorContext } from '../access/actor-context.ts';
import { readTokenCookie, setTokenCookie } from '../access/session-cookie.ts';
import {
  deriveCsrfToken,
  generateToken,
  type Session,
  type SessionNotice,
  type SessionRepository,
} from '../access/sessions.ts';
import { ACTION_ROUTES, type ActionName } from '../actions/action-routes.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import { ActionError } from '../actions/staff-action.ts';
import { type ActionOutput, performAction } from '../actions/staff-actions.ts';
import type { AdminContext } from '../admin-context.ts';
import { renderForbiddenPage } from '../views/forbidden.ts';
import { renderSignInPage, type SignInForm } from '../views/sign-in.ts';
import {
  type AdminPageContext,
  getActor,
  isSubmittedFromSameSession,
  PAGE_HEADERS,
  type PageEnv,
  type PageFields,
} from './page-context.ts';

type PermittedHandler<Output> = (
  c: AdminPageContext,
  context: ActorContext,
) => Output | Promise<Output>;

/** Maximum size of a submitted form, in bytes. */
const MAX_FORM_SIZE = 16 * 1024;

export class PageRoutes {
  /** Add only routes here that everybody may call, such as those for signing in. */
  readonly app = new Hono<PageEnv>();
  /** Permissions that the other routes require, by method and path, such as `GET /receipts`. */
  readonly permissions = new Map<string, Permission>();
  readonly sessions: SessionRepository;
  readonly #context: AdminContext;

  constructor(sessions: SessionRepository, context: AdminContext) {
    this.sessions = sessions;
    this.#context = context;
    this.app.use(async (c, next) => {
      const token = readTokenCookie(c) ?? generateToken();
      const session = await sessions.findAndTouchSession(token);
      c.set('token', token);
      const actor = session && (await this.#findActor(session));
      c.set('context', { csrf: deriveCsrfToken(token), session, actor });
      if (session && actor) {
        c.set('session', session);
        c.set('actor', actor);
      } else if (c.req.path !== '/sign-in') return this.sendSignInPage(c);
      return next();
    });
  }

  async #findActor({ person: id, name }: Session): Promise<Actor | undefined> {
    if (id === null) return { ...ADMIN_KEY_ACTOR, name };
    const person = await this.#context.staff.findPerson(id);
    return person && createPersonActor(person);
  }

  sendSignInForm(
    c: AdminPageContext,
    form: Omit<SignInForm, 'organizationNames'>,
    status: 400 | 401 | 403 | 429 = 401,
  ): Response | Promise<Response> {
    const organizationNames = this.#context.organizations.all.map(getOrganizationName);
    const page = renderSignInPage(c.get('context'), { ...form, organizationNames });
    return c.html(page, status, PAGE_HEADERS);
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
        context = createActorContext(this.#context, getActor(c), permission);
      } catch (error) {
        if (!(error instanceof ActionError)) throw error;
        return c.html(renderForbiddenPage(c.get('context'), error.message), 403, PAGE_HEADERS);
      }
      return respond(c, context);
    };
    this.app.on(method, [path], ...middleware, handlePermitted);
  }

  /** Adds a page. The page shows the session's notice, which is then removed from the session. */
  addPage(
    path: string,
    permission: Permission,
    renderPage: PermittedHandler<Html>,
    headers = PAGE_HEADERS,
  ): void {
    this.addRoute('GET', path, permission, async (c, context) => {
      const page = await renderPage(c, context);
      if (c.get('session').notice) await this.sessions.setNotice(c.get('token'), undefined);
      return c.html(page, undefined, headers);
    });
  }

  /** Adds a handler for a submitted form. Rejects forms from other websites or sessions. */
  addForm(
    path: string,
    permission: Permission,
    respond: PermittedHandler<Response>,
    maxSize = MAX_FORM_SIZE,
  ): void {
    this.addRoute(
      'POST',
      path,
      permission,
      async (c, context) => (await this.#readForm(c)) ?? respond(c, context),
      limitFormSize(maxSize),
    );
  }

  /** Adds a form that everybody may submit, such as the one for signing in. */
  addOpenForm(path: string, respond: (c: AdminPageContext) => Promise<Response>): void {
    this.app.post(
      path,
      limitFormSize(MAX_FORM_SIZE),
      async (c) => (await this.#readForm(c)) ?? respond(c),
    );
  }

  /** Reads the fields, or returns a response if the form came from another website or session. */
  async #readForm(c: AdminPageContext): Promise<Response | undefined> {
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
    return undefined;
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
      maxSize,
    }: {
      readonly readInput?: (fields: PageFields, by: string) => object;
      readonly formatOutput: (output: ActionOutput<Name>, fields: PageFields) => string;
      /** Returns the path of the page that shows the result. */
      readonly getPage?: (fields: PageFields) => string;
      readonly maxSize?: number;
    },
  ): void {
    const perform = async (c: AdminPageContext): Promise<Response> => {
      const { reference } = c.req.param() as { readonly reference?: string };
      const fields = c.get('fields');
      const to = getPage?.(fields) ?? (reference === undefined ? '/' : `/donations/${reference}`);
      const input = { ...readInput(fields, c.get('session').name), ...c.req.param() };
      return this.catchActionError(c, to, async () => {
        const text = formatOutput(
          await performAction(name, input, getActor(c), this.#context),
          fields,
        );
        return this.redirectWithNotice(c, to, { isError: false, text });
      });
    };
    this.addForm(path, ACTION_ROUTES[name].permission, perform, maxSize);
  }

  /** Shows the message of an `ActionError` on a page. */
  async catchActionError(
    c: AdminPageContext,
    page: string,
    perform: () => Promise<Response>,
  ): Promise<Response> {
    try {
      return await perform();
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      const text = `Nothing was changed. ${error.message}`;
      return this.redirectWithNotice(c, page, { isError: true, text });
    }
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

const limitFormSize = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c) =>
      c.text(
        `Nothing was changed, because your input is larger than ${maxSize} bytes. Shorten the note.`,
        413,
      ),
  });
