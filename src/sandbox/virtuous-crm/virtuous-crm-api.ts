import { Hono } from 'hono';
import { ACTIVITY_ORIGINS } from '../data/enumerations.ts';
import type { SandboxStore } from '../data/store.ts';
import { HourlyRateLimit } from '../fundraising/rate-limit.ts';
import { type Faults, injectFaults } from '../lib/faults.ts';
import {
  createRequestError,
  isCalendarDate,
  isSecureRequest,
  type JsonObject,
  parseJsonBody,
  parseObjectArray,
  parseString,
  toErrorResponse,
} from '../lib/request-parsing.ts';
import { assertFieldsAreValid } from './transaction-fields.ts';
import type { GiftTransactions } from './transactions.ts';

export interface VirtuousCrmApiOptions {
  readonly store: SandboxStore;
  readonly transactions: GiftTransactions;
  readonly faults: Faults;
  /** The only bearer key that the API accepts. */
  readonly apiKey: string;
  readonly now: () => Date;
}

/**
 * Maximum number of calls per hour for an organization: https://docs.virtuous.org/crm/rate-limits
 */
const HOURLY_LIMIT = 5_000;

/**
 * Emulates the Virtuous CRM+ calls that record gifts charged elsewhere. Based on the public
 * documentation: https://docs.virtuous.org/crm/workflows/create-a-donation
 */
export function createVirtuousCrmApi({
  store,
  transactions,
  faults,
  apiKey,
  now,
}: VirtuousCrmApiOptions): Hono {
  const app = new Hono();
  const rateLimit = new HourlyRateLimit(HOURLY_LIMIT, now);

  app.use(
    async (c, next) => {
      const isWithinLimit = rateLimit.countCall();
      const { limit, remaining, resetsAt } = rateLimit.state;
      c.header('X-RateLimit-Limit', String(limit));
      c.header('X-RateLimit-Remaining', String(remaining));
      c.header('X-RateLimit-Reset', String(resetsAt));
      if (!isSecureRequest(c.req.raw))
        return c.json(
          {
            message:
              'HTTPS is required, except for requests from the machine that runs the sandbox.',
          },
          403,
        );
      if (!isWithinLimit) return c.json({ message: 'The rate limit is exceeded.' }, 429);
      if (c.req.header('Authorization') !== `Bearer ${apiKey}`)
        return c.json({ message: 'Authorization has been denied for this request.' }, 401);
      return next();
    },
    injectFaults(faults, 'crm', (c) =>
      c.json({ message: 'The rate limit is exceeded (injected by the sandbox).' }, 429),
    ),
  );

  app.get('/api/Organization/Current', (c) =>
    c.json({ organizationName: 'Lanternwell', isEnabled: true }),
  );

  app.post('/api/v2/Gift/Transaction', async (c) => {
    const body = await parseJsonBody(c);
    const source = parseRequiredString(body, 'transactionSource');
    const id = parseRequiredString(body, 'transactionId');
    assertTransactionIsValid(body);
    if (transactions.insertIfNew(source, id, body))
      store.insertActivity({
        origin: ACTIVITY_ORIGINS.CRM,
        displayText:
          `Virtuous CRM accepted ${parseString(body, 'amount')} ` +
          `${parseString(body, 'currencyCode')} for import (${id})`,
        date: now().toISOString(),
      });
    return c.body(null, 200);
  });

  app.get('/api/Gift/:source/:id', (c) => {
    const { source, id } = c.req.param();
    const gift = transactions.findGift(source, id);
    if (!gift) throw createRequestError('There is no gift with this source and ID.', 404);
    const { giftDate, giftType, amount, currencyCode } = gift.body;
    return c.json({
      id: gift.id,
      transactionSource: source,
      transactionId: id,
      giftDate,
      giftType,
      amount: Number(amount),
      currencyCode,
      giftDesignations: listDesignations(gift.body),
    });
  });

  app.get('/sandbox/transactions', (c) => {
    c.header('X-Sandbox-Extension', 'not in the documentation');
    return c.json({ items: transactions.list() });
  });

  app.all('*', (c) =>
    c.json({ message: `This API has no endpoint ${c.req.method} ${c.req.path}.` }, 404),
  );
  app.onError(toErrorResponse);
  return app;
}

function parseRequiredString(body: JsonObject, name: string): string {
  const value = parseString(body, name);
  if (value === '') throw createRequestError(`${name} is required.`);
  return value;
}

/** The API reference calls the field `designations`, but the guides call it `giftDesignations`. */
function listDesignations(body: JsonObject): readonly JsonObject[] {
  return [...parseObjectArray(body, 'designations'), ...parseObjectArray(body, 'giftDesignations')];
}

/** @throws HTTPException with the documented status 400 if the body is invalid. */
function assertTransactionIsValid(body: JsonObject): void {
  assertFieldsAreValid(body);
  if (body.contact === undefined) throw createRequestError('contact is required.');
  if (!isCalendarDate(parseString(body, 'giftDate')))
    throw createRequestError('giftDate must be a date in the format yyyy-mm-dd.');
  parseRequiredString(body, 'giftType');
  const amount = parseRequiredString(body, 'amount');
  if (!/^\d+(\.\d+)?$/.test(amount))
    throw createRequestError('amount must be a numeric string, such as "50.00".');
  const designations = listDesignations(body);
  if (designations.length === 0)
    throw createRequestError('The gift must have at least one designation.');
  for (const { code, projectCode } of designations)
    if (typeof (code ?? projectCode) !== 'string')
      throw createRequestError('Each designation must have a project code.');
  const designated = designations.reduce((sum, entry) => sum + Number(entry.amountDesignated), 0);
  if (Math.abs(designated - Number(amount)) > 0.001)
    throw createRequestError(
      `The designations add up to ${designated}; expected the gift amount, ${amount}.`,
    );
}
