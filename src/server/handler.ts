import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { requestId, type RequestIdVariables } from 'hono/request-id';
import type { Logger } from 'pino';
import { ignoredSettings } from '../contract/ignored-settings.ts';
import type { Outcome } from '../contract/outcome.ts';
import { cleanLine } from '../model/donor.ts';
import { languageOf } from '../model/language.ts';
import { countryRoutes } from './countries.ts';
import { Donations } from './donations.ts';
import type { GiftRow } from './database.ts';
import { hasTag } from './entity-tag.ts';
import { LARGEST_BODY, LARGEST_REPORT, LARGEST_WEBHOOK, checkContentType, checkKey, checkOrigin } from './guard.ts';
import { sha256 } from './hash.ts';
import type { Journal } from './journal.ts';
import { toOutcome } from './kept-gift.ts';
import { NotSignedError } from './payment/gateway.ts';
import type { Offer, OfferedForm, Organization } from './organization.ts';
import { endpointPages, manageProblem } from './pages.ts';
import { Problem } from './problem.ts';
import { readBody } from './read-body.ts';
import { checkDonation, checkReturnUrl, readDonation } from './read-donation.ts';
import { aboutError } from './remote-error.ts';
import { embedOf, type ScriptFiles } from './script.ts';
import type { Tally } from './tally.ts';

export interface HandlerOptions {
  readonly organizations: readonly Organization[];
  readonly journal: Journal;
  readonly tally: Tally;
  readonly scripts: ScriptFiles;
  readonly log: Logger;
  readonly now?: () => number;
}

export interface DonationHandler {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Goes on with what an earlier run left unfinished. */
  readonly start: () => void;
  /** Ends after the calls that are under way. */
  readonly stop: () => Promise<void>;
}

interface Desk {
  readonly organization: Organization;
  readonly form: OfferedForm;
  readonly donations: Donations;
}

const HTTP_STATUS = { succeeded: 200, pending: 202, action: 202, checking: 202, declined: 402 } as const satisfies Record<Outcome['state'], number>;

