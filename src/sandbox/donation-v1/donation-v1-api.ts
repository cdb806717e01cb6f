import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { getEnumName, GIFT_STATUSES, type GiftStatus } from '../data/enumerations.ts';
import type { Donor, Fund, Gift } from '../data/records.ts';
import { campaigns, funds, ORGANIZATION, products } from '../data/seed.ts';
import type { SandboxStore } from '../data/store.ts';
import { type Faults, injectFaults } from '../lib/faults.ts';
import {
  createRequestError,
  isSecureRequest,
  parseBoolean,
  toErrorResponse,
} from '../lib/request-parsing.ts';
import { createEmbedCampaignRoutes } from '../live-clients/embed-campaigns.ts';
import { toIsoDay } from '../live-clients/formats.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';
import type { V1Access } from './access.ts';
import { DONATION_STATUS_BY_GIFT_STATUS, DONATION_STATUSES } from './enumerations.ts';
import { createListResponse } from './lists.ts';
import type { RateLimitState, V1RateLimits } from './rate-limits.ts';
import { formatDate, toDonationRecord, toDonorRecord, toFundRecord } from './records.ts';
import { createScheduleRoutes } from './schedule-routes.ts';
import { CAMPAIGN_SKELETON, SKELETONS } from './skeletons.ts';
import { createWriteRoutes } from './write-routes.ts';

export interface DonationV1Options {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
  readonly faults: Faults;
  readonly access: V1Access;
  readonly rateLimits: V1RateLimits;
  /** If true, responds like the live platform that public clients use. */
  readonly liveClients: boolean;
  readonly now: () => Date;
}

