import { setTimeout } from 'node:timers/promises';
import type { Donation, OutboxEntry } from '../../database/schema.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import type { DonationService } from '../../donations/donation-service.ts';
import type { DonationHistory } from '../../donations/review-options.ts';
import type { Organization } from '../../organizations/organization.ts';
import type { AdminContext } from '../admin-context.ts';
import { isPaymentInProgress } from '../read-models/donation-detail.ts';
import { EVENT_KIND_LABELS, getStatusLabel, removeErrorName } from '../read-models/labels.ts';

/** Maximum wait for the outcome of a retry, in milliseconds. */
const MAX_WAIT = 10_000;
const POLL_INTERVAL = 100;

/** Retries a donation's pending steps without waiting, and returns messages for the user. */
export async function retryDonation(
  { donation, events }: DonationHistory,
  { organizations, donationServices, repository }: AdminContext,
): Promise<string[]> {
  const organization = organizations.find(donation.organization);
  const donations = donationServices.find(donation.organization);
  if (!organization || !donations)
    return [
      `Nothing was retried, because organization ${donation.organization} is not in the configuration. ` +
        'Add the organization back and restart the server.',
    ];
  const isInProgress = isPaymentInProgress(donation);
  const synced = isInProgress
    ? await Promise.race([
        donations.syncWithProvider(donation),
        setTimeout(MAX_WAIT, donation, { ref: false }),
      ])
    : donation;
  const pending = events.filter(({ status }) => status === 'pending');
  const hasWork = isInProgress || pending.length > 0;
  return [
    ...(isInProgress ? [describePayment(synced)] : []),
    ...(await sendPendingEvents(pending, donations, organization, repository)),
    ...(hasWork ? [] : [describeIdleDonation(donation, events)]),
  ];
}

function describePayment({ status, awaiting, lastError }: Donation): string {
  const error = lastError === null ? '' : ` (${removeErrorName(lastError)})`;
  return `Checked the payment with the payment provider. Payment status: ${getStatusLabel(status, awaiting)}${error}.`;
}

async function sendPendingEvents(
  pending: readonly OutboxEntry[],
  donations: DonationService,
  { quota }: Organization,
  repository: DonationRepository,
): Promise<string[]> {
  if (pending.length === 0) return [];
  const { backoffUntil } = await quota.getQuotaState();
  if (backoffUntil)
    return [
      'The platform is not responding or has asked the server to back off. ' +
        `The server will send pending updates after ${backoffUntil.toISOString()}.`,
    ];
  await repository.outbox.makePendingEntriesDue(pending.map(({ id }) => id));
  let latest = pending;
  for (
    let elapsed = 0;
    elapsed < MAX_WAIT &&
    latest.some((event, index) => hasNoAttempts(event, pending[index]!)) &&
    !(await quota.getQuotaState()).backoffUntil;
    elapsed += POLL_INTERVAL
  ) {
    donations.wakeWorkers();
    await setTimeout(POLL_INTERVAL, undefined, { ref: false });
    latest = await Promise.all(
      pending.map(async (event) => (await repository.outbox.findById(event.id)) ?? event),
    );
  }
  return latest.map((event, index) => describeEvent(event, hasNoAttempts(event, pending[index]!)));
}

function hasNoAttempts(event: OutboxEntry, before: OutboxEntry): boolean {
  return event.status === 'pending' && event.attempts === before.attempts;
}

function describeEvent(event: OutboxEntry, isStillUntried: boolean): string {
  const error = removeErrorName(event.lastError);
  const subject = `${EVENT_KIND_LABELS[event.kind]} ${event.reference}`;
  if (isStillUntried)
    return `${subject}: not sent yet, because the server sends older updates first.`;
  switch (event.status) {
    case 'delivered':
      return `${subject}: ${error === null ? 'recorded on the platform' : `not sent (${error})`}.`;
    case 'pending':
      return `${subject}: still pending (${error ?? 'no response'}).`;
    case 'needs_review':
    case 'manual':
      return `${subject}: needs review${error === null ? '' : ` (${error})`}.`;
  }
}

function describeIdleDonation({ status }: Donation, events: readonly OutboxEntry[]): string {
  const needsReview =
    status === 'needs_review' ||
    events.some((event) => event.status === 'needs_review' || event.status === 'manual');
  return needsReview
    ? 'Nothing was retried, because this donation requires a decision first.'
    : 'Nothing was retried, because this donation has no pending work.';
}
