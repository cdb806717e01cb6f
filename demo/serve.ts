/**
 * Serves the demo: a nonprofit's page, the donation endpoint and the sandbox, each on an origin of its own, all on this machine.
 * Each takes its usual port or the next free one. What is given is kept in `.data/`, or in the folder that is named.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandbox } from 'donation-form/sandbox';
import { listen, loadConfiguration, serve, type Configuration, type Listening } from 'donation-form/server';
import { pino } from 'pino';
import { demoPage } from './page.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PAGE = 4100, SANDBOX = 4102;

/** Tries a port and the ones after it. */
async function onFreePort(first: number, open: (port: number) => Promise<Listening>): Promise<Listening> {
  for (let port = first; ; port += 10) {
    try {
      return await open(port);
    } catch (error) {
      if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE' || port > first + 100) throw error;
    }
  }
}

/** The demo's configuration, with the origins that it has in this run. */
function withOrigins({ organizations: [organization, ...others], ...rest }: Configuration, page: string, sandbox: string): Configuration {
  return {
    ...rest,
    organizations: [{
      ...organization,
      origins: [page],
      payment: { ...organization.payment, baseUrl: `${sandbox}/processor` },
      recorder: { ...organization.recorder, baseUrl: sandbox },
    }, ...others],
  };
}

const platformKey = `sandbox_${randomBytes(18).toString('base64url')}`, secretKey = `sandbox_${randomBytes(18).toString('base64url')}`;
const host = '127.0.0.1';
const data = process.argv[2] ?? here('../.data');
await mkdir(data, { recursive: true });

const sandbox = createSandbox({ platformKey, secretKey, seed: true, file: join(data, 'sandbox.sqlite') });
const sandboxAt = await onFreePort(SANDBOX, (port) => listen(sandbox.fetch, { host, port }));
const page = demoPage({ folder: here('site'), sandbox: sandboxAt.address });
const pageAt = await onFreePort(PAGE, (port) => listen(page.fetch, { host, port }));
const configuration = withOrigins(await loadConfiguration(here('donation-form.config.json')), pageAt.address, sandboxAt.address);
const endpointAt = await onFreePort(configuration.listen.port, (port) => serve({
  configuration: { ...configuration, listen: { host, port }, operator: { host, port: port + 2 }, store: join(data, 'donations.sqlite') },
  environment: { FUNDRAISING_API_KEY: platformKey, PAYMENT_SECRET_KEY: secretKey },
  log: pino({ level: process.env.LOG_LEVEL ?? 'warn' }),
}));
page.setEndpoint(endpointAt.address);

console.log(`
  Demo page          ${pageAt.address}
  From a campaign    ${pageAt.address}/?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER
  Donation endpoint  ${endpointAt.address}
  Campaign links     ${endpointAt.address}/links
  Sandbox platform   ${sandboxAt.address}   (key ${platformKey})

  Pay with the test card 4242 4242 4242 4242; 4000 0000 0000 0002 is declined. Ctrl-C ends.
`);

await new Promise((resolve) => { process.once('SIGINT', resolve).once('SIGTERM', resolve); });
await Promise.all([pageAt.close(), endpointAt.close()]);
await sandboxAt.close();
sandbox.close();
