import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { GIFT_STATUSES } from '../data/enumerations.ts';
import { goWrong, type Faults } from '../lib/faults.ts';
import { answerError, isSecure, readFlag, refusal } from '../lib/request-parsing.ts';
import type { Donor, Fund, Gift } from '../data/records.ts';
import { campaigns, funds, ORGANIZATION } from '../data/seed.ts';
import type { SandboxStore } from '../data/store.ts';
import type { V1Access } from './access.ts';
import { answerList } from './lists.ts';
import { donationRecord, donorRecord, fundRecord, writeDate } from './records.ts';
import { CAMPAIGN_SKELETON, SKELETONS } from './skeletons.ts';
import type { V1Windows, WindowState } from './windows.ts';
import { v1Writes } from './writes.ts';
import type { Webhooks } from '../webhooks/subscriptions.ts';

export interface DonationV1Options {
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly access: V1Access;
  readonly windows: V1Windows;
  readonly now: () => Date;
}

/** The calls whose path the specification shows. */
const DOCUMENTED = ['/v1/donors', '/v1/donations'];
const HEADERS = {
  allow: ['Authorization', 'Content-Type', 'X-OrganizationKey'],
  expose: [
    'x-pagination',
    'X-Rate-Limit-Limit',
    'X-Rate-Limit-Remaining',
    'X-Rate-Limit-Reset',
    'Retry-After',
  ],
} as const;

/**
 * The donation platform's interface v1 (basic key), as far as its specification shows it; what it
 * does not show is the sandbox's own, and says so.
 */
