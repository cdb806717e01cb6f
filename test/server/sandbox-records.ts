import type { Stripe } from 'stripe';
import { type createSandbox, STRIPE_SECRET_KEY } from '../../src/sandbox/index.ts';
import type { DonationRepository } from '../../src/server/donations/donation-repository.ts';

export type Sandbox = ReturnType<typeof createSandbox>;

export const PLATFORM_KEY = 'canary-platform-key';
export const SANDBOX_URL = 'https://sandbox.test';

/** What the sandbox, which emulates the platform and Stripe, has received. */
export interface SandboxRecords {
  /** Calls that reached the sandbox, such as `POST /sandbox/gifts`. */
  readonly calls: string[];
  /** Bodies of the calls that created gifts. */
  readonly sentGifts: string[];
  /** Lists Stripe's successful charges for a donation, without renewals. */
  listCharges(reference: string): Promise<Stripe.Charge[]>;
  listActivities(): Promise<{ displayText: string }[]>;
  /** Gifts on the platform, found by the references that were sent. */
  listGifts(): Promise<
    {
      id: number;
      reference: string;
      status: number;
      parent?: string;
      recurringStatus?: number;
      refunded?: string;
    }[]
  >;
  /** Calls the platform directly, with the keys of its donation API. */
  fetchFromPlatform(path: string): Promise<Response>;
}

/** Creates functions that read what the sandbox recorded. */
export function createSandboxRecords(
  sandbox: Sandbox,
  repository: DonationRepository,
  sentGifts: readonly string[],
): Omit<SandboxRecords, 'calls' | 'sentGifts'> {
  const fetchSandbox = async (path: string, init?: RequestInit): Promise<Response> =>
    sandbox.fetch(new Request(new URL(path, SANDBOX_URL), init));
  return {
    async listCharges(reference) {
      const response = await fetchSandbox('/stripe/v1/charges?limit=100', {
        headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
      });
      const { data } = (await response.json()) as Stripe.ApiList<Stripe.Charge>;
      const donation = await repository.findByReference(reference);
      return data.filter(
        ({ metadata, payment_intent: intent, status }) =>
          (metadata.donation_form_reference === reference || intent === donation?.paymentId) &&
          status === 'succeeded',
      );
    },
    async listActivities() {
      const response = await fetchSandbox('/api/activity/list', {
        method: 'POST',
        headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
        body: JSON.stringify({ skip: 0, take: 1_000 }),
      });
      return ((await response.json()) as { items: { displayText: string }[] }).items;
    },
    async listGifts() {
      const references = new Set(
        sentGifts.map((body) => (JSON.parse(body) as { reference: string }).reference),
      );
      const pages = await Promise.all(
        [...references].map(async (reference) => {
          const response = await fetchSandbox(`/sandbox/gifts?reference=${reference}`, {
            headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
          });
          return (
            (await response.json()) as { items: Awaited<ReturnType<SandboxRecords['listGifts']>> }
          ).items;
        }),
      );
      return pages.flat();
    },
    fetchFromPlatform: (path) =>
      fetchSandbox(path, {
        headers: {
          'Content-Type': 'application/json',
          'X-OrganizationKey': 'organization',
          Authorization: 'Basic read-key',
        },
      }),
  };
}
