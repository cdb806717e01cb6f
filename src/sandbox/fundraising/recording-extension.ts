import { Hono } from 'hono';
import {
  ACTIVITY_ORIGINS,
  EVENT_TYPES,
  GIFT_STATUSES,
  RECURRING_GIFT_STATUSES,
  nameOf,
  valueOf,
} from '../data/enumerations.ts';
import {
  isObject,
  type JsonObject,
  readBody,
  readDigits,
  readMoment,
  readObjects,
  readText,
  refusal,
  refuseUnknown,
  shown,
} from '../lib/request-parsing.ts';
import type { Allocation, Donor, Gift, Unnumbered } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import type { Webhooks } from '../webhooks/subscriptions.ts';

export interface OwnGiftsOptions {
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
  readonly now: () => Date;
}

/**
 * Calls that record, find and change a gift. The specification shows none: these are the sandbox's
 * own, and say so.
 */
export function ownGifts({ store, webhooks, now }: OwnGiftsOptions): Hono {
  const app = new Hono();

  app.post('/', async (c) => {
    const body = await readBody(c);
    const date = now().toISOString();
    const { summary } = body;
    if (typeof body.reference !== 'string' || typeof summary !== 'string')
      throw refusal('reference and summary must be strings.');
    const gift = store.together(() => {
      const donor = donorFor(store, objectIn(body, 'donor'), date);
      return store.addGift(readGift(body, donor.id, date), JSON.stringify(body), {
        origin: ACTIVITY_ORIGINS.Giving,
        displayText: summary,
        date,
      });
    });
    webhooks.tell(EVENT_TYPES.Gift_Added, gift);
    return c.json({ id: gift.id });
  });

  const found = (under: string): object[] =>
    store.giftsUnder(under).map(({ id, reference }) => {
      const {
        status = GIFT_STATUSES.Approved,
        parent,
        recurringStatus,
        refunded,
      } = store.gift(id) ?? {};
      return { id, reference, status, parent, recurringStatus, refunded };
    });
  const view = ({
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
    if (from === undefined || to === undefined) return c.json({ items: found(reference ?? '') });
    return c.json({
      items: store
        .giftsBetween(
          readMoment('from', from),
          readMoment('to', to),
          readDigits('skip', skip),
          readDigits('take', take),
        )
        .map(view),
    });
  });

  app.patch('/:id', async (c) => {
    const before = store.gift(readDigits('id', c.req.param('id')));
    if (!before) throw refusal(`There is no gift ${c.req.param('id')}.`, 404);
    const body = await readBody(c);
    const date = now().toISOString();
    refuseUnknown('field that can be changed', Object.keys(body), [
      'status',
      'comment',
      'recurringStatus',
      'refunded',
    ]);
    const status = body.status === undefined ? before.status : valueOf(GIFT_STATUSES, body.status);
    if (status === undefined)
      throw refusal(
        `status is ${shown(body.status)}; expected one of ${Object.entries(GIFT_STATUSES)
          .map(([name, value]) => `${value} (${name})`)
          .join(', ')}.`,
      );
    const recurringStatus = readRecurringStatus(body) ?? before.recurringStatus;
    const refunded = body.refunded === undefined ? before.refunded : readAmount(body, 'refunded');
    const gift: Gift = {
      ...before,
      status,
      comment: readText(body, 'comment', before.comment),
      ...(recurringStatus !== undefined && { recurringStatus }),
      ...(refunded !== undefined && { refunded }),
      modified: date,
    };
    store.changeGift(gift, {
      origin: ACTIVITY_ORIGINS.Team,
      displayText: `Gift ${gift.reference} was changed: ${nameOf(GIFT_STATUSES, status)}`,
      date,
    });
    webhooks.tell(EVENT_TYPES.Gift_Modified, gift);
    return c.json({ id: gift.id, reference: gift.reference, status: gift.status });
  });

  return app;
}

/** The donor with this e-mail address, or a new one. */
function donorFor(store: SandboxStore, fields: JsonObject, date: string): Donor {
  return store.donorOf(readText(fields, 'email')) ?? store.addDonor(readDonor(fields, date));
}

