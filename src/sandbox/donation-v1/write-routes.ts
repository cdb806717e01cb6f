import { Hono } from 'hono';
import { ACTIVITY_ORIGINS, EVENT_TYPES, GIFT_STATUSES } from '../data/enumerations.ts';
import { formatGiftActivity } from '../data/gift-text.ts';
import type { Allocation, Donor, Gift, NewRecord } from '../data/records.ts';
import { funds } from '../data/seed.ts';
import type { SandboxStore } from '../data/store.ts';
import {
  assertKnownNames,
  createRequestError,
  type JsonObject,
  parseJsonBody,
  parseNonNegativeInteger,
  parseObjectArray,
  parseString,
} from '../lib/request-parsing.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';
import { TENDER_TYPE_BY_METHOD, TENDER_TYPES } from './enumerations.ts';
import { toDonationRecord, toDonorRecord } from './records.ts';
import { SKELETONS } from './skeletons.ts';

export interface WriteRoutesOptions {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
  readonly now: () => Date;
}

/**
 * Creates the routes that create and edit records. The specification documents neither the paths
 * nor the fields. The paths are specific to the sandbox, and the fields come from the skeletons.
 */
export function createWriteRoutes({ store, webhooks, now }: WriteRoutesOptions): Hono {
  const app = new Hono();

  app.post('/donors', async (c) => {
    const created = now().toISOString();
    return c.json(
      toDonorRecord(
        store.insertDonor({ ...parseDonor(await parseJsonBody(c)), created, modified: created }),
        true,
      ),
    );
  });

  app.put('/donors/:id', async (c) => {
    const existing = store.findDonorById(parseNonNegativeInteger('id', c.req.param('id')));
    if (!existing) throw createRequestError(`Donor ${c.req.param('id')} does not exist.`, 404);
    const donor: Donor = {
      ...existing,
      ...parseDonor(await parseJsonBody(c)),
      modified: now().toISOString(),
    };
    store.replaceDonor(donor);
    return c.json(toDonorRecord(donor, true));
  });

  app.post('/donations', async (c) => {
    const body = await parseJsonBody(c);
    const date = now().toISOString();
    const donor = typeof body.donorId === 'number' ? store.findDonorById(body.donorId) : undefined;
    if (!donor) throw createRequestError('donorId must be the ID of a donor.');
    const gift = parseDonation(body, donor.id, date);
    const inserted = store.insertGift(gift, JSON.stringify(body), {
      origin: ACTIVITY_ORIGINS.CRM,
      displayText: formatGiftActivity(gift, donor),
      date,
    });
    webhooks.notifyWebhooks(EVENT_TYPES.Gift_Added, inserted);
    return c.json(toDonationRecord(inserted, donor, true));
  });

  app.put('/donations/:id/donor', async (c) => {
    const gift = store.findGift(parseNonNegativeInteger('id', c.req.param('id')));
    if (!gift) throw createRequestError(`Donation ${c.req.param('id')} does not exist.`, 404);
    const { donorId } = await parseJsonBody(c);
    const donor = typeof donorId === 'number' ? store.findDonorById(donorId) : undefined;
    if (!donor) throw createRequestError('donorId must be the ID of a donor.');
    const moved = { ...gift, donorId: donor.id, modified: now().toISOString() };
    store.updateGift(moved);
    webhooks.notifyWebhooks(EVENT_TYPES.Gift_Modified, moved);
    return c.json(toDonationRecord(moved, donor, true));
  });

  return app;
}

function parseDonor(body: JsonObject): Omit<NewRecord<Donor>, 'created' | 'modified'> {
  assertKnownNames('donor field', Object.keys(body), Object.keys(SKELETONS.donors!));
  const [address] = parseObjectArray(body, 'addresses');
  const getField = (name: string): string => parseString(body, name);
  return {
    firstName: getField('firstName'),
    lastName: getField('lastName'),
    organization: getField('organizationName'),
    email: getField('email'),
    phone: getField('phone'),
    crmKey: getField('crmKey'),
    code: getField('code'),
    isActive: body.isActive !== false,
    address: address && {
      address1: parseString(address, 'address1'),
      city: parseString(address, 'city'),
      state: parseString(address, 'state'),
      postal: parseString(address, 'postal'),
      country: parseString(address, 'country'),
    },
  };
}

function parseDonation(body: JsonObject, donorId: number, date: string): NewRecord<Gift> {
  assertKnownNames('donation field', Object.keys(body), Object.keys(SKELETONS.donations!));
  const method = (['card', 'bank', 'wallet', 'check'] as const).find(
    (candidate) => TENDER_TYPE_BY_METHOD[candidate] === body.tenderType,
  );
  if (!method)
    throw createRequestError(
      'tenderType must be 1, 2, 5, or 9. The sandbox does not support other values.',
    );
  if (
    body.tenderType === TENDER_TYPES['Credit Card'] &&
    !/^(0[1-9]|1[0-2])\/\d{4}$/.test(parseString(body, 'creditCardExpiration'))
  )
    throw createRequestError('creditCardExpiration is required in the format MM/YYYY.');
  const allocations = parseObjectArray(body, 'fundAllocations').map((allocation): Allocation => {
    const fund = funds.find(({ code }) => code === allocation.fundCode);
    if (!fund)
      throw createRequestError(
        `fundCode must be one of ${funds.map(({ code }) => code).join(', ')}.`,
      );
    return { code: fund.code, name: fund.name, amount: parseAmount(allocation) };
  });
  return {
    reference: parseString(body, 'transactionId'),
    donorId,
    total: parseAmount(body),
    currency: parseString(body, 'currency', 'USD'),
    frequency: 'once',
    status: GIFT_STATUSES.Approved,
    method,
    isTest: body.isTest === true,
    isAnonymous: body.IsAnonymous === true,
    isDeleted: false,
    comment: parseString(body, 'comment'),
    segment: parseString(body, 'code'),
    campaignId: null,
    allocations,
    customFields: parseObjectArray(body, 'CustomDataItems').map((item) => ({
      id: parseString(item, 'id'),
      value: parseString(item, 'value'),
    })),
    created: date,
    modified: date,
  };
}

function parseAmount({ amount }: JsonObject): string {
  if (typeof amount !== 'number' || !(amount > 0 && amount < 1e12))
    throw createRequestError('amount must be a number greater than 0, in major units.');
  return amount.toFixed(2);
}
