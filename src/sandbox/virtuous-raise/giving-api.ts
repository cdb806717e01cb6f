import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { ACTIVITY_ORIGINS, EVENT_TYPES, getEnumName, GIFT_STATUSES } from '../data/enumerations.ts';
import type { Gift } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import { findOrInsertDonor } from '../fundraising/donors.ts';
import { sortByGift } from '../fundraising/sort-gifts.ts';
import type { Faults } from '../lib/faults.ts';
import {
  isJsonObject,
  type JsonObject,
  parseBoolean,
  parseJsonBody,
  parseNonNegativeInteger,
  parseString,
} from '../lib/request-parsing.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';

export interface GivingApiOptions {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
  readonly faults: Faults;
  readonly now: () => Date;
}

/** Currency of the emulated account. The documentation describes no currency field for the call. */
const CURRENCY = 'USD';

/**
 * Emulates the Virtuous Raise call that charges a payment method and records the gift, and the call
 * that searches for gifts. A repeated charge call creates a second gift. Based on the public
 * documentation: https://docs.virtuous.org/raise/workflows/process-a-donation
 */
export function createGivingApi({ store, webhooks, faults, now }: GivingApiOptions): Hono {
  const app = new Hono();

  app.post('/Raise/give', async (c) => {
    const body = await parseJsonBody(c);
    const errors = validateRequest(body);
    const problem = { status: 400, instance: '/api/Raise/give' };
    if (Object.keys(errors).length > 0)
      return c.json({ ...problem, title: 'One or more validation errors occurred.', errors }, 400);
    const method = String(body.paymentMethodId);
    if (method.startsWith('declined') || faults.consumeFault('decline'))
      return c.json({ ...problem, title: 'Bad Request', detail: 'Card declined' }, 400);
    const gift = recordGift(store, body, now().toISOString());
    webhooks.notifyWebhooks(EVENT_TYPES.Gift_Added, gift);
    if (method.startsWith('timeout'))
      return c.json({ ...problem, title: 'Bad Request', detail: 'Gateway timeout' }, 400);
    return c.json({
      success: true,
      message: null,
      transactionId: gift.reference,
      amount: Number(gift.total),
      giftId: gift.id,
      projectSplit: [],
    });
  });

  app.get('/Gift/list', (c) => {
    const { Filter = '', Skip = '0', Take = '20', SortBy, Descending } = c.req.query();
    const skip = parseNonNegativeInteger('Skip', Skip);
    const take = parseNonNegativeInteger('Take', Take);
    const text = Filter.toLowerCase();
    const delay = faults.findActiveFault('late-search')?.ms ?? 0;
    const matching = store
      .listGifts()
      .filter((gift) => isVisible(gift, delay, now()) && gift.comment.toLowerCase().includes(text));
    const sorted = sortByGift(matching, (gift) => gift, {
      sortBy: SortBy,
      isDescending: parseBoolean('Descending', Descending) ?? false,
    });
    return c.json({
      items: sorted.slice(skip, skip + take).map(toListedGift),
      total: matching.length,
    });
  });

  return app;
}

/**
 * Returns true if the search already shows a gift. The gift's ID determines which fraction of the
 * maximum delay applies to the gift.
 */
function isVisible({ id, created }: Gift, delay: number, now: Date): boolean {
  return now.getTime() >= Date.parse(created) + (delay * ((id * 37) % 100)) / 99;
}

function validateRequest(body: JsonObject): Record<string, string[]> {
  const { amount, paymentMethodId, paymentMethodType } = body;
  return {
    ...(!(typeof amount === 'number' && amount > 0) && {
      amount: ['The amount field must be greater than zero.'],
    }),
    ...(!(typeof paymentMethodId === 'string' && paymentMethodId !== '') && {
      paymentMethodId: ['The paymentMethodId field is required.'],
    }),
    ...(typeof paymentMethodType !== 'number' && {
      paymentMethodType: ['The paymentMethodType field is required.'],
    }),
  };
}

function recordGift(store: SandboxStore, body: JsonObject, date: string): Gift {
  const total = Number(body.amount).toFixed(2);
  return store.runInTransaction(() => {
    const donor = findOrInsertDonor(store, isJsonObject(body.donor) ? body.donor : {}, date);
    const transactionId = `raise-${randomUUID()}`;
    return store.insertGift(
      {
        reference: transactionId,
        donorId: donor.id,
        total,
        currency: CURRENCY,
        frequency: 'once',
        status: GIFT_STATUSES.Approved,
        method: 'card',
        isTest: false,
        isAnonymous: body.isAnonymous === true,
        isDeleted: false,
        comment: parseString(body, 'comment'),
        segment: '',
        campaignId: null,
        allocations: [],
        customFields: [],
        created: date,
        modified: date,
      },
      JSON.stringify(body),
      {
        origin: ACTIVITY_ORIGINS.Giving,
        displayText: `Virtuous Raise charged ${total} ${CURRENCY} and recorded the gift`,
        date,
      },
    );
  });
}

function toListedGift(gift: Gift): object {
  const { id, reference, total, currency, status, comment, created, isTest } = gift;
  return {
    id,
    amount: Number(total),
    currency,
    date: created,
    createdDate: created,
    status,
    statusText: getEnumName(GIFT_STATUSES, status),
    isTestMode: isTest,
    transactionId: reference,
    comment,
  };
}