function readDonor(fields: JsonObject, date: string): Unnumbered<Donor> {
  const [
    firstName = '',
    lastName = '',
    organization = '',
    email = '',
    phone = '',
    address1 = '',
    city = '',
    state = '',
    postal = '',
    country = '',
  ] = [
    'firstName',
    'lastName',
    'organization',
    'email',
    'phone',
    'address1',
    'city',
    'state',
    'postal',
    'country',
  ].map((name) => readText(fields, name));
  return {
    firstName,
    lastName,
    organization,
    email,
    phone,
    crmKey: '',
    code: '',
    isActive: true,
    created: date,
    modified: date,
    ...([address1, city, state, postal, country].some(Boolean) && {
      address: { address1, city, state, postal, country },
    }),
  };
}

/** What the sandbox keeps of a recorded gift; a field that is missing takes its plainest value. */
function readGift(body: JsonObject, donorId: number, date: string): Unnumbered<Gift> {
  const gift = objectIn(body, 'gift');
  const tribute = objectIn(gift, 'tribute');
  return {
    reference: readText(body, 'reference'),
    donorId,
    total: readAmount(body, 'total'),
    currency: readText(gift, 'currency', 'USD'),
    frequency: readText(gift, 'frequency', 'once'),
    status: valueOf(GIFT_STATUSES, body.giftStatus) ?? GIFT_STATUSES.Approved,
    method: METHODS.get(body.paymentMethod) ?? 'check',
    isTest: body.isTest === true,
    isAnonymous: gift.anonymous === true,
    isDeleted: false,
    comment: readText(gift, 'comment'),
    segment: readText(gift, 'segment'),
    campaignId: null,
    allocations: readObjects(body, 'projects').map((project): Allocation => ({
      code: readText(project, 'code'),
      name: readText(project, 'name'),
      amount: readAmount(project, 'amount'),
    })),
    customFields: readObjects(body, 'customFields').map((field) => ({
      id: readText(field, 'id'),
      value: readText(field, 'value'),
    })),
    ...(gift.tribute !== undefined && {
      tribute: `In ${tribute.kind === 'memory' ? 'memory' : 'honour'} of ${readText(tribute, 'name')}`,
    }),
    agreements: readObjects(body, 'consents')
      .filter(({ given }) => given === true)
      .map((consent) => readText(consent, 'id')),
    ...(body.parent !== undefined && { parent: readText(body, 'parent') }),
    ...(body.recurringGiftStatus !== undefined && {
      recurringStatus: readRecurringStatus({ recurringStatus: body.recurringGiftStatus }),
    }),
    created: date,
    modified: date,
  };
}

/** Of a gift that renews: RecurringGiftStatus. */
function readRecurringStatus({ recurringStatus }: JsonObject): number | undefined {
  if (recurringStatus === undefined) return undefined;
  const status = valueOf(RECURRING_GIFT_STATUSES, recurringStatus);
  if (status === undefined)
    throw refusal(
      `recurringStatus is ${shown(recurringStatus)}; expected one of ${Object.entries(
        RECURRING_GIFT_STATUSES,
      )
        .map(([name, value]) => `${value} (${name})`)
        .join(', ')}.`,
    );
  return status;
}

/** PaymentMethodType: 0 Credit Card, 1 ACH, 4 a digital wallet. */
const METHODS: ReadonlyMap<unknown, Gift['method']> = new Map([
  [0, 'card'],
  [1, 'bank'],
  [4, 'wallet'],
]);

function readAmount(fields: JsonObject, name: string): string {
  const amount = readText(fields, name, '0');
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(amount))
    throw refusal(`${name} is '${amount}'; expected an amount in major units such as '51.81'.`);
  return amount;
}

function objectIn(fields: JsonObject, name: string): JsonObject {
  const value = fields[name] ?? {};
  if (!isObject(value)) throw refusal(`${name} must be an object.`);
  return value;
}
