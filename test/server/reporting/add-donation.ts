import type { FailureReason } from '../../../src/core/donation/index.ts';
import type { DonationPayload, OutboxEntryKind } from '../../../src/server/database/schema.ts';
import type { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { createReference } from '../../../src/server/donations/reference.ts';

/** A donation to save without a payment provider and a platform. */
export interface AddedDonation {
  readonly organization?: string;
  readonly donor?: DonationPayload['donor'];
  readonly tribute?: DonationPayload['gift']['tribute'];
  readonly language?: DonationPayload['form']['language'];
  readonly total?: number;
  readonly currency?: string;
  readonly frequency?: DonationPayload['gift']['frequency'];
  readonly form?: string;
  readonly method?: 0 | 1 | 4;
  readonly giftAid?: DonationPayload['giftAid'];
  readonly isTest?: boolean;
  readonly outcome?: 'succeeded' | 'failed' | 'promised' | 'settling' | 'needs_review';
  readonly failureReason?: FailureReason;
  /** The platform's ID for the gift. If undefined, the platform does not have it. */
  readonly platformId?: number;
}

/** Saves a donation with the transitions of a real one, and returns its reference. */
export async function addDonation(
  repository: DonationRepository,
  {
    organization = 'lanternwell',
    donor = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org' },
    tribute,
    language = 'en',
    total = 5_000,
    currency = 'USD',
    frequency = 'once',
    form = 'main',
    method = 0,
    giftAid,
    isTest = false,
    outcome = 'succeeded',
    failureReason = 'card-declined',
    platformId,
  }: AddedDonation = {},
): Promise<string> {
  const reference = createReference(Date.now());
  const donation = {
    reference,
    idempotencyKeyHash: `key of ${reference}`,
    fingerprint: reference,
    organization,
    payload: {
      gift: {
        amount: total,
        total,
        currency,
        frequency,
        coverCosts: false,
        coveredFees: 0,
        projects: [{ id: '1', amount: total }],
        ...(tribute && { tribute }),
      },
      donor,
      giftAid,
      form: { id: form, language },
      payment: { provider: outcome === 'promised' ? 'offline' : 'stripe', method },
      organization: 'Lanternwell',
      receiptSender: 'none' as const,
      decimals: 2,
      isTest,
      projects: [{ id: '1', code: 'GENERAL', name: 'Where needed most' }],
    },
  };
  if (outcome === 'promised') await repository.insertPledge(donation);
  else {
    const row = (await repository.insertDonation({ ...donation, dueAt: 0 }))!;
    const payment = {
      paymentId: `pi_${reference}`,
      subscriptionId: frequency === 'once' ? null : `sub_${reference}`,
      paymentMethod: method,
    };
    if (outcome === 'succeeded')
      await repository.applyTrigger(row, { type: 'succeeded' }, { columns: payment });
    else if (outcome === 'settling') {
      const columns = { ...payment, nextRunAt: 0 };
      await repository.applyTrigger(row, { type: 'accepted', awaiting: 'bank' }, { columns });
    } else {
      const failed = await repository.applyTrigger(row, { type: 'failed', reason: failureReason });
      const columns = { ...payment, lastError: 'charged after the donor saw a failure' };
      if (outcome === 'needs_review')
        await repository.applyTrigger(failed, { type: 'contradicted' }, { columns });
    }
  }
  if (platformId !== undefined) await recordOnPlatform(repository, reference, platformId);
  return reference;
}

/** Marks a donation or renewal as recorded on the platform. */
export async function recordOnPlatform(
  { outbox }: DonationRepository,
  reference: string,
  platformId: number,
): Promise<void> {
  await outbox.markDelivered((await outbox.findGiftCreation(reference))!, String(platformId));
}

/** Saves a renewal of a recurring donation. */
export async function addRenewal(
  repository: DonationRepository,
  reference: string,
  { at, amount }: { readonly at: number; readonly amount: number },
): Promise<void> {
  const first = (await repository.findByReference(reference))!;
  await repository.outbox.insertRenewal(first, {
    id: `renewal ${reference} ${at}`,
    paymentId: `pi_${at}_${reference}`,
    payload: { at, amount },
  });
}

/** Saves an event of a donation. */
export async function addEvent(
  repository: DonationRepository,
  reference: string,
  kind: OutboxEntryKind,
  payload: { readonly at: number; readonly amount: number },
): Promise<void> {
  const { organization } = (await repository.findByReference(reference))!;
  await repository.outbox.insertEntries(organization, [
    { id: `${kind} of ${reference}`, reference, kind, payload },
  ]);
}