/** The donation endpoint: everything that a browser may ask of it. */
export function createHandler({ organizations, journal, tally, scripts, log, now = Date.now }: HandlerOptions): DonationHandler {
  const donationsOf = new Map(organizations.map((organization) => [organization.id, new Donations({ journal, organization, log, now })]));
  const desks: Desk[] = organizations.flatMap((organization) => organization.forms.map((form) => ({ organization, form, donations: donationsOf.get(organization.id)! })));
  const origins = [...new Set(organizations.flatMap((organization) => organization.origins))];

  const deskOf = (formId: string | undefined): Desk => {
    const desk = formId ? desks.find(({ form }) => form.en.definition.id === formId) : desks[0];
    if (!desk) throw new Problem('form-unknown', 'No form has this id. Check the attribute form-id of the element.');
    return desk;
  };
  const inLanguage = (form: OfferedForm, tag: string): Offer => form[languageOf(tag) ?? 'en'];
  const answer = (outcome: Outcome): Response => Response.json(outcome, { status: HTTP_STATUS[outcome.state], headers: { 'Cache-Control': 'no-store' } });

  const app = new Hono<{ Variables: RequestIdVariables }>();
  const refuse = (problem: Problem, c: Context<{ Variables: RequestIdVariables }>): Response => problem.toResponse(c.get('requestId'));
  app.use(requestId({ headerName: '', generator: () => crypto.randomUUID() }));
  app.use(async (c, next) => {
    const began = now();
    await next();
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
    c.res.headers.set('X-Request-Id', c.get('requestId'));
    log.info({ request: c.get('requestId'), method: c.req.method, path: cleanLine(c.req.path).slice(0, 200), status: c.res.status, milliseconds: now() - began });
  });
  const crossOrigin = cors({
    origin: origins, allowMethods: ['GET', 'POST'], allowHeaders: ['Content-Type', 'Idempotency-Key', 'If-None-Match'], exposeHeaders: ['ETag', 'X-Request-Id', 'Retry-After'], maxAge: 600,
  });
  app.use('/form', crossOrigin);
  app.use('/donations/*', crossOrigin);
  app.use('/ignored-settings', crossOrigin);
  app.use('/countries/*', crossOrigin);

  app.get('/healthz', (c) => c.text('ok'));

  app.get('/:name{(donation-form(\\.[\\w-]+)?|attribution)\\.js}', async (c) => {
    const name = c.req.param('name');
    const file = (await scripts()).get(name);
    if (!file) throw new Problem('not-found', `There is no ${name} here. Reload the page: it asks for a part of an earlier release.`);
    const headers = {
      'Content-Type': 'text/javascript; charset=utf-8', 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin', ETag: file.etag,
      'Cache-Control': /^[\w-]+\.js$/.test(name) ? 'public, max-age=300' : 'public, max-age=31536000, immutable',
    };
    return hasTag(c.req.header('If-None-Match'), file.etag) ? c.body(null, 304, headers) : c.body(file.text, 200, headers);
  });

  app.get('/embed.json', async (c) => {
    const embed = embedOf(await scripts());
    if (!embed) throw new Problem('not-found', 'The script is not built: npm run build.');
    return c.json(embed, 200, { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' });
  });

  app.route('/', endpointPages({ organizations, files: scripts }));
  app.route('/', countryRoutes());

  app.get('/form', (c) => {
    const { definition, etag } = inLanguage(deskOf(c.req.query('id')).form, c.req.query('language') ?? '');
    const headers = { 'Cache-Control': 'no-cache', ETag: etag };
    return hasTag(c.req.header('If-None-Match'), etag) ? c.body(null, 304, headers) : c.json(definition, 200, headers);
  });

  const atMost = (maxSize: number) => bodyLimit({ maxSize, onError: () => { throw new Problem('body-too-large', `The body is larger than ${maxSize} bytes.`); } });

  app.post('/donations', atMost(LARGEST_BODY), async (c) => {
    checkOrigin(c.req.header('Origin'), origins);
    checkContentType(c.req.header('Content-Type'));
    const keyHash = sha256(checkKey(c.req.header('Idempotency-Key')));
    const request = readDonation(await c.req.text().catch(() => ''));
    const known = await journal.byKeyHash(keyHash);
    const knownTo = known && donationsOf.get(known.organization);
    if (knownTo) checkReturnUrl(request, organizations.find(({ id }) => id === known.organization)!.origins);
    if (knownTo) return answer(await knownTo.goOn(known, request));
    const { organization, form, donations } = deskOf(request.form.id);
    checkOrigin(c.req.header('Origin'), organization.origins);
    const { definition, etag } = inLanguage(form, request.form.language);
    if (!hasTag(request.definition, etag)) throw new Problem('definition-changed', 'The form has changed since it was shown. Fetch GET /form again in the language of form.language, show it and ask the donor again.');
    checkDonation(request, definition);
    checkReturnUrl(request, organization.origins);
    return answer(await donations.give(request, definition, keyHash));
  });

  /** The gift under the key of a request. */
  const giftOf = async (c: Context): Promise<GiftRow> => {
    const row = await journal.byKeyHash(sha256(checkKey(c.req.header('Idempotency-Key'))));
    if (!row) throw new Problem('donation-unknown', 'No gift was accepted under this Idempotency-Key: nothing was charged.');
    return row;
  };

  app.get('/donations', async (c) => answer(toOutcome(await giftOf(c))));

  /** After an action: what became of it, or what the donor still has to do. */
  for (const [path, step] of [['/donations/confirm', 'confirm'], ['/donations/cancel', 'cancel']] as const) {
    app.post(path, atMost(LARGEST_REPORT), async (c) => {
      checkOrigin(c.req.header('Origin'), origins);
      const row = await giftOf(c), donations = donationsOf.get(row.organization);
      return answer(donations ? await donations[step](row) : toOutcome(row));
    });
  }

  app.post('/webhooks/:provider/:organization', atMost(LARGEST_WEBHOOK), async (c) => {
    const { provider, organization: id } = c.req.param(), gateway = organizations.find((organization) => organization.id === id)?.payments.get(provider)?.gateway;
    if (!gateway?.webhook) throw new Problem('not-found', 'No payment provider of this server has webhooks at this address. It is /webhooks/<provider>/<organization id>, as the configuration has them.');
    const happenings = await gateway.webhook(await c.req.text(), c.req.raw.headers).catch((error: unknown) => {
      throw error instanceof NotSignedError ? new Problem('webhook-not-signed', error.message) : error;
    });
    await donationsOf.get(id)!.keep(provider, happenings);
    return c.body(null, 204);
  });

  app.get('/manage', async (c) => {
    const id = c.req.query('id'), provider = c.req.query('provider'), desk = id ? desks.find(({ form }) => form.en.definition.id === id) : desks[0];
    const organization = (desk ?? desks[0])?.form.en.definition.organization;
    const gateway = [...desk?.organization.payments ?? []].find(([name, option]) => option.gateway.managePage && (provider === undefined || name === provider))?.[1].gateway;
    if (!gateway?.managePage) return manageProblem(c, desk && organization, 404);
    try {
      return c.redirect(await gateway.managePage());
    } catch (error) {
      log.error({ request: c.get('requestId'), ...aboutError(error) }, 'the page where donors change recurring gifts cannot be opened');
      return manageProblem(c, organization, 503);
    }
  });

  app.post('/ignored-settings', atMost(LARGEST_REPORT), async (c) => {
    checkOrigin(c.req.header('Origin'), origins);
    checkContentType(c.req.header('Content-Type'));
    const report = readBody(await c.req.text().catch(() => ''), ignoredSettings);
    checkOrigin(c.req.header('Origin'), deskOf(report.form).organization.origins);
    tally.add(report);
    return c.body(null, 204);
  });

  for (const path of ['/healthz', '/form', '/donations', '/donations/confirm', '/donations/cancel', '/webhooks/:provider/:organization', '/manage', '/embed.json', '/ignored-settings', '/links', '/countries', '/countries/:code']) {
    app.all(path, (c) => { throw new Problem('method-not-allowed', `${c.req.method} is not a method of ${path}.`); });
  }
  app.notFound((c) => refuse(new Problem('not-found', 'There is nothing at this address.'), c));
  app.onError((error, c) => {
    if (error instanceof Problem && error.cause === undefined) return refuse(error, c);
    // The messages of errors that are not ours may quote what they were given.
    log.error({ request: c.get('requestId'), error: error.name, cause: (error.cause as Error | undefined)?.name, at: error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)).join('\n') }, 'a request failed');
    return refuse(error instanceof Problem ? error : new Problem('internal-error', 'The server failed. Nothing that was sent is lost: send it again with the same Idempotency-Key.'), c);
  });

  return {
    fetch: app.fetch,
    start: () => { for (const donations of donationsOf.values()) donations.start(); },
    stop: async () => { await Promise.all([...donationsOf.values()].map((donations) => donations.stop())); },
  };
}
