import { Hono, type Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Campaign } from './seed.ts';
import type { SandboxStore } from './store.ts';

export interface PlatformOptions {
  readonly store: SandboxStore;
  /** The one bearer key that is accepted. */
  readonly apiKey: string;
  /** Calls an hour. */
  readonly hourlyLimit: number;
  readonly now: () => Date;
}

const hour = 3_600_000;
const sortFields = ['id', 'name', 'startDate', 'endDate', 'givingGoal', 'avgGiftGoal'] as const satisfies (keyof Campaign)[];

/** The fundraising platform (bearer key), as far as its specification shows it, and a gift call of the sandbox's own. */
export function platform({ store, apiKey, hourlyLimit, now }: PlatformOptions): Hono {
  const app = new Hono();
  let window = -1, used = 0;

  app.use(async (c, next) => {
    const current = Math.floor(now().getTime() / hour);
    if (current !== window) [window, used] = [current, 0];
    used += 1;
    const headers = {
      'X-RateLimit-Limit': String(hourlyLimit),
      'X-RateLimit-Remaining': String(Math.max(0, hourlyLimit - used)),
      'X-RateLimit-Reset': String(((window + 1) * hour) / 1_000),
    };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (used > hourlyLimit) return c.json({ message: `The limit of ${hourlyLimit} requests per hour is exceeded.` }, 429);
    if (c.req.header('Authorization') !== `Bearer ${apiKey}`) return c.json({ message: 'This request needs a valid API key: Authorization: Bearer <API_KEY>.' }, 401);
    return next();
  });

  app.get('/api/campaign/list', (c) => {
    const { skip, take } = readPaging(c.req.query('skip'), c.req.query('take'));
    const filter = c.req.query('filter')?.toLowerCase();
    const sortBy = c.req.query('sortBy');
    const field = sortFields.find((name) => name === sortBy);
    if (sortBy !== undefined && field === undefined) throw refusal(`sortBy is '${sortBy}'; campaigns sort by ${sortFields.join(', ')}.`);
    const matching = store.campaigns().filter((campaign) => !filter
      || String(campaign.id) === filter || campaign.name.toLowerCase().includes(filter) || campaign.description.toLowerCase().includes(filter));
    const sorted = field ? matching.toSorted((a, b) => compare(a[field], b[field])) : matching;
    if (c.req.query('descending')?.toLowerCase() === 'true') sorted.reverse();
    return c.json({ items: sorted.slice(skip, skip + take) });
  });

  app.post('/api/activity/list', async (c) => {
    const body = await readBody(c);
    const { skip, take } = readPaging(body.skip, body.take);
    const { selectedActivityOrigins: origins, filter } = body;
    if (origins !== undefined && !(Array.isArray(origins) && origins.every((value) => Number.isInteger(value) && value >= 0 && value <= 5))) {
      throw refusal('selectedActivityOrigins must be an array of integers from 0 to 5.');
    }
    if (filter !== undefined && typeof filter !== 'string') throw refusal('filter must be a string.');
    const matching = store.activities().filter((activity) => (!origins?.length || origins.includes(activity.origin))
      && (!filter || activity.displayText.toLowerCase().includes(filter.toLowerCase())));
    return c.json({ items: matching.slice(skip, skip + take) });
  });

  // The specification shows no call that records or finds a gift. These two are the sandbox's own and say so.
  app.use('/sandbox/*', async (c, next) => {
    await next();
    c.header('X-Sandbox-Own', 'not in the specification');
  });

  app.post('/sandbox/gifts', async (c) => {
    const body = await readBody(c);
    const { reference, summary } = body;
    if (typeof reference !== 'string' || typeof summary !== 'string') throw refusal('reference and summary must be strings.');
    const gift = store.addGift(reference, JSON.stringify(body), { origin: 3, displayText: summary, date: now().toISOString() });
    return c.json({ id: gift.id });
  });

  app.get('/sandbox/gifts', (c) => c.json({ items: store.gifts(c.req.query('reference') ?? '') }));

  app.all('*', (c) => c.json({ message: `${c.req.method} ${c.req.path} is not a call of this platform.` }, 404));
  app.onError((error, c) => (error instanceof HTTPException ? c.json({ message: error.message }, error.status) : c.json({ message: 'The sandbox failed.' }, 500)));
  return app;
}

function refusal(message: string): HTTPException {
  return new HTTPException(400, { message });
}

function readPaging(skip: unknown, take: unknown): { skip: number; take: number } {
  const read = (name: string, value: unknown): number => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (!Number.isInteger(number) || (number as number) < 0) throw refusal(`${name} is required: a whole number, 0 or more.`);
    return number as number;
  };
  return { skip: read('skip', skip), take: read('take', take) };
}

async function readBody(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal('The body must be a JSON object.');
  return body as Record<string, unknown>;
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
}
