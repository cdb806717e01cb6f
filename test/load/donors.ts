/**
 * Persistent donors: each resends the donation under its idempotency key until the outcome is final.
 */
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import { createIdempotencyKey } from '../server/support.ts';
import { ORIGIN, getDonorIp, type FetchedForm } from './world.ts';

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
  /** Creates confirmation tokens. Without it, the donors use an offline payment method. */
  readonly createTokens?: ((count: number) => Promise<string[]>) | undefined;
  /** Number of donations. */
  readonly count: number;
  /** Number of concurrent donors. */
  readonly donors: number;
  /** Called after each completed donation. */
  readonly onCompleted?: (completed: number) => void;
}

/**
 * In milliseconds. No simulated failure lasts for more than the 30 attempts after which the guard
 * requires a proof of work from an IP address.
 */
const RETRY_DELAY = 250;

/**
 * Makes donations.
 * @throws if a donation has no final outcome after 90 seconds.
 */
export async function makeDonations({
  urls,
  form,
  createTokens,
  count,
  donors,
  onCompleted,
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
            createTokens,
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
    createTokens,
  }: Pick<DonorOptions, 'form' | 'createTokens'> & { readonly agent: Agent },
): Promise<CompletedDonation | undefined> {
  const key = createIdempotencyKey();
  const references = new Set<string>();
  const deadline = Date.now() + 90_000;
  while (Date.now() < deadline) {
    const [token] = (await createTokens?.(1)) ?? [];
    const outcome = await postDonation(
      agent,
      url,
      key,
      number,
      createDonationRequest(number, form, token),
    );
    if (outcome?.reference !== undefined) references.add(outcome.reference);
    if (outcome?.status === 'failed' && outcome.reason === 'payment-failed') return undefined;
    if (outcome && outcome.status !== 'unconfirmed')
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

/** @returns undefined if the server did not return an outcome. */
async function postDonation(
  dispatcher: Agent,
  url: string,
  key: string,
  donor: number,
  body: DonationRequest,
): Promise<DonationOutcome | undefined> {
  try {
    const response = await request(`${url}/donations`, {
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

/**
 * Creates the request of one donor.
 * @param token without it, the payment method is offline.
 */
export function createDonationRequest(
  number: number,
  { etag, definition }: FetchedForm,
  token: string | undefined,
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
    payment:
      token === undefined
        ? { provider: 'offline' }
        : { provider: 'stripe', method: 0, token, returnUrl: `${ORIGIN}/` },
    form: { id: definition.id, page: `${ORIGIN}/`, language: 'en' },
  };
}