/** Paths documented in the specification. */
const DOCUMENTED_PATHS = ['/v1/donors', '/v1/donations'];
const CORS_HEADERS = {
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
 * Creates the basic-key interface (Donation Platform API v1). Adds the `X-Sandbox-Extension` header
 * to responses of calls that the specification does not document.
 */
export function createDonationV1Api({
  store,
  webhooks,
  faults,
  access,
  rateLimits,
  liveClients,
  now,
}: DonationV1Options): Hono {
  const app = new Hono();

  for (const path of ['/v1/*', '/v2/*', '/v3/*', '/public/*']) {
    app.use(
      path,
      cors({
        origin: '*',
        allowHeaders: [...CORS_HEADERS.allow],
        exposeHeaders: [...CORS_HEADERS.expose],
      }),
      async (c, next) => {
        if (c.req.method !== 'GET' || !DOCUMENTED_PATHS.includes(c.req.path))
          c.header('X-Sandbox-Extension', 'not in the specification');
        if (path === '/public/*') assertSecureRequest(c);
        return next();
      },
    );
  }

  const createThrottledResponse = (c: Context, state: RateLimitState): Response => {
    const seconds = rateLimits.getSecondsUntilReset(state);
    setRateLimitHeaders(c, { ...state, remaining: 0 });
    c.header('Retry-After', String(seconds));
    return c.json(
      liveClients
        ? {
            message: 'Rate limit exceeded quota.',
            details: `The maximum is ${state.limit} per ${state.period}. Try again in ${seconds} second(s).`,
          }
        : {
            message: 'Too many requests.',
            details: `The maximum is ${state.limit} requests per ${state.period}. Please wait ${seconds} seconds.`,
          },
      429,
    );
  };
  for (const path of ['/v1/*', '/v2/*', '/v3/*']) {
    app.use(
      path,
      async (c, next) => {
        const exceeded = rateLimits.countRequest();
        if (exceeded) return createThrottledResponse(c, exceeded);
        setRateLimitHeaders(c, rateLimits.tightest);
        assertSecureRequest(c);
        access.authorizeRequest(
          c.req.raw.headers,
          c.req.method !== 'GET' && c.req.method !== 'HEAD',
        );
        const needsContentType = !(liveClients && c.req.method === 'GET');
        if (
          needsContentType &&
          !/^application\/json(;|$)/i.test(c.req.header('Content-Type') ?? '')
        )
          throw createRequestError(
            'This request requires the header Content-Type: application/json.',
            415,
          );
        return next();
      },
      injectFaults(faults, 'v1', (c) => createThrottledResponse(c, rateLimits.states[0])),
    );
  }

  app.get('/v1/donors', (c) => {
    const { crmKeySecond } = liveClients ? c.req.query() : {};
    const donors = store
      .listDonors()
      .filter(({ crmKey }) => crmKeySecond === undefined || crmKey === crmKeySecond);
    return createListResponse(c, donors, {
      toSearchable: toSearchableDonor,
      toRecord: toDonorRecord,
      extraParameters: liveClients ? ['crmKeySecond'] : [],
    });
  });

  const listDonations = (
    c: Context,
    matchesSearch: (gift: Gift) => boolean,
    extraParameters: readonly string[] = [],
  ): Response => {
    const donors = new Map(store.listDonors().map((donor) => [donor.id, donor]));
    const includeTests =
      parseBoolean('includeTestTransactions', c.req.query('includeTestTransactions')) ?? false;
    const isDeleted = parseBoolean('isDeleted', c.req.query('isDeleted'));
    const isRequested = (gift: Gift): boolean =>
      matchesSearch(gift) &&
      (includeTests || !gift.isTest) &&
      gift.isDeleted === (isDeleted ?? gift.isDeleted);
    return createListResponse(c, store.listGifts().filter(isRequested), {
      toSearchable: (gift) => toSearchableGift(gift, donors.get(gift.donorId)),
      toRecord: (gift, withDetails) => ({
        ...toDonationRecord(gift, donors.get(gift.donorId), withDetails),
        ...(liveClients && { status: toStatusObject(gift.status) }),
      }),
      extraParameters: ['isDeleted', ...extraParameters],
      parseDay: liveClients ? toIsoDay : undefined,
    });
  };
  app.get('/v1/donations', (c) => listDonations(c, () => true));
  app.get('/v1/donations/search', (c) => {
    const { status, donorId } = c.req.query();
    return listDonations(
      c,
      (gift) =>
        (status === undefined || String(DONATION_STATUS_BY_GIFT_STATUS[gift.status]) === status) &&
        (donorId === undefined || String(gift.donorId) === donorId),
      ['status', 'donorId'],
    );
  });
  if (liveClients) {
    app.get('/v1/donors/:id/donations', (c) =>
      listDonations(c, ({ donorId }) => String(donorId) === c.req.param('id')),
    );
    app.route('/v3/embed-campaigns', createEmbedCampaignRoutes(campaigns));
  }

  for (const [type, skeleton] of Object.entries(SKELETONS))
    app.get(`/v1/${type}/empty`, (c) => c.json(skeleton));
  app.get('/v2/campaigns/empty', (c) => c.json(CAMPAIGN_SKELETON));
  app.get('/v1/funds', (c) =>
    createListResponse(c, funds, { toSearchable: toSearchableFund, toRecord: toFundRecord }),
  );
  app.get('/v1/products', (c) =>
    createListResponse(c, products, {
      toSearchable: ({ code, name, isActive, created }) => ({
        created,
        modified: created,
        isActive,
        code,
        keys: [code, name],
      }),
      toRecord: ({ created, ...product }) => ({
        ...product,
        dateCreated: formatDate(created),
        lastModified: formatDate(created),
      }),
    }),
  );
  app.route('/v1/schedules', createScheduleRoutes({ store, now }));
  for (const path of ['/v1/campaigns', '/v2/campaigns']) {
    app.get(path, (c) => {
      if (path.startsWith('/v1')) c.header('Deprecation', 'true');
      return createListResponse(c, campaigns, {
        toSearchable: ({ id, name, description, startDate, endDate }) => ({
          created: startDate,
          modified: startDate,
          isActive: endDate >= now().toISOString().slice(0, 10),
          code: String(id),
          keys: [name, description],
        }),
        toRecord: ({ startDate, endDate, ...campaign }) => ({
          ...campaign,
          startDate: formatDate(startDate),
          endDate: formatDate(endDate),
          dateCreated: formatDate(startDate),
          lastModified: formatDate(startDate),
        }),
      });
    });
  }
  app.get('/public/funds', (c) => {
    const text = c.req.query('searchString')?.toLowerCase();
    const matching = funds.filter(
      (fund) =>
        fund.isActive &&
        (!text || toSearchableFund(fund).keys.some((key) => key.toLowerCase().includes(text))),
    );
    return c.json(
      matching.map(({ id, code, name, description }) => ({ id, code, name, description })),
    );
  });
  app.get('/public/widgets/summary', (c) => {
    const counted = store
      .listGifts()
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
  app.route('/v1', createWriteRoutes({ store, webhooks, now }));
  app.all('/v1/*', (c) =>
    c.json({ message: `This API has no endpoint ${c.req.method} ${c.req.path}.` }, 404),
  );
  for (const path of ['/v2/*', '/v3/*'])
    app.all(path, (c) =>
      c.json({ message: `This API has no endpoint ${c.req.method} ${c.req.path}.` }, 404),
    );
  app.all('/public/*', (c) =>
    c.json({ message: `This API has no public endpoint ${c.req.method} ${c.req.path}.` }, 404),
  );
  app.onError(toErrorResponse);
  return app;
}

/** Converts a gift status to the status object that public clients expect. */
function toStatusObject(status: GiftStatus): { readonly id: number; readonly name: string } {
  const id = DONATION_STATUS_BY_GIFT_STATUS[status];
  return { id, name: getEnumName(DONATION_STATUSES, id) };
}

function setRateLimitHeaders(
  c: Context,
  { period, remaining, resetsAt }: Pick<RateLimitState, 'period' | 'remaining' | 'resetsAt'>,
): void {
  c.header('X-Rate-Limit-Limit', period);
  c.header('X-Rate-Limit-Remaining', String(remaining));
  c.header('X-Rate-Limit-Reset', resetsAt.toISOString());
}

function assertSecureRequest(c: Context): void {
  if (!isSecureRequest(c.req.raw))
    throw createRequestError(
      'HTTPS is required, except for requests from the machine that runs the sandbox.',
      403,
    );
}

function toSearchableDonor({
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

function toSearchableGift(
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

function toSearchableFund({ code, name, description, isActive, created }: Fund) {
  return { created, modified: created, isActive, code, keys: [code, name, description] };
}
