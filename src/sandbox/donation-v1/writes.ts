import { Hono } from 'hono';
import { ACTIVITY_ORIGINS, EVENT_TYPES, GIFT_STATUSES } from '../data/enumerations.ts';
import { giftText } from '../data/gift-text.ts';
import {
  readBody,
  readDigits,
  readObjects,
  readText,
  refusal,
  refuseUnknown,
  type JsonObject,
} from '../lib/request-parsing.ts';
import type { Allocation, Donor, Gift, Unnumbered } from '../data/records.ts';
import { funds } from '../data/seed.ts';
import type { SandboxStore } from '../data/store.ts';
import { TENDER_OF, TENDER_TYPES } from './enumerations.ts';
import { donationRecord, donorRecord } from './records.ts';
import { SKELETONS } from './skeletons.ts';
import type { Webhooks } from '../webhooks/subscriptions.ts';

export interface V1WriteOptions {
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
  readonly now: () => Date;
}

/**
 * Calls that create and edit. Their paths and fields are not shown: these are the sandbox's own,
 * take the skeletons' fields, and say so.
 */
export function v1Writes({ store, webhooks, now }: V1WriteOptions): Hono {
  const app = new Hono();

  app.post('/donors', async (c) => {
    const created = now().toISOString();
    return c.json(
      donorRecord(
        store.addDonor({ ...readDonor(await readBody(c)), created, modified: created }),
        true,
      ),
    );
  });

  app.put('/donors/:id', async (c) => {
    const before = store.donor(readDigits('id', c.req.param('id')));
    if (!before) throw refusal(`There is no donor ${c.req.param('id')}.`, 404);
    const donor: Donor = {
      ...before,
      ...readDonor(await readBody(c)),
      modified: now().toISOString(),
    };
    store.changeDonor(donor);
    return c.json(donorRecord(donor, true));
  });

  app.post('/donations', async (c) => {
    const body = await readBody(c);
    const date = now().toISOString();
    const donor = typeof body.donorId === 'number' ? store.donor(body.donorId) : undefined;
    if (!donor) throw refusal('donorId must be the id of a donor.');
    const gift = readDonation(body, donor.id, date);
    const added = store.addGift(gift, JSON.stringify(body), {
      origin: ACTIVITY_ORIGINS.CRM,
      displayText: giftText(gift, donor),
      date,
    });
    webhooks.tell(EVENT_TYPES.Gift_Added, added);
    return c.json(donationRecord(added, donor, true));
  });

  return app;
}

function readDonor(body: JsonObject): Omit<Unnumbered<Donor>, 'created' | 'modified'> {
  refuseUnknown('field of a donor', Object.keys(body), Object.keys(SKELETONS.donors!));
  const [address] = readObjects(body, 'addresses');
  const text = (name: string): string => readText(body, name);
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    organization: text('organizationName'),
    email: text('email'),
    phone: text('phone'),
    crmKey: text('crmKey'),
    code: text('code'),
    isActive: body.isActive !== false,
    address: address && {
      address1: readText(address, 'address1'),
      city: readText(address, 'city'),
      state: readText(address, 'state'),
      postal: readText(address, 'postal'),
      country: readText(address, 'country'),
    },
  };
}

function readDonation(body: JsonObject, donorId: number, date: string): Unnumbered<Gift> {
  refuseUnknown('field of a donation', Object.keys(body), Object.keys(SKELETONS.donations!));
  const method = (['card', 'bank', 'wallet', 'check'] as const).find(
    (one) => TENDER_OF[one] === body.tenderType,
  );
  if (!method) throw refusal('tenderType must be 1, 2, 5 or 9: those that the sandbox keeps.');
  if (
    body.tenderType === TENDER_TYPES['Credit Card'] &&
    !/^(0[1-9]|1[0-2])\/\d{4}$/.test(readText(body, 'creditCardExpiration'))
  )
    throw refusal('creditCardExpiration is required: MM/YYYY.');
  const allocations = readObjects(body, 'fundAllocations').map((allocation): Allocation => {
    const fund = funds.find(({ code }) => code === allocation.fundCode);
    if (!fund)
      throw refusal(`fundCode must be one of ${funds.map(({ code }) => code).join(', ')}.`);
    return { code: fund.code, name: fund.name, amount: readAmount(allocation) };
  });
  return {
    reference: readText(body, 'transactionId'),
    donorId,
    total: readAmount(body),
    currency: readText(body, 'currency', 'USD'),
    frequency: 'once',
    status: GIFT_STATUSES.Approved,
    method,
    isTest: body.isTest === true,
    isAnonymous: body.IsAnonymous === true,
    isDeleted: false,
    comment: readText(body, 'comment'),
    segment: readText(body, 'code'),
    campaignId: null,
    allocations,
    customFields: readObjects(body, 'CustomDataItems').map((item) => ({
      id: readText(item, 'id'),
      value: readText(item, 'value'),
    })),
    created: date,
    modified: date,
  };
}

function readAmount({ amount }: JsonObject): string {
  if (typeof amount !== 'number' || !(amount > 0 && amount < 1e12))
    throw refusal('amount must be a number above 0, in major units.');
  return amount.toFixed(2);
}
