/**
 * Serves the demo: a nonprofit's page, the donation endpoint and the sandbox, each on an origin of
 * its own, all on this machine.
 * Each takes its usual port or the next free one. What is given is kept in `.data/`, or in the
 * folder that is named.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandbox } from 'donation-form-server/sandbox';
import { listen, loadConfiguration, serve, type Configuration } from 'donation-form-server';
import { pino } from 'pino';
import { demoPage } from './page.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const host = '127.0.0.1';
const PAGE = 4100;
const SANDBOX = 4102;

/** The first port that is free, of a usual one and those after it. */
async function freePort(first: number): Promise<number> {
  for (let port = first; ; port += 10) {
    try {
      await (await listen(() => new Response(), { host, port })).close();
      return port;
    } catch (error) {
      if (
        ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE' ||
        port > first + 100
      )
        throw error;
    }
  }
}

/** The demo's configuration, with the origins that it has in this run. */
function withOrigins(
  { organizations: [organization, ...others], ...rest }: Configuration,
  page: string,
  sandbox: string,
): Configuration {
  return {
    ...rest,
    organizations: [
      {
        ...organization,
        origins: [page],
        payments: organization.payments.map((payment) =>
          payment.provider === 'sandbox'
            ? { ...payment, baseUrl: `${sandbox}/processor` }
            : payment,
        ) as typeof organization.payments,
        recorder:
          organization.recorder.kind === 'export'
            ? organization.recorder
            : { ...organization.recorder, baseUrl: sandbox },
      },
      ...others,
    ],
  };
}

const newKey = (): string => `sandbox_${randomBytes(18).toString('base64url')}`;
const platformKey = newKey();
const secretKey = newKey();
const webhookSecret = newKey();
const operatorKey = newKey();
const data = process.argv[2] ?? here('../.data');
if (data.startsWith('-')) {
  console.error(
    `npm start takes the name of a folder to keep the demo's data in, and nothing else; found '${data}'. Without one it is .data in this project.`,
  );
  process.exit(1);
}
await mkdir(data, { recursive: true });

const given = await loadConfiguration(here('donation-form.config.json'));
const port = await freePort(given.listen.port);
const endpoint = `http://${host}:${port}`;
const sandbox = createSandbox({
  platformKey,
  secretKey,
  seed: true,
  file: join(data, 'sandbox.sqlite'),
  processorWebhook: {
    url: `${endpoint}/webhooks/sandbox/${given.organizations[0].id}`,
    secret: webhookSecret,
  },
});
const sandboxAt = await listen(sandbox.fetch, { host, port: await freePort(SANDBOX) });
const page = demoPage({ folder: here('site'), sandbox: sandboxAt.address });
const pageAt = await listen(page.fetch, { host, port: await freePort(PAGE) });
const endpointAt = await serve({
  configuration: {
    ...withOrigins(given, pageAt.address, sandboxAt.address),
    listen: { ...given.listen, host, port },
    operator: { host, port: port + 2, key: { env: 'OPERATOR_KEY' } },
    store: join(data, 'donations.sqlite'),
  },
  environment: {
    FUNDRAISING_API_KEY: platformKey,
    PAYMENT_SECRET_KEY: secretKey,
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
    OPERATOR_KEY: operatorKey,
  },
  log: pino({ level: process.env.LOG_LEVEL ?? 'warn' }),
});
page.setEndpoint(endpointAt.address);

console.log(`
  Demo page          ${pageAt.address}
  From a campaign    ${pageAt.address}/?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER
  Donation endpoint  ${endpointAt.address}
  Campaign links     ${endpointAt.address}/links
  Sandbox platform   ${sandboxAt.address}   (key ${platformKey})
  Operator's page    http://${host}:${port + 2}   (key ${operatorKey})

  Pay with the test card 4242 4242 4242 4242; 4000 0000 0000 0002 is declined, 4000 0027 6000 3184 asks once more. Ctrl-C ends.
`);

await new Promise((resolve) => {
  process.once('SIGINT', resolve).once('SIGTERM', resolve);
});
await Promise.all([pageAt.close(), endpointAt.close()]);
await sandboxAt.close();
sandbox.close();
