/**
 * Donors who do not give up: each sends the gift again under its key until it is told how it ended.
 */
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import { newKey } from '../server/support.ts';
import { ORIGIN, addressOf, type SeenForm } from './world.ts';

/** A gift whose end a donor was told. */
export interface Told {
  readonly key: string;
  readonly reference: string;
  readonly status: DonationOutcome['status'];
  /** References that earlier answers under the same key gave: there must be none but the last. */
  readonly others: readonly string[];
}

export interface GivingOptions {
  /** Where the servers are: the donors take turns. */
  readonly addresses: readonly string[];
  readonly seen: SeenForm;
  /** Card tokens; without them, gifts are promised and no processor is asked. */
  readonly tokens?: ((count: number) => Promise<string[]>) | undefined;
  readonly gifts: number;
  /** How many give at the same time. */
  readonly donors: number;
  /** Called after each gift. */
  readonly onTold?: (told: number) => void;
}

/**
 * The guard asks an address for a proof of work from its 31st attempt on: none of the troubles here
 * lasts for so many.
 */
const RETRY_AFTER = 250;

/**
 * @returns what the donors were told.
 * @throws where a gift has not come to an end after a minute and a half.
 */
export async function give({
  addresses,
  seen,
  tokens,
  gifts,
  donors,
  onTold,
}: GivingOptions): Promise<Told[]> {
  const agent = new Agent({ connections: donors, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const told: Told[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: donors }, async (_, donor) => {
      while (begun < gifts) {
        begun += 1;
        const number = begun;
        let end: Told | undefined;
        for (let tries = 0; !end; tries += 1) {
          if (tries === 20) throw new Error(`donation ${number} was refused 20 times`);
          end = await giveOnce(number, addresses[donor % addresses.length]!, {
            agent,
            seen,
            tokens,
          });
        }
        told.push(end);
        onTold?.(told.length);
      }
    }),
  );
  await agent.close();
  return told;
}

/**
 * @returns nothing where nothing was charged, for sure: the donor tries again under another key.
 */
async function giveOnce(
  number: number,
  address: string,
  { agent, seen, tokens }: Pick<GivingOptions, 'seen' | 'tokens'> & { readonly agent: Agent },
): Promise<Told | undefined> {
  const key = newKey();
  const references = new Set<string>();
  const until = Date.now() + 90_000;
  while (Date.now() < until) {
    const [token] = (await tokens?.(1)) ?? [];
    const outcome = await post(agent, address, key, number, gift(number, seen, token));
    if (outcome?.reference !== undefined) references.add(outcome.reference);
    if (outcome?.status === 'failed' && outcome.reason === 'payment-failed') return undefined;
    if (outcome && outcome.status !== 'unconfirmed')
      return {
        key,
        reference: outcome.reference,
        status: outcome.status,
        others: [...references].filter((reference) => reference !== outcome.reference),
      };
    await setTimeout(RETRY_AFTER);
  }
  throw new Error(`donation ${number} has not come to an end`);
}

/** @returns nothing where no outcome came. */
async function post(
  dispatcher: Agent,
  address: string,
  key: string,
  donor: number,
  body: DonationRequest,
): Promise<DonationOutcome | undefined> {
  try {
    const response = await request(`${address}/donations`, {
      dispatcher,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
        Origin: ORIGIN,
        'X-Forwarded-For': addressOf(donor),
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.body.json()) as
      DonationOutcome | { code: string; detail: string };
    if ('code' in answer && response.statusCode < 500)
      throw new RangeError(`the gift was refused: ${answer.code}: ${answer.detail}`);
    return 'reference' in answer ? answer : undefined;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** A gift by a donor of its own. @param token without one, it is promised. */
export function gift(
  number: number,
  { etag, form }: SeenForm,
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
      projects: [{ id: form.projects[0].id, amount: 5_000 }],
    },
    donor: { firstName: 'Ana', lastName: `Souza ${number}`, email: `ana.${number}@example.org` },
    payment:
      token === undefined ? { provider: 'offline' } : { provider: 'sandbox', method: 0, token },
    form: { id: form.id, page: `${ORIGIN}/`, language: 'en' },
  };
}
