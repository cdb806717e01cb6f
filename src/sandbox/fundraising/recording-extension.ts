import { Hono } from 'hono';
import {
  ACTIVITY_ORIGINS,
  EVENT_TYPES,
  formatEnumValues,
  getEnumName,
  GIFT_STATUSES,
  parseEnumValue,
  RECURRING_GIFT_STATUSES,
} from '../data/enumerations.ts';
import type { Allocation, Gift, NewRecord } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import {
  assertKnownNames,
  createRequestError,
  formatForMessage,
  isJsonObject,
  type JsonObject,
  parseJsonBody,
  parseNonNegativeInteger,
  parseObjectArray,
  parseString,
  parseTimestamp,
} from '../lib/request-parsing.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';
import { findOrInsertDonor } from './donors.ts';

export interface RecordingExtensionOptions {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
  readonly now: () => Date;
}

/**
 * Creates the routes that record, find, list, and update gifts. The specification documents no such
 * routes, so all of them are specific to the sandbox.
 */
export function createRecordingExtension({
  store,
  webhooks,
  now,
}: RecordingExtensionOptions): Hono {
  const app = new Hono();

  app.post('/', async (c) => {
    const body = await parseJsonBody(c);
    const date = now().toISOString();
    const { summary } = body;
    if (typeof body.reference !== 'string' || typeof summary !== 'string')
      throw createRequestError('reference and summary must be strings.');
    const gift = store.runInTransaction(() => {
      const donor = findOrInsertDonor(store, parseObject(body, 'donor'), date);
      return store.insertGift(parseGift(body, donor.id, date), JSON.stringify(body), {
        origin: ACTIVITY_ORIGINS.Giving,
        displayText: summary,
        date,
      });
    });
    webhooks.notifyWebhooks(EVENT_TYPES.Gift_Added, gift);
    return c.json({ id: gift.id });
  });

  const findByReference = (reference: string): object[] =>
    store.listGiftIdsByReference(reference).map((id) => {
      const {
        status = GIFT_STATUSES.Approved,
        parent,
        recurringStatus,
        refunded,
      } = store.findGift(id) ?? {};
      return { id, reference, status, parent, recurringStatus, refunded };
    });
  const toListedGift = ({
    id,
    reference,
    total,
    currency,
    status,
    parent,
    recurringStatus,
    refunded,
    created,
  }: Gift): object => ({
    id,
    reference,
    total,
    currency,
    status,
    parent,
    recurringStatus,
    refunded,
    created,
  });

  app.get('/', (c) => {
    const { from, to, skip = '0', take = '100', reference } = c.req.query();
    if (from === undefined || to === undefined)
      return c.json({ items: findByReference(reference ?? '') });
    return c.json({
      items: store
        .listGiftsBetween(
          parseTimestamp('from', from),
          parseTimestamp('to', to),
          parseNonNegativeInteger('skip', skip),
          parseNonNegativeInteger('take', take),
        )
        .map(toListedGift),
    });
  });

  app.patch('/:id', async (c) => {
    const existing = store.findGift(parseNonNegativeInteger('id', c.req.param('id')));
    if (!existing) throw createRequestError(`Gift ${c.req.param('id')} does not exist.`, 404);
    const body = await parseJsonBody(c);
    const date = now().toISOString();
    assertKnownNames('field', Object.keys(body), [
      'status',
      'comment',
      'recurringStatus',
      'refunded',
    ]);
    const status =
      body.status === undefined ? existing.status : parseEnumValue(GIFT_STATUSES, body.status);
    if (status === undefined)
      throw createRequestError(
        `status is ${formatForMessage(body.status)}; expected one of ${formatEnumValues(GIFT_STATUSES)}.`,
      );
    const recurringStatus = parseRecurringStatus(body) ?? existing.recurringStatus;
    const refunded =
      body.refunded === undefined ? existing.refunded : parseAmount(body, 'refunded');
    const gift: Gift = {
      ...existing,
      status,
      comment: parseString(body, 'comment', existing.comment),
      ...(recurringStatus !== undefined && { recurringStatus }),
      ...(refunded !== undefined && { refunded }),
      modified: date,
    };
    store.updateGift(gift, {
      origin: ACTIVITY_ORIGINS.Team,
      displayText: `Gift ${gift.reference} was updated: ${getEnumName(GIFT_STATUSES, status)}`,
      date,
    });
    webhooks.notifyWebhooks(EVENT_TYPES.Gift_Modified, gift);
    return c.json({ id: gift.id, reference: gift.reference, status: gift.status });
  });

  return app;
}

