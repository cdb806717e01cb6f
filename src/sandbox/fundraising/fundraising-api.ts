import { Hono } from 'hono';
import { getCampaignPhase } from '../data/campaign-phase.ts';
import { ACTIVITY_ORIGINS, QUERY_TYPES } from '../data/enumerations.ts';
import type { Campaign } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import { type Faults, injectFaults } from '../lib/faults.ts';
import {
  assertKnownNames,
  createRequestError,
  formatForMessage,
  isSecureRequest,
  type JsonObject,
  parseBoolean,
  parseJsonBody,
  parseNonNegativeInteger,
  toErrorResponse,
} from '../lib/request-parsing.ts';
import { createGiftQueryRoutes } from '../live-clients/gift-query.ts';
import { createGivingApi } from '../virtuous-raise/giving-api.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';
import { parseQuery } from './query.ts';
import { getQueryOptions } from './query-options.ts';
import type { HourlyRateLimit } from './rate-limit.ts';
import { createRecordingExtension } from './recording-extension.ts';
import { createWebhookExtension } from './webhook-extension.ts';

export interface FundraisingApiOptions {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
  readonly faults: Faults;
  /** The only bearer key that the API accepts. */
  readonly apiKey: string;
  readonly rateLimit: HourlyRateLimit;
  /** If true, responds like the live platform that public clients use. */
  readonly liveClients: boolean;
  readonly now: () => Date;
}

const CAMPAIGN_SORT_FIELDS = [
  'id',
  'name',
  'startDate',
  'endDate',
  'givingGoal',
  'avgGiftGoal',
] as const satisfies (keyof Campaign)[];

/**
 * Creates the bearer-key interface (Fundraising Platform API), and the sandbox's extensions for
 * gifts and webhooks.
 */
