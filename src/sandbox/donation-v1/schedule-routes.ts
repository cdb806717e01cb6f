import { type Context, Hono } from 'hono';
import { RECURRING_GIFT_STATUSES } from '../data/enumerations.ts';
import type { Gift } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import {
  assertKnownNames,
  createRequestError,
  type JsonObject,
  parseJsonBody,
  parseNonNegativeInteger,
} from '../lib/request-parsing.ts';
import { fromRecurringFrequency, SCHEDULE_STATUSES, toRecurringFrequency } from './enumerations.ts';
import { createListResponse } from './lists.ts';
import { formatDate } from './records.ts';
import { SKELETONS } from './skeletons.ts';

const { Active, Cancelled, Suspended, Retrying } = RECURRING_GIFT_STATUSES;

/** Schedule statuses, keyed by `RecurringGiftStatus`. A schedule that is retrying is active. */
const STATUS_BY_RECURRING_STATUS: Readonly<Record<number, number>> = {
  [Active]: SCHEDULE_STATUSES.Active,
  [Cancelled]: SCHEDULE_STATUSES.Cancelled,
  [Suspended]: SCHEDULE_STATUSES.Suspended,
  [Retrying]: SCHEDULE_STATUSES.Active,
};

/** A gift that started a recurring schedule, which has the same ID. */
type RecurringGift = Gift & { readonly recurringStatus: number };

/**
 * Creates the routes for recurring schedules: search, edit, delete, and move to another donor. The
 * specification names these operations, but neither their paths nor their fields, so both are
 * specific to the sandbox.
 */
export function createScheduleRoutes({
  store,
  now,
}: {
  readonly store: SandboxStore;
  readonly now: () => Date;
}): Hono {
  const app = new Hono();

  const findSchedule = (c: Context): RecurringGift => {
    const id = parseNonNegativeInteger('id', c.req.param('id'));
    const gift = store.findGift(id);
    if (!gift || !isRecurring(gift))
      throw createRequestError(`Schedule ${id} does not exist.`, 404);
    return gift;
  };
  const saveGift = (gift: Gift): void => {
    store.updateGift({ ...gift, modified: now().toISOString() });
  };

  for (const path of ['/', '/search'])
    app.get(path, (c) => {
      const { status, donorId } = c.req.query();
      const schedules = store
        .listGifts()
        .filter(isRecurring)
        .filter(
          (gift) =>
            (status === undefined || String(toStatus(gift)) === status) &&
            (donorId === undefined || String(gift.donorId) === donorId),
        );
      return createListResponse(c, schedules, {
        toSearchable: (gift) => ({
          created: gift.created,
          modified: gift.modified,
          isActive: toStatus(gift) === SCHEDULE_STATUSES.Active,
          code: gift.segment,
          keys: [gift.reference],
        }),
        toRecord: toScheduleRecord,
        extraParameters: ['status', 'donorId'],
      });
    });

  app.put('/:id', async (c) => {
    const gift = { ...findSchedule(c), ...parseSchedule(await parseJsonBody(c)) };
    saveGift(gift);
    return c.json(toScheduleRecord(gift));
  });

  app.delete('/:id', (c) => {
    const gift = { ...findSchedule(c), recurringStatus: undefined };
    saveGift(gift);
    return c.json({});
  });

  app.put('/:id/donor', async (c) => {
    const gift = findSchedule(c);
    const { donorId } = await parseJsonBody(c);
    if (typeof donorId !== 'number' || !store.findDonorById(donorId))
      throw createRequestError('donorId must be the ID of a donor.');
    saveGift({ ...gift, donorId });
    return c.json(toScheduleRecord({ ...gift, donorId }));
  });

  return app;
}

function isRecurring(gift: Gift): gift is RecurringGift {
  return gift.recurringStatus !== undefined && gift.parent === undefined;
}

const toStatus = ({ recurringStatus }: RecurringGift): number | undefined =>
  STATUS_BY_RECURRING_STATUS[recurringStatus];

function toScheduleRecord(gift: RecurringGift): object {
  return {
    id: gift.id,
    donorId: gift.donorId,
    amountInCents: Math.round(Number(gift.total) * 100),
    currency: gift.currency,
    recurringFrequency: toRecurringFrequency(gift.frequency),
    status: toStatus(gift),
    startDate: formatDate(gift.created),
    fundCode: gift.allocations[0]?.code ?? '',
    dateCreated: formatDate(gift.created),
    lastModified: formatDate(gift.modified),
  };
}

/** Parses the fields that a schedule's edit can change. Missing fields retain their values. */
function parseSchedule(
  body: JsonObject,
): Partial<Pick<RecurringGift, 'total' | 'frequency' | 'recurringStatus'>> {
  assertKnownNames('schedule field', Object.keys(body), Object.keys(SKELETONS.schedules!));
  const { amountInCents: cents, recurringFrequency, status } = body;
  if (cents !== undefined && !(Number.isSafeInteger(cents) && (cents as number) > 0))
    throw createRequestError('amountInCents must be an integer of 1 or more.');
  const frequency = fromRecurringFrequency(recurringFrequency);
  if (recurringFrequency !== undefined && frequency === undefined)
    throw createRequestError('recurringFrequency must be 52, 12, 4, 2, or 1.');
  const recurringStatus = [Active, Cancelled, Suspended].find(
    (candidate) => STATUS_BY_RECURRING_STATUS[candidate] === status,
  );
  if (status !== undefined && recurringStatus === undefined)
    throw createRequestError(
      'status must be 1, 2, or 4. The sandbox does not support other values.',
    );
  return {
    ...(cents !== undefined && { total: ((cents as number) / 100).toFixed(2) }),
    ...(frequency !== undefined && { frequency }),
    ...(recurringStatus !== undefined && { recurringStatus }),
  };
}