/** Parses a gift. Uses default values for missing fields. */
function parseGift(body: JsonObject, donorId: number, date: string): NewRecord<Gift> {
  const gift = parseObject(body, 'gift');
  const tribute = parseObject(gift, 'tribute');
  return {
    reference: parseString(body, 'reference'),
    donorId,
    total: parseAmount(body, 'total'),
    currency: parseString(gift, 'currency', 'USD'),
    frequency: parseString(gift, 'frequency', 'once'),
    status: parseEnumValue(GIFT_STATUSES, body.giftStatus) ?? GIFT_STATUSES.Approved,
    method: METHODS.get(body.paymentMethod) ?? 'check',
    isTest: body.isTest === true,
    isAnonymous: gift.anonymous === true,
    isDeleted: false,
    comment: parseString(gift, 'comment'),
    segment: parseString(gift, 'segment'),
    campaignId: null,
    allocations: parseObjectArray(body, 'projects').map((project): Allocation => ({
      code: parseString(project, 'code'),
      name: parseString(project, 'name'),
      amount: parseAmount(project, 'amount'),
    })),
    customFields: parseObjectArray(body, 'customFields').map((field) => ({
      id: parseString(field, 'id'),
      value: parseString(field, 'value'),
    })),
    ...(gift.tribute !== undefined && {
      tribute: `In ${tribute.kind === 'memory' ? 'memory' : 'honor'} of ${parseString(tribute, 'name')}`,
    }),
    agreements: parseObjectArray(body, 'consents')
      .filter(({ given }) => given === true)
      .map((consent) => parseString(consent, 'id')),
    ...(body.parent !== undefined && { parent: parseString(body, 'parent') }),
    ...(body.recurringGiftStatus !== undefined && {
      recurringStatus: parseRecurringStatus({ recurringStatus: body.recurringGiftStatus }),
    }),
    created: date,
    modified: date,
  };
}

/** Parses the name or number of a RecurringGiftStatus. */
function parseRecurringStatus({ recurringStatus }: JsonObject): number | undefined {
  if (recurringStatus === undefined) return undefined;
  const status = parseEnumValue(RECURRING_GIFT_STATUSES, recurringStatus);
  if (status === undefined)
    throw createRequestError(
      `recurringStatus is ${formatForMessage(recurringStatus)}; expected one of ` +
        `${formatEnumValues(RECURRING_GIFT_STATUSES)}.`,
    );
  return status;
}

/**
 * The sandbox's payment methods, keyed by the platform's `PaymentMethodType`: 0 is a credit card, 1
 * is ACH, and 4 is a digital wallet.
 */
const METHODS: ReadonlyMap<unknown, Gift['method']> = new Map([
  [0, 'card'],
  [1, 'bank'],
  [4, 'wallet'],
]);

function parseAmount(fields: JsonObject, name: string): string {
  const amount = parseString(fields, name, '0');
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(amount))
    throw createRequestError(
      `${name} is '${amount}'; expected an amount in major units, such as '51.81'.`,
    );
  return amount;
}

function parseObject(fields: JsonObject, name: string): JsonObject {
  const value = fields[name] ?? {};
  if (!isJsonObject(value)) throw createRequestError(`${name} must be an object.`);
  return value;
}
