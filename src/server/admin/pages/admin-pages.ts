import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { pageFiles } from '../../http/routes/pages.ts';
import { InvalidDecisionError } from '../../donations/review-repository.ts';
import { readBudgets, readSiteWebhooks } from '../../observability/queries.ts';
import { tooManyTries, type Access } from '../access.ts';
import { formBuilder, type BuilderOptions } from './form-builder.ts';
import { overviewOf } from '../donation-list.ts';
import { DonationActions, type GiftsOptions } from '../donation-actions.ts';
import { faultOf, name as nameSchema, readPlatformId, resolve } from '../command-schemas.ts';
import { organizationReports, switchOrganization } from '../organizations.ts';
import { headersWith, isOwnOrder, type PageContext, type PageEnv } from './page-context.ts';
import { csrfOf, newToken, Sessions, type Notice } from './sessions.ts';
import { giftDocument, noGiftDocument } from '../views/donation.ts';
import type { Html } from '../views/layout.ts';
import { logInDocument, noKeyDocument } from '../views/log-in.ts';
import { overviewDocument } from '../views/overview.ts';

export interface PageOptions extends GiftsOptions, BuilderOptions {
  /** The operator's key, which sessions are made with. */
  readonly key: string | undefined;
  /** Absent where there is no key. */
  readonly access: Access | undefined;
}

/** The largest form, in bytes. */
const LARGEST_FORM = 16 * 1024;

const tooLarge = bodyLimit({
  maxSize: LARGEST_FORM,
  onError: (c) =>
    c.text(
      `This form is larger than ${LARGEST_FORM} bytes. Nothing was changed: shorten the note.`,
      413,
    ),
});

