import { majorUnits } from '@donation-form/core/money';
import { LOCK_DURATION } from './outbox-repository.ts';
import { totalOf } from './total.ts';
import type { Decision, EventRow, Donation } from '../database/schema.ts';

/** How long after a call began that it can still arrive at the platform. */
const MAY_STILL_ARRIVE = 30_000;

/** How a decision names the payment of a gift, where it names an event otherwise. */
export const PAYMENT = 'payment';

/** One thing that a person can say of what waits for one, and what it does. */
export interface ReviewOption {
  readonly as: Decision;
  /** The id of the event that it is about, or {@link PAYMENT}. */
  readonly about: string;
  /** What the person says. */
  readonly title: string;
  readonly does: string;
  /** Whether the platform's id of the gift or renewal has to be named. */
  readonly needsPlatformId: boolean;
}

/**
 * What a person can say of a gift and of what happened to it, as they are now; nothing where nobody
 * is needed.
 * @param events all of the gift's, its renewals' too.
 * @param now milliseconds since 1970.
 */
export function reviewOptions(
  gift: Donation,
  events: readonly EventRow[],
  now: number,
): ReviewOption[] {
  return [...ofGift(gift, events, now), ...events.flatMap((event) => ofEvent(event, events, now))];
}

function ofGift(gift: Donation, events: readonly EventRow[], now: number): readonly ReviewOption[] {
  if (gift.state === 'held') return ofPayment(gift, entryOf(gift, events), now);
  return isPromised(gift) ? OF_PROMISE : [];
}

/**
 * Whether a gift's money comes another way than by a processor, and nobody has said that it did.
 */
function isPromised({ state, payment_id: paymentId, reference }: Donation): boolean {
  return state === 'pending' && paymentId === reference;
}

const OF_PROMISE: readonly ReviewOption[] = [
  {
    as: 'charged',
    about: PAYMENT,
    needsPlatformId: false,
    title: 'The money came',
    does: 'The gift counts as charged, and the platform, which knows that it was promised, is told that it was paid.',
  },
  {
    as: 'declined',
    about: PAYMENT,
    needsPlatformId: false,
    title: 'The money will not come',
    does: 'The gift counts as declined, and the platform, which knows that it was promised, is told that it failed.',
  },
];

/** The event that makes a gift known at the platform, where there is one. */
export function entryOf(
  { reference }: Pick<Donation, 'reference'>,
  events: readonly EventRow[],
): EventRow | undefined {
  return events.find((event) => event.reference === reference && event.kind === 'gift');
}

/** Whether an event makes a gift or a renewal known at the platform, and so gets an id there. */
export function isEntry({ kind }: Pick<EventRow, 'kind'>): boolean {
  return kind === 'gift' || kind === 'renewal';
}

/**
 * Gifts are held where the processor charged another sum, or after the donor was told that nothing
 * was.
 */
function ofPayment(gift: Donation, entry: EventRow | undefined, now: number): ReviewOption[] {
  const { total, currency, decimals } = totalOf(gift);
  const sum = `${majorUnits(total, decimals)} ${currency}`;
  const ends =
    gift.subscription_id === null
      ? 'Pay it back at the processor first.'
      : 'Pay it back and end the recurring gift at the processor first.';
  return [
    {
      as: 'charged',
      about: PAYMENT,
      needsPlatformId: false,
      title: 'It was paid: tell the platform',
      does: `The gift counts as charged, and the platform is told of ${sum}, as the donor agreed to it. If the processor took another sum, put that right there first, or enter the gift at the platform yourself.`,
    },
    ...(entry && isBeingSent(entry, now)
      ? []
      : [
          {
            as: 'entered',
            about: PAYMENT,
            needsPlatformId: true,
            title: 'It was paid, and I have entered it at the platform',
            does: 'The gift counts as charged. The platform is not told of it; what happens to it later is told under the id that you give.',
          } as const,
        ]),
    {
      as: 'declined',
      about: PAYMENT,
      needsPlatformId: false,
      title: 'No money is kept',
      does: `The gift counts as declined, and ${entry ? 'the platform, which knows of it, is told that it failed' : 'the platform is told nothing'}. ${ends}`,
    },
  ];
}

function ofEvent(event: EventRow, all: readonly EventRow[], now: number): ReviewOption[] {
  const { id: about, state, dispatched_at: began, attempts, last_error: error } = event;
  const needsPlatformId = isEntry(event);
  const entered: ReviewOption = {
    as: 'entered',
    about,
    needsPlatformId,
    title: 'I have entered it at the platform',
    does: needsPlatformId
      ? 'The platform is not told of it any more; what happens to it later is told under the id that you give.'
      : 'The platform is not told of it any more.',
  };
  switch (state) {
    case 'recorded':
      return [];
    case 'waiting':
      return attempts > 0 && error !== null && !isBeingSent(event, now) && !waitsForGift(event, all)
        ? [entered]
        : [];
    case 'held':
      return [
        {
          as: 'recorded',
          about,
          needsPlatformId: true,
          title: 'It is at the platform',
          does: 'It counts as recorded under the id that you give. Nothing is sent.',
        },
        ...(began !== null && now - began < MAY_STILL_ARRIVE
          ? []
          : [
              {
                as: 'not-recorded',
                about,
                needsPlatformId: false,
                title: 'It is not at the platform: send it',
                does: 'It is sent to the platform once more. If it is there all the same, it will be there twice: look by name, sum and day first.',
              } as const,
            ]),
      ];
    case 'by-hand':
      return [
        entered,
        ...(needsPlatformId
          ? []
          : [
              {
                as: 'send',
                about,
                needsPlatformId: false,
                title: 'Tell the platform by a call',
                does: 'It is sent to the platform, by the call that "recorder.update" of the configuration describes. Without that call it comes back to this list.',
              } as const,
            ]),
      ];
  }
}

/** Whether a change waits only until the platform knows its gift or renewal. */
function waitsForGift(event: EventRow, all: readonly EventRow[]): boolean {
  return (
    !isEntry(event) &&
    !all.some(
      (one) => one.reference === event.reference && isEntry(one) && one.state === 'recorded',
    )
  );
}

function isBeingSent({ dispatched_at: began }: EventRow, now: number): boolean {
  return began !== null && now - began < LOCK_DURATION;
}
