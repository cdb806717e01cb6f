import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import { outcome } from '../response-schemas.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { listen, type HttpListener } from '../../src/server/http/listen.ts';
import {
  createConfirmationToken,
  createStripePayment,
  formatCall,
  STRIPE_KEYS,
} from './sandbox-stripe.ts';
import { createIdempotencyKey } from './support.ts';

export const LOG = pino({ level: 'silent' });
export const ORIGIN = 'http://127.0.0.1:4100';
/** Environment variables of the example configuration. */
export const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  ...STRIPE_KEYS,
};

/** A folder with the configuration of an endpoint, and its sandbox on a real socket. */
export interface TestEnvironment extends AsyncDisposable {
  readonly folder: string;
  /** The configuration file. The database is `donations.sqlite` in the same folder. */
  readonly config: string;
  readonly sandbox: HttpListener;
  /** Calls that reached the sandbox, such as `POST /sandbox/gifts`. */
  readonly calls: string[];
  /** Overwrites the configuration. */
  writeConfiguration(change: object): Promise<void>;
  /**
   * Creates a donation request for the default form of an endpoint.
   * @param address URL of the endpoint, without a trailing slash.
   */
  createRequest(address: string, fetchFrom?: typeof fetch): Promise<DonationRequest>;
  donate(
    address: string,
    options?: { readonly fetch?: typeof fetch; readonly key?: string },
  ): Promise<DonationOutcome>;
  /** Lists the references of the platform's gift activities, including duplicates. */
  listRecordedReferences(): Promise<string[]>;
}

/** @param intercept handles requests before the sandbox: it may delay or reject them. */
export async function createTestEnvironment({
  intercept = (request, next) => next(request),
}: {
  readonly intercept?: (
    request: Request,
    next: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
} = {}): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-site-'));
  const config = join(folder, 'donation-form.config.json');
  const fakeServices = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    hourlyLimit: 10_000,
    stripe: { secretKey: KEYS.PAYMENT_SECRET_KEY },
  });
  const calls: string[] = [];
  const sandbox = await listen(
    (request) =>
      intercept(request, async (passed) => {
        calls.push(formatCall(passed));
        return fakeServices.fetch(passed);
      }),
    { host: '127.0.0.1', port: 0 },
  );
  const {
    organizations: [organization],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ platform: object }];
  };
  const writeConfiguration = (change: object): Promise<void> =>
    writeFile(
      config,
      JSON.stringify({
        listen: { host: '127.0.0.1', port: 0 },
        database: 'donations.sqlite',
        organizations: [
          {
            ...organization,
            payments: [createStripePayment(sandbox.url)],
            platform: { ...organization.platform, baseUrl: sandbox.url },
          },
        ],
        ...change,
      }),
    );
  await writeConfiguration({});

  const createRequest: TestEnvironment['createRequest'] = async (address, fetchFrom = fetch) => {
    const shown = await fetchFrom(`${address}/form`);
    const form = (await shown.json()) as FormDefinition;
    const token = await createConfirmationToken(sandbox.url);
    return {
      version: 1,
      definition: shown.headers.get('ETag')!,
      gift: {
        amount: 5_000,
        currency: 'USD',
        frequency: 'once',
        coverCosts: false,
        coveredFees: 0,
        total: 5_000,
        projects: [{ id: form.projects[0].id, amount: 5_000 }],
      },
      donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
      payment: { provider: 'stripe', method: 0, token },
      form: { id: form.id, page: `${ORIGIN}/`, language: 'en' },
    };
  };
  return {
    folder,
    config,
    sandbox,
    calls,
    writeConfiguration,
    createRequest,
    async donate(address, { fetch: fetchFrom = fetch, key = createIdempotencyKey() } = {}) {
      const response = await fetchFrom(`${address}/donations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Origin: ORIGIN },
        body: JSON.stringify(await createRequest(address, fetchFrom)),
      });
      return outcome.parse(await response.json());
    },
    async listRecordedReferences() {
      const response = await fetch(`${sandbox.url}/api/activity/list`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
        body: JSON.stringify({ skip: 0, take: 10_000 }),
      });
      return ((await response.json()) as { items: { displayText: string }[] }).items.map(
        ({ displayText }) => /\((.{11})\)/.exec(displayText)![1]!,
      );
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      fakeServices.close();
      await rm(folder, { recursive: true });
    },
  };
}
