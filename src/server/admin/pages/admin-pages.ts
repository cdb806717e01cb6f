import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { createPageAssetRoutes } from '../../http/routes/pages.ts';
import { formatLockoutMessage, type AdminKeyVerifier } from '../access/admin-key.ts';
import type { ActionName } from '../actions/action-routes.ts';
import { nameSchema } from '../actions/input-schemas.ts';
import { DECISIONS } from '../actions/input-values.ts';
import { findCommonOption, listResolvableEvents } from '../actions/resolve-together.ts';
import {
  ActionError,
  performAction,
  type StaffAction,
  type StaffActionsOptions,
} from '../actions/staff-action.ts';
import type { ActionOutput, StaffActions } from '../actions/staff-actions.ts';
import { loadDonationStory } from '../read-models/load-donation-story.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import { toReviewItems } from '../read-models/review-items.ts';
import { DECISION_LABELS, getStatusLabel } from '../read-models/labels.ts';
import { renderDonationListPage } from '../views/donation-list.ts';
import { renderDonationPage, renderDonationNotFoundPage } from '../views/donation.ts';
import type { ReviewDecision } from '../../database/schema.ts';
import type { Html } from '../../http/render-document.ts';
import { renderOverviewPage } from '../views/overview.ts';
import { renderReviewGroupPage } from '../views/review-group.ts';
import { renderSignInPage, renderMissingKeyPage, type SignInForm } from '../views/sign-in.ts';
import { createFormBuilderRoutes, type FormBuilderOptions } from './form-builder.ts';
import { DonationListPages } from './donation-list-pages.ts';
import { loadOverviewData } from './load-overview.ts';
import {
  isSubmittedFromSameSession,
  PAGE_HEADERS,
  type PageContext,
  type PageFields,
  type PageEnv,
} from './page-context.ts';
import {
  deriveCsrfToken,
  generateToken,
  SessionRepository,
  type Notice,
} from '../access/sessions.ts';

export interface AdminPagesOptions extends StaffActionsOptions, FormBuilderOptions {
  readonly actions: StaffActions;
  /** The admin key, which also secures the sessions. */
  readonly key: string | undefined;
  /** Verifier of the admin key. Undefined if the configuration has no key. */
  readonly verifier: AdminKeyVerifier | undefined;
}

/** Maximum size of a submitted form, in bytes. */
const MAX_FORM_SIZE = 16 * 1024;
/** Maximum size of a form that resolves several events and contains their IDs, in bytes. */
const MAX_GROUP_FORM_SIZE = 512 * 1024;

const limitFormSize = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c) =>
      c.text(
        `Nothing was changed, because your input is larger than ${maxSize} bytes. Shorten the note.`,
        413,
      ),
  });

/**
 * Creates the admin pages. Every path requires a session, except the sign-in page and the static
 * assets. Only the form builder needs JavaScript.
 */