export function createFundraisingApi({
  store,
  webhooks,
  faults,
  apiKey,
  rateLimit,
  liveClients,
  now,
}: FundraisingApiOptions): Hono {
  const app = new Hono();

  app.use(
    async (c, next) => {
      if (/^\/(sandbox|api\/(Gift|Raise))\//.test(c.req.path))
        c.header('X-Sandbox-Extension', 'not in the specification');
      const isWithinLimit = rateLimit.countCall();
      const { limit: max, remaining, resetsAt } = rateLimit.state;
      if (!liveClients) {
        c.header('X-RateLimit-Limit', String(max));
        c.header('X-RateLimit-Remaining', String(remaining));
        c.header('X-RateLimit-Reset', String(resetsAt));
      }
      if (!isSecureRequest(c.req.raw))
        return c.json(
          {
            message:
              'HTTPS is required, except for requests from the machine that runs the sandbox.',
          },
          403,
        );
      if (!isWithinLimit)
        return c.json({ message: `The limit of ${max} requests per hour is exceeded.` }, 429);
      if (c.req.header('Authorization') !== `Bearer ${apiKey}`)
        return c.json(
          { message: 'This request requires a valid API key: Authorization: Bearer <API_KEY>.' },
          401,
        );
      return next();
    },
    injectFaults(faults, 'platform', (c) =>
      c.json({ message: 'The hourly request limit is exceeded (injected by the sandbox).' }, 429, {
        'X-RateLimit-Remaining': '0',
      }),
    ),
  );

  app.get('/api/campaign/list', (c) => {
    assertKnownNames('parameter', Object.keys(c.req.query()), [
      'skip',
      'take',
      'filter',
      'sortBy',
      'descending',
    ]);
    const { skip, take, filter, sortBy, descending } = c.req.query();
    const page = {
      skip: parseNonNegativeInteger('skip', skip),
      take: parseNonNegativeInteger('take', take),
    };
    const matching = store.listCampaigns().filter(createCampaignFilter(filter));
    return c.json({
      items: paginate(
        sortItems(matching, CAMPAIGN_SORT_FIELDS, sortBy, parseBoolean('descending', descending)),
        page,
      ),
    });
  });

  app.post('/api/campaign/query', async (c) => {
    const body = await parseJsonBody(c);
    const page = parsePaging(body);
    const { matches, columns } = parseQuery(body, ['Campaign']);
    const matching = store
      .listCampaigns()
      .filter(createCampaignFilter(parseFilter(body)))
      .filter((campaign) => {
        const phase = getCampaignPhase(campaign, now());
        const isRunning = phase === 'Running' ? 'True' : 'False';
        return matches({ ...campaign, phase, isRunning });
      });
    const items = paginate(
      sortItems(matching, CAMPAIGN_SORT_FIELDS, body.sortBy, parseDescending(body)),
      page,
    );
    return c.json({
      items: columns?.length
        ? items.map((item) =>
            Object.fromEntries(Object.entries(item).filter(([name]) => columns.includes(name))),
          )
        : items,
    });
  });

  app.post('/api/activity/list', async (c) => {
    const body = await parseJsonBody(c);
    const page = parsePaging(body);
    assertKnownNames('field', Object.keys(body), [
      'selectedActivityOrigins',
      'filter',
      'skip',
      'take',
    ]);
    const { selectedActivityOrigins: origins } = body;
    if (
      origins !== undefined &&
      !(
        Array.isArray(origins) &&
        origins.every((value) => Object.values<unknown>(ACTIVITY_ORIGINS).includes(value))
      )
    ) {
      throw createRequestError('selectedActivityOrigins must be an array of integers from 0 to 5.');
    }
    const filter = parseFilter(body)?.toLowerCase();
    const matching = store
      .listActivities()
      .filter(
        ({ origin, displayText }) =>
          (!origins?.length || origins.includes(origin)) &&
          (!filter || displayText.toLowerCase().includes(filter)),
      );
    return c.json({ items: paginate(matching, page) });
  });

  app.get('/api/query/options/:queryType', (c) => {
    const queryType = QUERY_TYPES.find((name) => name === c.req.param('queryType'));
    if (!queryType)
      throw createRequestError(
        `queryType is '${c.req.param('queryType')}'; expected one of ${QUERY_TYPES.join(', ')}.`,
        404,
      );
    return c.json({ queryType, ...getQueryOptions(queryType) });
  });

  app.route('/api', createGivingApi({ store, webhooks, faults, now }));
  if (liveClients) app.route('/api/Gift', createGiftQueryRoutes({ store }));
  app.route('/sandbox/gifts', createRecordingExtension({ store, webhooks, now }));
  app.route('/sandbox/webhooks', createWebhookExtension({ store, webhooks }));
  app.all('*', (c) =>
    c.json({ message: `This API has no endpoint ${c.req.method} ${c.req.path}.` }, 404),
  );
  app.onError(toErrorResponse);
  return app;
}

interface Paging {
  readonly skip: number;
  readonly take: number;
}

function paginate<Item>(items: readonly Item[], { skip, take }: Paging): Item[] {
  return items.slice(skip, skip + take);
}

/**
 * Parses `skip` and `take` from a JSON body.
 * @throws HTTPException if either is not a non-negative integer.
 */
function parsePaging(body: JsonObject): Paging {
  const parseField = (name: 'skip' | 'take'): number => {
    const value = body[name];
    if (!Number.isSafeInteger(value) || (value as number) < 0)
      throw createRequestError(`${name} must be an integer of 0 or more.`);
    return value as number;
  };
  return { skip: parseField('skip'), take: parseField('take') };
}

function parseFilter({ filter }: JsonObject): string | undefined {
  if (filter !== undefined && filter !== null && typeof filter !== 'string')
    throw createRequestError('filter must be a string.');
  return filter ?? undefined;
}

function parseDescending({ descending = false }: JsonObject): boolean {
  if (typeof descending !== 'boolean')
    throw createRequestError('descending must be true or false.');
  return descending;
}

/**
 * Creates a filter that searches a campaign's ID, name, and description (specification, "Free-text
 * filter rules", rule 1).
 */
function createCampaignFilter(filter: string | undefined): (campaign: Campaign) => boolean {
  const text = filter?.toLowerCase();
  return ({ id, name, description }) =>
    !text ||
    String(id) === text ||
    name.toLowerCase().includes(text) ||
    description.toLowerCase().includes(text);
}

function sortItems<Item>(
  items: readonly Item[],
  fields: readonly (keyof Item & string)[],
  sortBy: unknown,
  descending = false,
): readonly Item[] {
  if (sortBy === undefined) return descending ? items.toReversed() : items;
  const field = fields.find((name) => name === sortBy);
  if (!field)
    throw createRequestError(
      `sortBy is ${formatForMessage(sortBy)}; expected one of ${fields.join(', ')}.`,
    );
  const ascending = items.toSorted((a, b) => compareValues(a[field], b[field]));
  return descending ? ascending.reverse() : ascending;
}

function compareValues(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en');
}
