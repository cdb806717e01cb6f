/**
 * Persistent donors: each resends the donation under its idempotency key until the outcome is final.
 */
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { DEFAULT_BUYER } from '../../src/sandbox/paypal/buyers.ts';
import { createIdempotencyKey } from '../server/support.ts';
import { type FetchedForm, getDonorIp, ORIGIN } from './world.ts';

/** A donation with the final outcome that the donor received. */
export interface CompletedDonation {
  readonly key: string;
  readonly reference: string;
  readonly status: DonationOutcome['status'];
  /** Other references that earlier responses for the same key contained; must be empty. */
  readonly otherReferences: readonly string[];
}

export interface DonorOptions {
  /** URLs of the servers, which the donors use in turn. */
  readonly urls: readonly string[];
  readonly form: FetchedForm;
  /**
   * Creates the payment of a donation. Without it, the payments are offline. Payments that redirect
   * the donor are approved at the emulated PayPal.
   */
  readonly createPayment?: () => Promise<DonationRequest['payment']>;
  /** Number of donations. */
  readonly count: number;
  /** Number of concurrent donors. */
  readonly donors: number;
  /**
   * Time after which a donor stops asking for a final outcome, in milliseconds. Without it, the
   * outcome has to become final.
   */
  readonly patience?: number | undefined;
  /** Called after each completed donation. */
  readonly onCompleted?: (completed: number) => void;
  /** Called after each request that did not return an outcome. */
  readonly onNoOutcome?: (() => void) | undefined;
}

/**
 * In milliseconds. No simulated failure lasts for more than the 30 attempts after which the fraud
 * protection requires a proof of work from an IP address.
 */
const RETRY_DELAY = 250;

/**
 * Makes donations.
 * @throws if a donation has no final outcome after 90 seconds.
 */
export async function makeDonations({
  urls,
  form,
  createPayment = createOfflinePayment,
  count,
  donors,
  patience,
  onCompleted,
  onNoOutcome,
}: DonorOptions): Promise<CompletedDonation[]> {
  const agent = new Agent({ connections: donors, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const completed: CompletedDonation[] = [];
  let started = 0;
  await Promise.all(
    Array.from({ length: donors }, async (_, donor) => {
      while (started < count) {
        started += 1;
        const number = started;
        let donation: CompletedDonation | undefined;
        for (let attempts = 0; !donation; attempts += 1) {
          if (attempts === 20) throw new Error(`donation ${number} was declined 20 times`);
          donation = await makeDonation(number, urls[donor % urls.length]!, {
            agent,
            form,
            createPayment,
            patience,
            onNoOutcome,
          });
        }
        completed.push(donation);
        onCompleted?.(completed.length);
      }
    }),
  );
  await agent.close();
  return completed;
}

/**
 * Makes one donation.
 * @returns undefined if the payment failed, so the donor can try again with another key.
 */
async function makeDonation(
  number: number,
  url: string,
  {
    agent,
    form,
    createPayment,
    patience = Infinity,
    onNoOutcome,
  }: {
    readonly agent: Agent;
    readonly form: FetchedForm;
    readonly createPayment: () => Promise<DonationRequest['payment']>;
    readonly patience: number | undefined;
    readonly onNoOutcome: (() => void) | undefined;
  },
): Promise<CompletedDonation | undefined> {
  const key = createIdempotencyKey();
  const references = new Set<string>();
  const start = Date.now();
  const deadline = start + 90_000;
  const post = async (path: string, body: object): Promise<DonationOutcome | undefined> => {
    const outcome = await postToServer(agent, url + path, key, number, body);
    if (!outcome) onNoOutcome?.();
    return outcome;
  };
  while (Date.now() < deadline) {
    const payment = await createPayment();
    let outcome = await post('/donations', createDonationRequest(number, form, payment));
    if (outcome?.action?.kind === 'redirect') {
      await approvePayPalPayment(agent, outcome.action.url);
      outcome = await post('/donations/confirm', {});
    }
    if (outcome?.reference !== undefined) references.add(outcome.reference);
    if (outcome?.status === 'failed' && outcome.reason === 'payment-failed') return undefined;
    const isFinal = outcome?.status !== 'unconfirmed' && outcome?.status !== 'requires_action';
    if (outcome && (isFinal || Date.now() - start > patience))
      return {
        key,
        reference: outcome.reference,
        status: outcome.status,
        otherReferences: [...references].filter((reference) => reference !== outcome.reference),
      };
    await setTimeout(RETRY_DELAY);
  }
  throw new Error(`donation ${number} has no final outcome after 90 seconds`);
}

/** Approves an order as a buyer does on PayPal's page. Does nothing if it was approved before. */
async function approvePayPalPayment(dispatcher: Agent, url: string): Promise<void> {
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      buyer: DEFAULT_BUYER.email,
      funding: 'balance',
      action: 'approve',
    }).toString(),
  });
  await body.dump();
  if (statusCode !== 200) throw new RangeError(`PayPal's page returned ${statusCode}`);
}

/** @returns undefined if the server did not return an outcome. */
async function postToServer(
  dispatcher: Agent,
  url: string,
  key: string,
  donor: number,
  body: object,
): Promise<DonationOutcome | undefined> {
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
        Origin: ORIGIN,
        'X-Forwarded-For': getDonorIp(donor),
      },
      body: JSON.stringify(body),
    });
    const content = (await response.body.json()) as
      DonationOutcome | { code: string; detail: string };
    if ('code' in content && response.statusCode < 500)
      throw new RangeError(`the donation was refused: ${content.code}: ${content.detail}`);
    return 'reference' in content ? content : undefined;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

const createOfflinePayment = (): Promise<DonationRequest['payment']> =>
  Promise.resolve({ provider: 'offline' });

/** Creates the request of one donor. */
export function createDonationRequest(
  number: number,
  { etag, definition }: FetchedForm,
  payment: DonationRequest['payment'],
): DonationRequest {
  return {
    version: 1,
    definition: etag,
    gift: {
      amount: 5_000,
      currency: 'USD',
      frequency: 'once',
      coverCosts: false,
      coveredFees: 0,
      total: 5_000,
      projects: [{ id: definition.projects[0].id, amount: 5_000 }],
    },
    donor: { firstName: 'Ana', lastName: `Souza ${number}`, email: `ana.${number}@example.org` },
    payment,
    form: { id: definition.id, page: `${ORIGIN}/`, language: 'en' },
  };
}
