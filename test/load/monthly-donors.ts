/** What monthly donors, their banks, and the organization do in a month, drawn at random. */
import type { Stripe } from 'stripe';
import { calculateFeeCover } from '../../src/core/money/fee-cover.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { StripeEmulator } from '../../src/sandbox/stripe/emulator.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';
import { formWithPayments } from '../server/payments/support.ts';
import { readOutcome } from '../server/support.ts';
import type { MonthlyWorld } from './monthly-world.ts';
import { getDonorIp } from './world.ts';

export interface MonthlyDonor {
  readonly reference: string;
  readonly subscription: string;
}

interface Life {
  readonly donor: MonthlyDonor;
  readonly stripe: StripeEmulator;
  readonly random: () => number;
  /** Schedules an action in a number of days. */
  readonly schedule: (days: number, action: () => void) => void;
  readonly count: (name: string) => void;
}

const MAX_ATTEMPTS = 5;
const MINUTE = 60_000;
const { feeCover } = formWithPayments.currencies[0];

/** Makes a donor's first donation, again if a failing call prevents it. */
export async function startDonating(
  world: MonthlyWorld,
  index: number,
  random: () => number,
): Promise<MonthlyDonor> {
  const amount = 500 + Math.floor(random() * 20_000);
  const coveredFees = random() < 0.5 ? calculateFeeCover(amount, feeCover!) : 0;
  const gift = {
    amount,
    frequency: 'monthly' as const,
    coverCosts: coveredFees > 0,
    coveredFees,
    total: amount + coveredFees,
    projects: [{ id: '2', amount }],
  } satisfies Partial<DonationRequest['gift']>;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const reference = await donate(world, index, gift);
    const subscription = findSubscription(world.stripe, reference);
    if (subscription?.status === 'active') return { reference, subscription: subscription.id };
    world.advance(MINUTE);
  }
  throw new Error(`Donor ${index} could not donate in ${MAX_ATTEMPTS} attempts.`);
}

/** @returns the reference. */
async function donate(
  { server, stripe }: MonthlyWorld,
  index: number,
  gift: Partial<DonationRequest['gift']>,
): Promise<string> {
  const request = await server().createRequest({
    gift,
    donor: { email: `donor-${index}@example.org` },
    payment: {
      provider: 'stripe',
      method: 0,
      token: stripe.createConfirmationToken(CARDS.good, { isRecurring: true }),
    },
  });
  const response = await server().postDonation(request, {
    headers: { 'X-Forwarded-For': getDonorIp(index + 1) },
  });
  return (await readOutcome(response)).reference;
}

const findSubscription = (
  { store }: StripeEmulator,
  reference: string,
): Stripe.Subscription | undefined =>
  store.listObjectsByField('subscription', 'metadata.donation_form_reference', reference).at(-1);

/** Actions, with the share of donors that each happens to in a month. */
const ACTIONS = {
  'card failures': { share: 0.04, run: failCard },
  'card changes': { share: 0.03, run: changeCard },
  pauses: { share: 0.02, run: pause },
  cancellations: { share: 0.015, run: cancel },
  'full refunds': { share: 0.01, run: refund },
  'partial refunds': { share: 0.02, run: refundInPart },
  disputes: { share: 0.01, run: dispute },
} as const;

/** Schedules what happens to a donor in the next 28 days. */
export function scheduleMonth(life: Life): void {
  const { donor, stripe, random, schedule, count } = life;
  for (const [name, { share, run }] of Object.entries(ACTIONS))
    if (random() < share)
      schedule(random() * 28, () => {
        if (getStatus(stripe, donor) !== 'active') return;
        count(name);
        run(life);
      });
}

function getStatus({ store }: StripeEmulator, { subscription }: MonthlyDonor): string {
  return store.getObject('subscription', subscription).status;
}

/** Declines the card. Six in ten donors enter another one before Stripe gives up. */
function failCard({ donor, stripe, random, schedule }: Life): void {
  stripe.changeCard(donor.subscription, CARDS.declinedAtRenewal);
  if (random() > 0.6) return;
  schedule(random() * 40, () => {
    if (getStatus(stripe, donor) !== 'canceled') stripe.changeCard(donor.subscription, CARDS.good);
  });
}

function changeCard({ donor, stripe }: Life): void {
  stripe.changeCard(donor.subscription, '5555555555554444');
}

/** Pauses the donation for up to three months. */
function pause({ donor, stripe, random, schedule }: Life): void {
  stripe.setCollectionPaused(donor.subscription, true);
  schedule(random() * 90, () => {
    if (getStatus(stripe, donor) !== 'canceled')
      stripe.setCollectionPaused(donor.subscription, false);
  });
}

function cancel({ donor, stripe, random }: Life): void {
  stripe.cancelSubscription(donor.subscription, { atPeriodEnd: random() < 0.5 });
}

function refund(life: Life): void {
  const charge = pickCharge(life);
  if (charge) life.stripe.createRefund(charge.payment_intent as string);
}

/** Refunds a part, and sometimes another part later. One refund in five fails. */
function refundInPart(life: Life): void {
  const { stripe, random, schedule } = life;
  const charge = pickCharge(life);
  if (!charge) return;
  const intent = charge.payment_intent as string;
  const part = 1 + Math.floor((random() * charge.amount) / 2);
  const { id } = stripe.createRefund(intent, part);
  const next = random();
  if (next < 0.2) schedule(random() * 10, () => stripe.failRefund(id));
  else if (next < 0.5)
    schedule(random() * 10, () => stripe.createRefund(intent, charge.amount - part));
}

/** Opens a dispute, which the organization wins or loses within 60 days. */
function dispute(life: Life): void {
  const { stripe, random, schedule } = life;
  const charge = pickCharge(life);
  if (!charge) return;
  const { id } = stripe.openDispute(charge.payment_intent as string);
  schedule(5 + random() * 55, () => stripe.closeDispute(id, random() < 0.5 ? 'won' : 'lost'));
}

/** Picks one of the donor's last three charges, unless it was refunded or disputed. */
function pickCharge({ donor, stripe, random }: Life): Stripe.Charge | undefined {
  const charges = stripe.listCharges(donor.reference).slice(-3);
  const charge = charges[Math.floor(random() * charges.length)];
  return charge && (charge.amount_refunded > 0 || charge.disputed) ? undefined : charge;
}