const HEADERS = headersWith(
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/**
 * The operator's page. Nothing of it but the form builder needs a script. Whatever address reaches
 * it needs a session, but the log-in, and the pages' own scripts and style sheets.
 */
export function operatorPage(options: PageOptions): Hono<PageEnv> {
  const { store, key, access, now, formRegistry, scripts } = options;
  const app = new Hono<PageEnv>();
  const work = new DonationActions(options);
  const sessions = key === undefined ? undefined : new Sessions(store, key, now);
  const show = (
    c: PageContext,
    document: Html,
    status: 200 | 400 | 401 | 403 | 404 | 429 = 200,
  ): Response | Promise<Response> => c.html(document, status, HEADERS);

  app.route('/', pageFiles(scripts));

  app.use(async (c, next) => {
    const token = getCookie(c, cookieName(c)) ?? newToken();
    const session = await sessions?.find(token);
    c.set('token', token);
    c.set('visit', { csrf: csrfOf(token), session });
    if (!sessions) return show(c, noKeyDocument({ csrf: '' }), 403);
    if (session) c.set('session', session);
    else if (c.req.path !== '/log-in') return askToLogIn(c);
    return next();
  });

  const askToLogIn = (c: PageContext): Response | Promise<Response> => {
    keepToken(c, c.get('token'));
    if (c.req.method === 'GET')
      return show(c, logInDocument(c.get('visit'), { to: c.req.path }), 401);
    const to = /^\/gifts\/[^/]+/.exec(c.req.path)?.[0] ?? '/';
    return show(
      c,
      logInDocument(c.get('visit'), {
        to,
        problem: 'You are not logged in any more, so nothing was changed. Log in and press again.',
      }),
      401,
    );
  };

  /** Reads a form that this page has made, and no other. */
  const form = (path: string, take: (c: PageContext) => Promise<Response>): void => {
    app.post(path, tooLarge, async (c) => {
      const fields = Object.fromEntries(
        Object.entries(await c.req.parseBody().catch(() => ({}))).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      );
      if (!isOwnOrder(c, fields.csrf ?? '')) {
        keepToken(c, c.get('token'));
        const problem =
          'This form was not sent by this page, or has been open for too long. Nothing was changed. Please try again.';
        if (!c.get('visit').session)
          return show(c, logInDocument(c.get('visit'), { to: '/', problem }), 403);
        return lead(c, '/', { isProblem: true, text: problem });
      }
      c.set('fields', fields);
      return take(c);
    });
  };

  /** Leads to a page, which says what came of the press. */
  const lead = async (c: PageContext, to: string, notice?: Notice): Promise<Response> => {
    if (notice) await sessions!.note(c.get('token'), notice);
    return c.redirect(to, 303);
  };

  /** Shows a page with what came of the press before it, once. */
  const showOnce = async (
    c: PageContext,
    document: Html,
    status: 200 | 404 = 200,
  ): Promise<Response> => {
    if (c.get('session').notice) await sessions!.note(c.get('token'), undefined);
    return show(c, document, status);
  };

  form('/log-in', async (c) => {
    const { key: given = '', name: written = '', to = '/' } = c.get('fields');
    const { data: name } = nameSchema.safeParse(written);
    const refuse = (problem: string, status: 400 | 401 | 429): Response | Promise<Response> =>
      show(c, logInDocument(c.get('visit'), { to, problem, name: written }), status);
    if (name === undefined)
      return refuse('Please give your name: it is kept with everything that you decide.', 400);
    const attempt = access!.try(given, { address: c.env.address ?? '', route: '/log-in' });
    if (attempt === 'wrong')
      return refuse(
        'This is not the operator’s key. It is the one that "operator.key" of the configuration names.',
        401,
      );
    if (attempt !== 'right') {
      c.header('Retry-After', String(attempt.wait));
      return refuse(tooManyTries(attempt.wait), 429);
    }
    await sessions!.end(c.get('token'));
    keepToken(c, await sessions!.begin(name));
    return c.redirect(isOwnPath(to) ? to : '/', 303);
  });

  form('/log-out', async (c) => {
    await sessions!.end(c.get('token'));
    keepToken(c, newToken());
    return c.redirect('/', 303);
  });

  app.get('/log-in', (c) => (c.get('visit').session ? c.redirect('/', 303) : askToLogIn(c)));

  app.get('/', async (c) => {
    const [overview, organizations] = await Promise.all([
      overviewOf(store.db, now()),
      organizationReports(options),
    ]);
    const [budgets, messages] = await Promise.all([
      readBudgets(formRegistry),
      readSiteWebhooks(store, formRegistry),
    ]);
    const silences = organizations.flatMap(({ id, name }) =>
      budgets
        .filter((one) => one.organization === id)
        .flatMap(({ silentUntil }) =>
          silentUntil ? [{ organization: name, until: silentUntil.getTime() }] : [],
        ),
    );
    const unsent = organizations
      .map(({ id, name }) => ({
        organization: name,
        count: messages.reduce(
          (sum, one) => sum + (one.organization === id && one.state !== 'waiting' ? one.count : 0),
          0,
        ),
      }))
      .filter(({ count }) => count > 0);
    return showOnce(
      c,
      overviewDocument(c.get('visit'), { overview, organizations, silences, unsent, now: now() }),
    );
  });

  app.get('/find', (c) =>
    c.redirect(
      `/gifts/${encodeURIComponent((c.req.query('reference') ?? '').trim().toUpperCase())}`,
      303,
    ),
  );

  app.get('/gifts/:reference', async (c) => {
    const report = await work.report(c.req.param('reference'));
    return report
      ? showOnce(c, giftDocument(c.get('visit'), report, now()))
      : showOnce(c, noGiftDocument(c.get('visit')), 404);
  });

  form('/gifts/:reference/retry', async (c) => {
    const reference = c.req.param('reference')!;
    const said = await work.retry(reference);
    return lead(c, `/gifts/${reference}`, said && { isProblem: false, text: said.join('\n') });
  });

  form('/gifts/:reference/resolve', async (c) => {
    const reference = c.req.param('reference')!;
    const { as, about, note, platformId: written } = c.get('fields');
    const { data, error } = resolve.safeParse({
      as,
      about,
      note,
      by: c.get('session').name,
      ...(written !== undefined && { platformId: readPlatformId(written) }),
    });
    if (error)
      return lead(c, `/gifts/${reference}`, {
        isProblem: true,
        text: `Nothing was changed. ${faultOf(error)}`,
      });
    try {
      const {
        resolution: { decision, about: what, to },
        report,
      } = await work.resolve({ ...data, reference });
      return await lead(c, `/gifts/${reference}`, {
        isProblem: false,
        text: `Kept: “${decision}”. Now ${what} is ${to}.${report ? '' : ' Something failed after that; the server’s log says where.'}`,
      });
    } catch (refusal) {
      if (!(refusal instanceof InvalidDecisionError)) throw refusal;
      return lead(c, `/gifts/${reference}`, {
        isProblem: true,
        text: `Nothing was changed. ${refusal.message}`,
      });
    }
  });

  form('/organizations/:id/:to{pause|resume}', async (c) => {
    const { id = '', to } = c.req.param() as { id?: string; to: 'pause' | 'resume' };
    const note = (c.get('fields').note ?? '').trim().slice(0, 1_000);
    const said = await switchOrganization(options, id, to, { by: c.get('session').name, note });
    return lead(c, '/', {
      isProblem: said === undefined,
      text: said ?? `There is no organisation ${id}.`,
    });
  });

  app.route('/', formBuilder(options));
  return app;
}

function isOwnPath(path: string): boolean {
  return /^\/(?:builder|gifts\/[\w-]+)?$/.test(path);
}

/** Whether the browser came by https, maybe to a proxy. */
function isSecure(c: PageContext): boolean {
  return (
    new URL(c.req.url).protocol === 'https:' ||
    c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim() === 'https'
  );
}

/** With this prefix a browser takes the cookie from this very host by https only. */
function cookieName(c: PageContext): string {
  return isSecure(c) ? '__Host-operator' : 'operator';
}

function keepToken(c: PageContext, token: string): void {
  setCookie(c, cookieName(c), token, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(c),
    path: '/',
  });
}
