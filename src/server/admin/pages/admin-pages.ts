import { DECISIONS } from '../command-values.ts';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { createPageAssetRoutes } from '../../http/routes/pages.ts';
import { InvalidDecisionError } from '../../donations/review-repository.ts';
import { formatLockoutMessage, type AdminKeyVerifier } from '../access.ts';
import {
  formatIssuesOnOneLine,
  nameSchema,
  resolveAllSchema,
  resolveSchema,
} from '../command-schemas.ts';
import { findCommonOption, listResolvableEvents, resolveTogether } from '../resolve-together.ts';
import { toReviewItems } from '../review-queue.ts';
import { DonationActions, type DonationActionsOptions } from '../donation-actions.ts';
import {
  formatUnknownOrganization,
  getOrganizationName,
  pauseOrResumeOrganization,
} from '../organizations.ts';
import { DECISION_LABELS, getStatusLabel } from '../labels.ts';
import { renderDonationListPage } from '../views/donation-list.ts';
import { renderDonationPage, renderDonationNotFoundPage } from '../views/donation.ts';
import type { Html } from '../views/layout.ts';
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
  type PageEnv,
} from './page-context.ts';
import { deriveCsrfToken, generateToken, SessionRepository, type Notice } from './sessions.ts';

export interface AdminPagesOptions extends DonationActionsOptions, FormBuilderOptions {
  /** The admin key, which also secures the sessions. */
  readonly key: string | undefined;
  /** Verifier of the admin key. Undefined if the configuration has no key. */
  readonly verifier: AdminKeyVerifier | undefined;
}

/** Maximum size of a submitted form, in bytes. */
const MAX_FORM_SIZE = 16 * 1024;
/** Maximum size of a form that resolves several events and contains their IDs, in bytes. */
const MAX_GROUP_FORM_SIZE = 512 * 1024;
const MAX_NOTE_LENGTH = 1_000;

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
  const { database, key, verifier, now, formRegistry, scripts } = options;
  const app = new Hono<PageEnv>();
  const actions = new DonationActions(options);
  const lists = new DonationListPages(options);
  const sessions = key === undefined ? undefined : new SessionRepository(database, key, now);
  const getTimeZone = (organization: string): string =>
    formRegistry.findOrganization(organization)?.timeZone ?? 'UTC';
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
    const organizationNames = formRegistry.organizations.map(getOrganizationName);
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
      const fields = Object.fromEntries(
        Object.entries(await c.req.parseBody().catch(() => ({}))).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      );
      if (!isSubmittedFromSameSession(c, fields.csrf ?? '')) {
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
    const story = await actions.findDonationStory(openedReference);
    if (!story) return sendPageWithNotice(c, renderDonationNotFoundPage(c.get('context')), 404);
    const { organization } = story.donation;
    const context = { ...c.get('context'), organization };
    const timeZone = getTimeZone(organization);
    const data = { ...story, now: now(), timeZone, openedReference };
    return sendPageWithNotice(c, renderDonationPage(context, data));
  });

  onSubmit('/donations/:reference/retry', async (c) => {
    const reference = c.req.param('reference')!;
    const messages = await actions.retryDonation(reference);
    const notice = messages && { isError: false, text: messages.join('\n') };
    return redirectWithNotice(c, `/donations/${reference}`, notice);
  });

  onSubmit('/donations/:reference/resolve', async (c) => {
    const reference = c.req.param('reference')!;
    const { decision: chosenDecision, event, note, platformId } = c.get('fields');
    const refuse = (reason: string): Promise<Response> =>
      redirectWithNotice(c, `/donations/${reference}`, {
        isError: true,
        text: `Nothing was changed. ${reason}`,
      });
    const { data, error } = resolveSchema.safeParse({
      decision: chosenDecision,
      event,
      note,
      by: c.get('session').name,
      platformId,
    });
    if (error) return refuse(formatIssuesOnOneLine(error));
    try {
      const { decision, donation } = await actions.decideAndSendUpdates({ ...data, reference });
      const newStatus = `New status of ${decision.subject}: ${getStatusLabel(decision.to)}.`;
      const failure = donation ? '' : ' A later step failed. See the server log.';
      return await redirectWithNotice(c, `/donations/${reference}`, {
        isError: false,
        text: `Saved: “${decision.decision}”. ${newStatus}${failure}`,
      });
    } catch (invalid) {
      if (invalid instanceof InvalidDecisionError) return refuse(invalid.message);
      throw invalid;
    }
  });

  app.get('/review', async (c) => {
    const { organization = '', reason = '' } = c.req.query();
    const { repository } = options;
    const decisions = await Promise.all(
      DECISIONS.map(async (decision) => {
        const filter = { decision, organization, reason };
        const events = (await listResolvableEvents(repository, filter, now())).filter(
          (event) => event.last_error === reason,
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

  onSubmit(
    '/review/resolve',
    async (c) => {
      const { decision, events = '', note } = c.get('fields');
      const { data, error } = resolveAllSchema.safeParse({
        decision,
        events: parseJsonOrUndefined(events),
        note,
        by: c.get('session').name,
      });
      if (error)
        return redirectWithNotice(c, '/', {
          isError: true,
          text: `Nothing was changed. ${formatIssuesOnOneLine(error)}`,
        });
      const { resolved, skipped } = await resolveTogether(options, data);
      const rest =
        skipped === 0 ? '' : ` Items skipped because they no longer needed a decision: ${skipped}.`;
      return redirectWithNotice(c, '/', {
        isError: false,
        text: `Saved. Items resolved as “${DECISION_LABELS[data.decision]}”: ${resolved}.${rest}`,
      });
    },
    MAX_GROUP_FORM_SIZE,
  );

  onSubmit('/organizations/:id/:action{pause|resume}', async (c) => {
    const { id = '', action } = c.req.param() as { id?: string; action: 'pause' | 'resume' };
    const note = (c.get('fields').note ?? '').trim().slice(0, MAX_NOTE_LENGTH);
    const by = c.get('session').name;
    const message = await pauseOrResumeOrganization(options, id, action, { by, note });
    return redirectWithNotice(c, '/', {
      isError: message === undefined,
      text: message ?? formatUnknownOrganization(id, formRegistry),
    });
  });

  app.route('/', createFormBuilderRoutes(options));
  return app;
}

/** Parses JSON. Returns `undefined` if the text is not valid JSON. */
function parseJsonOrUndefined(text: string): unknown {
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
