import { Hono } from 'hono';
import { ACTIVITY_ORIGINS, QUERY_TYPES } from '../data/enumerations.ts';
import { goWrong, type Faults } from '../lib/faults.ts';
import type { HourlyLimit } from './rate-limit.ts';
import { ownGifts } from './recording-extension.ts';
import { ownWebhooks } from './webhook-extension.ts';
import { readQuery } from './query.ts';
import { optionsOf, PHASES } from './query-options.ts';
import {
  answerError,
  isSecure,
  type JsonObject,
  readBody,
  readDigits,
  readFlag,
  refusal,
  refuseUnknown,
  shown,
} from '../lib/request-parsing.ts';
import type { Campaign } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import type { Webhooks } from '../webhooks/subscriptions.ts';

export interface PlatformOptions {
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  /** The one bearer key that is accepted. */
  readonly apiKey: string;
  readonly limit: HourlyLimit;
  readonly now: () => Date;
}

const CAMPAIGN_SORT = [
  'id',
  'name',
  'startDate',
  'endDate',
  'givingGoal',
  'avgGiftGoal',
] as const satisfies (keyof Campaign)[];

/**
 * The fundraising platform (bearer key), as far as its specification shows it, and the sandbox's
 * own calls for gifts and webhooks.
 */
export function platform({ store, webhooks, faults, apiKey, limit, now }: PlatformOptions): Hono {
  const app = new Hono();

  app.use(
    async (c, next) => {
      if (c.req.path.startsWith('/sandbox/')) c.header('X-Sandbox-Own', 'not in the specification');
      const isWithin = limit.use();
      const { limit: most, remaining, resetsAt } = limit.state;
      c.header('X-RateLimit-Limit', String(most));
      c.header('X-RateLimit-Remaining', String(remaining));
      c.header('X-RateLimit-Reset', String(resetsAt));
      if (!isSecure(c.req.raw))
        return c.json(
          { message: 'Requests are made over HTTPS; plain HTTP is for this machine only.' },
          403,
        );
      if (!isWithin)
        return c.json({ message: `The limit of ${most} requests per hour is exceeded.` }, 429);
      if (c.req.header('Authorization') !== `Bearer ${apiKey}`)
        return c.json(
          { message: 'This request needs a valid API key: Authorization: Bearer <API_KEY>.' },
          401,
        );
      return next();
    },
    goWrong(faults, 'platform', (c) =>
      c.json(
        { message: 'The limit of requests per hour is exceeded: the sandbox was told so.' },
        429,
        { 'X-RateLimit-Remaining': '0' },
      ),
    ),
  );

  app.get('/api/campaign/list', (c) => {
    refuseUnknown('parameter of this list', Object.keys(c.req.query()), [
      'skip',
      'take',
      'filter',
      'sortBy',
      'descending',
    ]);
    const { skip, take, filter, sortBy, descending } = c.req.query();
    const page = { skip: readDigits('skip', skip), take: readDigits('take', take) };
    const matching = store.campaigns().filter(campaignFilter(filter));
    return c.json({
      items: pageOf(
        sorted(matching, CAMPAIGN_SORT, sortBy, readFlag('descending', descending)),
        page,
      ),
    });
  });

  app.post('/api/campaign/query', async (c) => {
    const body = await readBody(c);
    const page = readPaging(body);
    const { matches, columns } = readQuery(body, 'Campaign');
    const matching = store
      .campaigns()
      .filter(campaignFilter(readFilter(body)))
      .filter((campaign) => matches({ ...campaign, phase: phaseOf(campaign, now()) }));
    const items = pageOf(sorted(matching, CAMPAIGN_SORT, body.sortBy, readDescending(body)), page);
    return c.json({
      items: columns?.length
        ? items.map((item) =>
            Object.fromEntries(Object.entries(item).filter(([name]) => columns.includes(name))),
          )
        : items,
    });
  });

  app.post('/api/activity/list', async (c) => {
    const body = await readBody(c);
    const page = readPaging(body);
    refuseUnknown('field of this list', Object.keys(body), [
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
      throw refusal('selectedActivityOrigins must be an array of integers from 0 to 5.');
    }
    const filter = readFilter(body)?.toLowerCase();
    const matching = store
      .activities()
      .filter(
        ({ origin, displayText }) =>
          (!origins?.length || origins.includes(origin)) &&
          (!filter || displayText.toLowerCase().includes(filter)),
      );
    return c.json({ items: pageOf(matching, page) });
  });

  app.get('/api/query/options/:queryType', (c) => {
    const queryType = QUERY_TYPES.find((name) => name === c.req.param('queryType'));
    if (!queryType)
      throw refusal(
        `'${c.req.param('queryType')}' is no QueryType; expected one of ${QUERY_TYPES.join(', ')}.`,
        404,
      );
    return c.json({ queryType, ...optionsOf(queryType) });
  });

  app.route('/sandbox/gifts', ownGifts({ store, webhooks, now }));
  app.route('/sandbox/webhooks', ownWebhooks({ store, webhooks }));
  app.all('*', (c) =>
    c.json({ message: `${c.req.method} ${c.req.path} is not a call of this platform.` }, 404),
  );
  app.onError(answerError);
  return app;
}

interface Paging {
  readonly skip: number;
  readonly take: number;
}

function pageOf<Item>(items: readonly Item[], { skip, take }: Paging): Item[] {
  return items.slice(skip, skip + take);
}

/** The paging of a body, where both are JSON integers. */
function readPaging(body: JsonObject): Paging {
  const read = (name: 'skip' | 'take'): number => {
    const value = body[name];
    if (!Number.isSafeInteger(value) || (value as number) < 0)
      throw refusal(`${name} is required: an integer, 0 or more.`);
    return value as number;
  };
  return { skip: read('skip'), take: read('take') };
}

function readFilter({ filter }: JsonObject): string | undefined {
  if (filter !== undefined && filter !== null && typeof filter !== 'string')
    throw refusal('filter must be a string.');
  return filter ?? undefined;
}

function readDescending({ descending = false }: JsonObject): boolean {
  if (typeof descending !== 'boolean') throw refusal('descending must be true or false.');
  return descending;
}

/** 'Free-text filter rules', 1. */
function campaignFilter(filter: string | undefined): (campaign: Campaign) => boolean {
  const text = filter?.toLowerCase();
  return ({ id, name, description }) =>
    !text ||
    String(id) === text ||
    name.toLowerCase().includes(text) ||
    description.toLowerCase().includes(text);
}

function sorted<Item>(
  items: readonly Item[],
  fields: readonly (keyof Item & string)[],
  sortBy: unknown,
  descending = false,
): readonly Item[] {
  if (sortBy === undefined) return descending ? items.toReversed() : items;
  const field = fields.find((name) => name === sortBy);
  if (!field) throw refusal(`sortBy is ${shown(sortBy)}; this list sorts by ${fields.join(', ')}.`);
  const ascending = items.toSorted((a, b) => compare(a[field], b[field]));
  return descending ? ascending.reverse() : ascending;
}

function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en');
}

function phaseOf({ startDate, endDate }: Campaign, now: Date): (typeof PHASES)[number] {
  const today = now.toISOString().slice(0, 10);
  if (today < startDate) return 'Upcoming';
  return today > endDate ? 'Ended' : 'Running';
}