export function createAdminPages(options: AdminPagesOptions): Hono<PageEnv> {
  const { actions, database, key, verifier, now, organizations, scripts } = options;
  const app = new Hono<PageEnv>();
  const lists = new DonationListPages(options);
  const sessions = key === undefined ? undefined : new SessionRepository(database, key, now);
  const getTimeZone = (organization: string): string =>
    organizations.find(organization)?.timeZone ?? 'UTC';
  const sendPage = (
    c: PageContext,
    page: Html,
    status: 200 | 400 | 401 | 403 | 404 | 429 = 200,
  ): Response | Promise<Response> => c.html(page, status, PAGE_HEADERS);

  app.route('/', createPageAssetRoutes(scripts));

  app.use(async (c, next) => {
    const token = getCookie(c, getCookieName(c)) ?? generateToken();
    const session = await sessions?.findAndTouchSession(token);
    c.set('token', token);
    c.set('context', { csrf: deriveCsrfToken(token), session });
    if (!sessions) return sendPage(c, renderMissingKeyPage({ csrf: '' }), 403);
    if (session) c.set('session', session);
    else if (c.req.path !== '/sign-in') return sendSignInPage(c);
    return next();
  });

  const sendSignInForm = (
    c: PageContext,
    form: Omit<SignInForm, 'organizationNames'>,
    status: 400 | 401 | 403 | 429 = 401,
  ): Response | Promise<Response> => {
    const organizationNames = organizations.all.map(getOrganizationName);
    return sendPage(c, renderSignInPage(c.get('context'), { ...form, organizationNames }), status);
  };

  const sendSignInPage = (c: PageContext): Response | Promise<Response> => {
    setTokenCookie(c, c.get('token'));
    if (c.req.method === 'GET') return sendSignInForm(c, { returnTo: c.req.path });
    const returnTo = /^\/donations\/[^/]+/.exec(c.req.path)?.[0] ?? '/';
    const problem = 'Nothing was changed, because your session has ended. Sign in, then try again.';
    return sendSignInForm(c, { returnTo, problem });
  };

  /** Adds a handler for a submitted form. Rejects forms from other websites or sessions. */
  const onSubmit = (
    path: string,
    handle: (c: PageContext) => Promise<Response>,
    maxSize = MAX_FORM_SIZE,
  ): void => {
    app.post(path, limitFormSize(maxSize), async (c) => {
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
        if (!c.get('context').session) return sendSignInForm(c, { returnTo: '/', problem }, 403);
        return redirectWithNotice(c, '/', { isError: true, text: problem });
      }
      c.set('fields', fields);
      return handle(c);
    });
  };

  /**
   * Adds a form that performs an action as the signed-in person and then shows the result on the
   * donation's page or, without a donation, on the overview.
   */
  const onAction = <Name extends ActionName>(
    path: string,
    name: Name,
    {
      readInput = (fields, by) => ({ ...fields, by }),
      formatOutput,
      maxSize,
    }: {
      readonly readInput?: (fields: PageFields, by: string) => object;
      readonly formatOutput: (output: ActionOutput<Name>, fields: PageFields) => string;
      readonly maxSize?: number;
    },
  ): void =>
    onSubmit(
      path,
      async (c) => {
        const { reference } = c.req.param() as { readonly reference?: string };
        const to = reference === undefined ? '/' : `/donations/${reference}`;
        const fields = c.get('fields');
        const input = { ...readInput(fields, c.get('session').name), ...c.req.param() };
        try {
          const output = await performAction(actions[name] as StaffAction, input);
          const text = formatOutput(output as ActionOutput<Name>, fields);
          return await redirectWithNotice(c, to, { isError: false, text });
        } catch (error) {
          if (!(error instanceof ActionError)) throw error;
          const text = `Nothing was changed. ${error.message}`;
          return redirectWithNotice(c, to, { isError: true, text });
        }
      },
      maxSize,
    );

  /** Redirects to a page that shows the notice once. */
  const redirectWithNotice = async (
    c: PageContext,
    to: string,
    notice?: Notice,
  ): Promise<Response> => {
    if (notice) await sessions!.setNotice(c.get('token'), notice);
    return c.redirect(to, 303);
  };

  /** Sends a page with the session's notice, and removes the notice from the session. */
  const sendPageWithNotice = async (
    c: PageContext,
    page: Html,
    status: 200 | 404 = 200,
  ): Promise<Response> => {
    if (c.get('session').notice) await sessions!.setNotice(c.get('token'), undefined);
    return sendPage(c, page, status);
  };

  onSubmit('/sign-in', async (c) => {
    const { key: candidate = '', name: enteredName = '', returnTo = '/' } = c.get('fields');
    const { data: name } = nameSchema.safeParse(enteredName);
    const refuse = (problem: string, status: 400 | 401 | 429): Response | Promise<Response> =>
      sendSignInForm(c, { returnTo, problem, name: enteredName }, status);
    if (name === undefined)
      return refuse(
        'Enter your name. The server saves your name with every decision you make.',
        400,
      );
    const verification = verifier!.verifyKey(candidate, {
      ipAddress: c.env.address ?? '',
      route: '/sign-in',
    });
    if (verification === 'invalid')
      return refuse(
        'This is not the admin key. Enter the key that "admin.key" in the configuration specifies.',
        401,
      );
    if (verification !== 'valid') {
      c.header('Retry-After', String(verification.retryAfter));
      return refuse(formatLockoutMessage(verification.retryAfter), 429);
    }
    await sessions!.deleteSession(c.get('token'));
    setTokenCookie(c, await sessions!.createSession(name));
    return c.redirect(isAdminPagePath(returnTo) ? returnTo : '/', 303);
  });

  onSubmit('/sign-out', async (c) => {
    await sessions!.deleteSession(c.get('token'));
    setTokenCookie(c, generateToken());
    return c.redirect('/', 303);
  });

  app.get('/sign-in', (c) => (c.get('context').session ? c.redirect('/', 303) : sendSignInPage(c)));

  app.get('/', async (c) => {
    const data = await loadOverviewData(options, lists, c.req.query('organization'));
    const { organization } = data.income;
    const context = { ...c.get('context'), organization, page: '/' } as const;
    return sendPageWithNotice(c, renderOverviewPage(context, data));
  });

  app.get('/donations', async (c) => {
    const data = await lists.findDonations(c.req.query());
    const { id: organization } = data.organization;
    const context = { ...c.get('context'), organization, page: '/donations' } as const;
    return sendPageWithNotice(c, renderDonationListPage(context, data));
  });

  app.get('/donations/export', (c) => lists.exportDonations(c.req.query()));

  onSubmit('/donations/search', async (c) =>
    c.redirect(await lists.createSearchUrl(c.get('fields')), 303),
  );

  app.get('/donations/:reference', async (c) => {
    const openedReference = c.req.param('reference');
    const story = await loadDonationStory(openedReference, options);
    if (!story) return sendPageWithNotice(c, renderDonationNotFoundPage(c.get('context')), 404);
    const { organization } = story.donation;
    const context = { ...c.get('context'), organization };
    const timeZone = getTimeZone(organization);
    const data = { ...story, now: now(), timeZone, openedReference };
    return sendPageWithNotice(c, renderDonationPage(context, data));
  });

  onAction('/donations/:reference/retry', 'donations.retry', {
    readInput: () => ({}),
    formatOutput: ({ results }) => results.join('\n'),
  });

  onAction('/donations/:reference/resolve', 'donations.resolve', {
    formatOutput: ({ decision, donation }) => {
      const newStatus = `New status of ${decision.subject}: ${getStatusLabel(decision.to)}.`;
      const failure = donation ? '' : ' A later step failed. See the server log.';
      return `Saved: “${decision.decision}”. ${newStatus}${failure}`;
    },
  });

  app.get('/review', async (c) => {
    const { organization = '', reason = '' } = c.req.query();
    const { repository } = options;
    const decisions = await Promise.all(
      DECISIONS.map(async (decision) => {
        const filter = { decision, organization, reason };
        const events = (await listResolvableEvents(repository, filter, now())).filter(
          (event) => event.lastError === reason,
        );
        const option = events[0] && findCommonOption(events[0], decision, now());
        return option ? [{ option, items: await toReviewItems(events, repository) }] : [];
      }),
    );
    return sendPageWithNotice(
      c,
      renderReviewGroupPage(c.get('context'), {
        organization,
        reason,
        timeZone: getTimeZone(organization),
        decisions: decisions.flat(),
      }),
    );
  });

  onAction('/review/resolve', 'review.resolve', {
    readInput: ({ events = '', ...fields }, by) => ({ ...fields, by, events: parseJson(events) }),
    maxSize: MAX_GROUP_FORM_SIZE,
    formatOutput: ({ resolved, skipped }, { decision }) => {
      const rest =
        skipped === 0 ? '' : ` Items skipped because they no longer needed a decision: ${skipped}.`;
      return `Saved. Items resolved as “${DECISION_LABELS[decision as ReviewDecision]}”: ${resolved}.${rest}`;
    },
  });

  for (const name of ['pause', 'resume'] as const)
    onAction(`/organizations/:id/${name}`, `organizations.${name}`, {
      formatOutput: ({ result }) => result,
    });

  app.route('/', createFormBuilderRoutes(options));
  return app;
}

/** Parses JSON. Returns `undefined` if the text is not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAdminPagePath(path: string): boolean {
  return /^\/(?:builder|donations(?:\/[\w-]+)?)?$/.test(path);
}

/** Returns true if the server, or the proxy in front of it, received the request over HTTPS. */
function isRequestedOverHttps(c: PageContext): boolean {
  return (
    new URL(c.req.url).protocol === 'https:' ||
    c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim() === 'https'
  );
}

/**
 * Returns the name of the session cookie. Over HTTPS, the name has the `__Host-` prefix, so
 * browsers accept the cookie only over HTTPS and only from this exact host.
 */
function getCookieName(c: PageContext): string {
  return isRequestedOverHttps(c) ? '__Host-admin' : 'admin';
}

function setTokenCookie(c: PageContext, token: string): void {
  setCookie(c, getCookieName(c), token, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isRequestedOverHttps(c),
    path: '/',
  });
}
