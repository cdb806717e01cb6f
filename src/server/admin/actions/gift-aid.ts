import type { z } from 'zod';
import type { Donation } from '../../database/schema.ts';
import { cancelDeclarations } from '../../donations/gift-aid-declarations.ts';
import { formatLocalDay, parsePeriod } from '../../lib/period.ts';
import { createGiftAidClaim } from '../../reporting/gift-aid-claim.ts';
import type { AdminContext } from '../admin-context.ts';
import { ActionError } from './action-error.ts';
import type { donationExportSchema, giftAidCancellationSchema } from './input-schemas.ts';
import { findOnlyOrganization, getTimeZone } from './organizations.ts';

export interface GiftAidCancellation {
  /** First day without Gift Aid, such as `2026-12-01`. */
  readonly from: string;
  /** False if an earlier day can replace it. */
  readonly isEffective: boolean;
  readonly by: string;
}

/** Finds the cancellation of the declaration that the donor made with a donation. */
export async function findGiftAidCancellation(
  { reference, organization, payload }: Donation,
  context: Pick<AdminContext, 'database' | 'organizations' | 'now'>,
): Promise<GiftAidCancellation | undefined> {
  if (!payload.giftAid) return undefined;
  const row = await context.database.db
    .selectFrom('giftAidCancellations')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  const timeZone = getTimeZone(organization, context);
  if (!row) return undefined;
  const { canceledFrom, canceledBy: by } = row;
  const isEffective = canceledFrom <= context.now();
  return { from: formatLocalDay(canceledFrom, timeZone), isEffective, by };
}

/** In milliseconds. A later day is most likely a mistake. */
const MAX_NOTICE = 366 * 86_400_000;

/** @throws {ActionError} if the donation has no declaration, or the day is not in the next year. */
export async function cancelGiftAid(
  donation: Donation,
  { from, by }: z.output<typeof giftAidCancellationSchema>,
  context: AdminContext,
) {
  const timeZone = getTimeZone(donation.organization, context);
  const today = formatLocalDay(context.now(), timeZone);
  const day = from ?? today;
  const { from: canceledFrom } = parsePeriod(day, day, timeZone);
  if (!donation.payload.giftAid)
    throw new ActionError(
      400,
      `The donor of ${donation.reference} has made no Gift Aid declaration with this donation. ` +
        'Specify the donation with the declaration.',
    );
  if (day < today)
    throw new ActionError(
      400,
      `The day ${day} is in the past, and claims may contain its donations. Specify today, ` +
        `${today}, or a later day.`,
    );
  if (canceledFrom > context.now() + MAX_NOTICE)
    throw new ActionError(
      400,
      `The day ${day} is more than a year ahead, and until then, claims would contain the donor's ` +
        `payments. Specify a day within a year, such as today, ${today}.`,
    );
  const canceled = await cancelDeclarations(context.database, donation, {
    canceledFrom,
    canceledBy: by,
    canceledAt: context.now(),
  });
  if (canceled.length > 0) return { from: day, canceled };
  throw new ActionError(
    409,
    `The Gift Aid declaration of ${donation.reference} is already canceled from that day or an ` +
      'earlier one. Only an earlier day can replace it.',
  );
}

/** @throws {ActionError} if the period is not over, because the next one could miss donations. */
export async function claimGiftAid(
  { organization, from, to }: z.output<typeof donationExportSchema>,
  { database, organizations, now }: AdminContext,
) {
  const { id, timeZone } = findOnlyOrganization(organization, organizations);
  const period = parsePeriod(from, to, timeZone);
  const today = formatLocalDay(now(), timeZone);
  if (to >= today)
    throw new ActionError(
      400,
      `--to is ${to}, but that day is not over. Specify a day before today, ${today}.`,
    );
  return createGiftAidClaim(database.db, id, period, timeZone);
}
