import { setTimeout } from 'node:timers/promises';
import type { RegisteredForm } from '../donations/form-registry.ts';
import { NEVER } from '../database/claims.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { DonationHistory } from '../donations/review-repository.ts';
import type { EventRow, Donation } from '../database/schema.ts';
import { errorInWords, kindInWords } from './labels.ts';

/** How long a retry waits for what comes of it, in milliseconds. */
const PATIENCE = 10_000;
const LOOK_EVERY = 100;

/**
 * Tries now what waits of a gift: asks the processor about its payment, and tells the platform.
 * @returns what came of it, in sentences.
 */
export async function retryNow(
  { gift, events }: DonationHistory,
  desk: Pick<RegisteredForm, 'organization' | 'donations'> | undefined,
  repository: DonationRepository,
): Promise<string[]> {
  if (!desk)
    return [
      `The configuration has no organisation ${gift.organization} any more, so nothing of its gifts is tried. Add it again and start the server.`,
    ];
  const isAsked =
    ['charging', 'action', 'pending'].includes(gift.state) && gift.next_run_at < NEVER;
  const paid = isAsked
    ? await Promise.race([desk.donations.sync(gift), setTimeout(PATIENCE, gift, { ref: false })])
    : gift;
  const waiting = events.filter(({ state }) => state === 'waiting');
  return [
    ...(isAsked ? [paymentInWords(paid)] : []),
    ...(await tell(waiting, desk, repository)),
    ...(isAsked || waiting.length > 0 ? [] : [nothingWaits(gift, events)]),
  ];
}

function paymentInWords({ state, last_error }: Donation): string {
  const error = errorInWords(last_error);
  return `The processor was asked: the payment is ${state}${error === null ? '' : ` (${error})`}.`;
}

async function tell(
  waiting: readonly EventRow[],
  { donations, organization: { budget } }: Pick<RegisteredForm, 'organization' | 'donations'>,
  repository: DonationRepository,
): Promise<string[]> {
  if (waiting.length === 0) return [];
  const { silentUntil } = await budget.state();
  if (silentUntil)
    return [
      `The platform does not answer, or asked for silence: it is not called before ${silentUntil.toISOString()}. What waits is told then.`,
    ];
  await repository.outbox.makeDue(waiting.map(({ id }) => id));
  let latest = waiting;
  for (
    let waited = 0;
    waited < PATIENCE &&
    latest.some((event, index) => wasNotTried(event, waiting[index]!)) &&
    !(await budget.state()).silentUntil;
    waited += LOOK_EVERY
  ) {
    donations.start();
    await setTimeout(LOOK_EVERY, undefined, { ref: false });
    latest = await Promise.all(
      waiting.map(async (event) => (await repository.outbox.findById(event.id)) ?? event),
    );
  }
  return latest.map((event, index) => eventInWords(event, wasNotTried(event, waiting[index]!)));
}

function wasNotTried(event: EventRow, before: EventRow): boolean {
  return event.state === 'waiting' && event.attempts === before.attempts;
}

function eventInWords(event: EventRow, isUntried: boolean): string {
  const { state } = event;
  const error = errorInWords(event.last_error);
  const what = `${kindInWords(event)} ${event.reference}`;
  if (isUntried) return `${what}: not tried yet. It is being told, or is told after what is older.`;
  switch (state) {
    case 'recorded':
      return `${what}: the platform knows.`;
    case 'waiting':
      return `${what}: still waiting (${error ?? 'no answer'}).`;
    case 'held':
    case 'by-hand':
      return `${what}: left to a person (${error ?? ''}).`;
  }
}

function nothingWaits({ state }: Donation, events: readonly EventRow[]): string {
  const needsPerson =
    state === 'held' || events.some((event) => event.state === 'held' || event.state === 'by-hand');
  return needsPerson
    ? 'Nothing of it is tried by itself: a person has to decide first.'
    : 'Nothing of it waits.';
}
