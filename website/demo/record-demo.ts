import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from 'donation-form-sandbox';
import {
  createEndpoint,
  listen,
  loadConfiguration,
  type LoadedConfiguration,
} from 'donation-form-server';
import { pino } from 'pino';
import type { DemoOutcome, DemoRecording } from './recording.ts';

const CONFIGURATION = 'website/demo/donation-form.config.json';
const SANDBOX_URL = 'https://sandbox.example.org';
const PUBLIC_KEY = 'pk_test_sandbox';
const ENVIRONMENT = { PAYMENT_SECRET_KEY: 'sk_test_demo', PAYMENT_WEBHOOK_SECRET: 'whsec_demo' };
const LANGUAGES = ['en', 'de', 'es', 'ar'];
const FREQUENCIES = ['once', 'monthly'];
const PROVIDERS = ['stripe', 'offline'];
/** The code of cards in the protocol between form and server. */
const CARD = 0;

/** Loads the demo's configuration with the sandbox's URL, and with a database in `folder`. */
async function configure(sandbox: string, folder: string): Promise<LoadedConfiguration> {
  const configuration = JSON.stringify(await loadConfiguration(CONFIGURATION));
  return {
    ...(JSON.parse(configuration.replaceAll(SANDBOX_URL, sandbox)) as LoadedConfiguration),
    database: join(folder, 'donations.sqlite'),
  };
}

/**
 * Starts the built server with the sandbox, and records what it sends to the demo form: the form's
 * definition in each language, and the outcome of a donation in each language, at each frequency,
 * and with each payment provider.
 * @throws {Error} if the server rejects a request.
 */
export async function recordDemo(): Promise<DemoRecording> {
  const sandbox = createSandbox({
    platformKey: 'unused',
    stripe: { secretKey: ENVIRONMENT.PAYMENT_SECRET_KEY, publishableKey: PUBLIC_KEY },
  });
  const listener = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-demo-'));
  const endpoint = await createEndpoint({
    configuration: await configure(listener.url, folder),
    environment: ENVIRONMENT,
    log: pino({ level: 'silent' }),
  });

  /** Sends the server a request as from a page that may show the form. */
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Origin', 'https://www.example.org');
    const request = new Request(new URL(path, 'https://give.example.org'), { ...init, headers });
    const response = await endpoint.fetch(request);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  }

  /** Creates the token of a test card, as the card field does. */
  async function createToken(frequency: string): Promise<string> {
    const response = await fetch(`${listener.url}/stripe/v1/confirmation_tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${PUBLIC_KEY}` },
      body: new URLSearchParams({
        'payment_method_data[type]': 'card',
        'payment_method_data[number]': '4242424242424242',
        ...(frequency !== 'once' && { setup_future_usage: 'off_session' }),
      }),
    });
    return ((await response.json()) as { id: string }).id;
  }

  async function donate(
    definition: string,
    [language, frequency, provider]: readonly [string, string, string],
  ): Promise<DemoOutcome> {
    const card = provider === 'stripe' && { method: CARD, token: await createToken(frequency) };
    const response = await send('/donations', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({
        version: 1,
        definition,
        gift: {
          amount: 5000,
          currency: 'USD',
          frequency,
          coverCosts: false,
          coveredFees: 0,
          total: 5000,
          projects: [{ id: '1', amount: 5000 }],
        },
        donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
        payment: { provider, ...card },
        form: { id: 'main', language },
      }),
    });
    return (await response.json()) as DemoOutcome;
  }

  try {
    const definitions: Record<string, object> = {};
    const outcomes: Record<string, DemoOutcome> = {};
    for (const language of LANGUAGES) {
      const response = await send(`/form?language=${language}`);
      const text = (await response.text()).replaceAll(listener.url, SANDBOX_URL);
      definitions[language] = JSON.parse(text) as object;
      for (const frequency of FREQUENCIES)
        for (const provider of PROVIDERS) {
          const kind = [language, frequency, provider] as const;
          outcomes[kind.join(' ')] = await donate(response.headers.get('ETag')!, kind);
        }
    }
    return { definitions, outcomes };
  } finally {
    await endpoint.close();
    await listener.close();
    sandbox.close();
    await rm(folder, { recursive: true });
  }
}