export function donationV1({
  store,
  webhooks,
  faults,
  access,
  windows,
  now,
}: DonationV1Options): Hono {
  const app = new Hono();

  for (const path of ['/v1/*', '/v2/*', '/public/*']) {
    app.use(
      path,
      cors({ origin: '*', allowHeaders: [...HEADERS.allow], exposeHeaders: [...HEADERS.expose] }),
      async (c, next) => {
        if (c.req.method !== 'GET' || !DOCUMENTED.includes(c.req.path))
          c.header('X-Sandbox-Own', 'not in the specification');
        if (path === '/public/*') requireSecure(c);
        return next();
      },
    );
  }

  const throttled = (c: Context, state: WindowState): Response => {
    const seconds = windows.secondsUntil(state);
    tellState(c, { ...state, remaining: 0 });
    c.header('Retry-After', String(seconds));
    return c.json(
      {
        message: 'Too many requests.',
        details: `The maximum is ${state.limit} requests per ${state.period}. Please wait ${seconds} seconds.`,
      },
      429,
    );
  };
  for (const path of ['/v1/*', '/v2/*']) {
    app.use(
      path,
      async (c, next) => {
        const broken = windows.use();
        if (broken) return throttled(c, broken);
        tellState(c, windows.tightest);
        requireSecure(c);
        access.check(c.req.raw.headers, c.req.method !== 'GET' && c.req.method !== 'HEAD');
        if (!/^application\/json(;|$)/i.test(c.req.header('Content-Type') ?? ''))
          throw refusal('The header Content-Type: application/json is missing.', 415);
        return next();
      },
      goWrong(faults, 'v1', (c) => throttled(c, windows.states[0])),
    );
  }

  app.get('/v1/donors', (c) =>
    answerList(c, store.donors(), { of: searchableDonor, write: donorRecord }),
  );

  app.get('/v1/donations', (c) => {
    const donors = new Map(store.donors().map((donor) => [donor.id, donor]));
    const withTests =
      readFlag('includeTestTransactions', c.req.query('includeTestTransactions')) ?? false;
    const isDeleted = readFlag('isDeleted', c.req.query('isDeleted'));
    const isAsked = (gift: Gift): boolean =>
      (withTests || !gift.isTest) && gift.isDeleted === (isDeleted ?? gift.isDeleted);
    return answerList(c, store.gifts().filter(isAsked), {
      of: (gift) => searchableGift(gift, donors.get(gift.donorId)),
      write: (gift, withDetails) => donationRecord(gift, donors.get(gift.donorId), withDetails),
      further: ['isDeleted'],
    });
  });

  for (const [type, skeleton] of Object.entries(SKELETONS))
    app.get(`/v1/${type}/empty`, (c) => c.json(skeleton));
  app.get('/v2/campaigns/empty', (c) => c.json(CAMPAIGN_SKELETON));
  app.get('/v1/funds', (c) => answerList(c, funds, { of: searchableFund, write: fundRecord }));
  for (const path of ['/v1/campaigns', '/v2/campaigns']) {
    app.get(path, (c) => {
      if (path.startsWith('/v1')) c.header('Deprecation', 'true');
      return answerList(c, campaigns, {
        of: ({ id, name, description, startDate, endDate }) => ({
          created: startDate,
          modified: startDate,
          isActive: endDate >= now().toISOString().slice(0, 10),
          code: String(id),
          keys: [name, description],
        }),
        write: ({ startDate, endDate, ...campaign }) => ({
          ...campaign,
          startDate: writeDate(startDate),
          endDate: writeDate(endDate),
          dateCreated: writeDate(startDate),
          lastModified: writeDate(startDate),
        }),
      });
    });
  }
  app.get('/public/funds', (c) => {
    const text = c.req.query('searchString')?.toLowerCase();
    const open = funds.filter(
      (fund) =>
        fund.isActive &&
        (!text || searchableFund(fund).keys.some((key) => key.toLowerCase().includes(text))),
    );
    return c.json(open.map(({ id, code, name, description }) => ({ id, code, name, description })));
  });
  app.get('/public/widgets/summary', (c) => {
    const counted = store
      .gifts()
      .filter(
        ({ status, isTest, isDeleted, currency }) =>
          status === GIFT_STATUSES.Approved && !isTest && !isDeleted && currency === 'USD',
      );
    const cents = counted.reduce((sum, { total }) => sum + Math.round(Number(total) * 100), 0);
    return c.json({
      organization: ORGANIZATION,
      currency: 'USD',
      total: cents / 100,
      donations: counted.length,
      donors: new Set(counted.map(({ donorId }) => donorId)).size,
    });
  });
  app.route('/v1', v1Writes({ store, webhooks, now }));
  app.all('/v1/*', (c) =>
    c.json({ message: `${c.req.method} ${c.req.path} is not a call of this interface.` }, 404),
  );
  app.all('/v2/*', (c) =>
    c.json({ message: `${c.req.method} ${c.req.path} is not a call of this interface.` }, 404),
  );
  app.all('/public/*', (c) =>
    c.json({ message: `${c.req.method} ${c.req.path} is not a public call.` }, 404),
  );
  app.onError(answerError);
  return app;
}

function tellState(
  c: Context,
  { period, remaining, resetsAt }: Pick<WindowState, 'period' | 'remaining' | 'resetsAt'>,
): void {
  c.header('X-Rate-Limit-Limit', period);
  c.header('X-Rate-Limit-Remaining', String(remaining));
  c.header('X-Rate-Limit-Reset', resetsAt.toISOString());
}

function requireSecure(c: Context): void {
  if (!isSecure(c.req.raw))
    throw refusal('HTTPS is required; plain HTTP is for this machine only.', 403);
}

function searchableDonor({
  firstName,
  lastName,
  organization,
  email,
  crmKey,
  code,
  isActive,
  created,
  modified,
}: Donor) {
  return {
    created,
    modified,
    isActive,
    code,
    keys: [`${firstName} ${lastName}`, organization, email, crmKey],
  };
}

function searchableGift(
  { reference, segment, isDeleted, created, modified }: Gift,
  donor: Donor | undefined,
) {
  return {
    created,
    modified,
    isActive: !isDeleted,
    code: segment,
    keys: [reference, ...(donor ? [`${donor.firstName} ${donor.lastName}`, donor.email] : [])],
  };
}

function searchableFund({ code, name, description, isActive, created }: Fund) {
  return { created, modified: created, isActive, code, keys: [code, name, description] };
}
