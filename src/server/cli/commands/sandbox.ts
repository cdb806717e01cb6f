import { randomBytes } from 'node:crypto';
import { Command } from '@commander-js/extra-typings';
import type { V1Application } from '@donation-form/sandbox';
import { closeOnSignal } from '../close-on-signal.ts';
import { parsePort } from '../options.ts';

const DEFAULT_PORT = 4_102;

const PAYPAL_WEBHOOK_ID = 'SANDBOXWEBHOOK';

const ENVIRONMENT_HELP = `
Keys come from the environment variables SANDBOX_PLATFORM_KEY, SANDBOX_SECRET_KEY,
SANDBOX_ORGANIZATION_KEY, SANDBOX_LICENSE_KEY, SANDBOX_READ_KEY, and
SANDBOX_WEBHOOK_SECRET. The command generates missing keys and prints all keys.

See docs/reference/sandbox.md for the kinds of faults.`;

export const sandboxCommand = new Command('sandbox')
  .summary('run emulated platforms and payment providers')
  .description(
    'Run emulations of fundraising platforms, Stripe, and PayPal for development and tests, with ' +
      'a page that shows their data. Starts with two years of sample donations.',
  )
  .option('--port <number>', 'port to listen on', parsePort, DEFAULT_PORT)
  .option('--database <file>', 'SQLite file that preserves the data across restarts')
  .option('--empty', 'start without donations')
  .option(
    '--fault <fault>',
    'inject a fault, such as slow,ms=2000,times=3,on=platform; can be repeated',
    (fault, faults: string[] | undefined) => [...(faults ?? []), fault],
  )
  .option(
    '--live-clients',
    'also handle requests that public clients send but that the specification omits',
  )
  .option(
    '--smtp-port <number>',
    'port of an SMTP server whose mail the page shows instead of delivering it',
    parsePort,
  )
  .option('--webhook-url <url>', 'URL that the emulated Stripe sends webhooks to')
  .option('--paypal-webhook-url <url>', 'URL that the emulated PayPal sends webhooks to')
  .addHelpText('after', ENVIRONMENT_HELP)
  .action(async (options) => {
    const { port, database, empty, fault: faults = [], webhookUrl, paypalWebhookUrl } = options;
    const [{ createSandbox, parseFault, PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET }, { listen }] =
      await Promise.all([importSandbox(), import('../../http/listen.ts')]);
    const keys = loadKeys();
    const sandbox = createSandbox({
      platformKey: keys.platform,
      v1: { organizationKey: keys.organization, applications: [createApplication(keys)] },
      seed: empty !== true,
      faults: faults.map(parseFault),
      liveClients: options.liveClients === true,
      ...(database !== undefined && { databaseFile: database }),
      stripe: {
        secretKey: keys.secret,
        ...(webhookUrl !== undefined && { webhook: { url: webhookUrl, secret: keys.webhook } }),
      },
      ...(paypalWebhookUrl !== undefined && {
        paypal: { webhook: { id: PAYPAL_WEBHOOK_ID, url: paypalWebhookUrl } },
      }),
    });
    const mail =
      options.smtpPort === undefined
        ? undefined
        : await sandbox.listenForMail({ host: '127.0.0.1', port: options.smtpPort });
    const server = await listen(sandbox.fetch, { host: '127.0.0.1', port }).catch(
      async (error: unknown) => {
        await mail?.close();
        sandbox.close();
        throw error;
      },
    );
    const closed = closeOnSignal({
      close: async () => {
        await Promise.all([server.close(), mail?.close()]);
        sandbox.close();
      },
    });
    const webhookId = paypalWebhookUrl === undefined ? '' : `, webhookId ${PAYPAL_WEBHOOK_ID}`;
    process.stdout.write(
      `${formatKeys(server.url, keys, webhookUrl)}PayPal             apiUrl ${server.url}/paypal, ` +
        `clientId ${PAYPAL_CLIENT_ID}, clientSecret ${PAYPAL_CLIENT_SECRET}${webhookId}\n` +
        (mail ? `SMTP               host 127.0.0.1, port ${mail.port}\n` : ''),
    );
    await closed;
  });

/** @throws {Error} if the package, which is an optional dependency, is not installed. */
async function importSandbox(): Promise<typeof import('@donation-form/sandbox')> {
  try {
    return await import('@donation-form/sandbox');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'The sandbox is not installed. Run npm install donation-form-sandbox, and try again.',
      { cause: error },
    );
  }
}

type Keys = ReturnType<typeof loadKeys>;

/** Returns the keys from the environment variables. Generates random values for missing keys. */
function loadKeys() {
  const getKey = (variable: string, prefix = 'sandbox_'): string => {
    const value = process.env[variable];
    return value === undefined || value === '' ? prefix + randomBytes(18).toString('hex') : value;
  };
  return {
    platform: getKey('SANDBOX_PLATFORM_KEY'),
    secret: getKey('SANDBOX_SECRET_KEY', 'sk_test_'),
    organization: getKey('SANDBOX_ORGANIZATION_KEY'),
    license: getKey('SANDBOX_LICENSE_KEY'),
    read: getKey('SANDBOX_READ_KEY'),
    webhook: getKey('SANDBOX_WEBHOOK_SECRET', 'whsec_'),
  };
}

function createApplication({ license, read }: Keys): V1Application {
  return {
    name: 'sandbox',
    active: true,
    keys: [
      { name: 'write', key: license, access: 'read/write' },
      { name: 'read', key: read, access: 'read-only' },
    ],
  };
}

function formatKeys(url: string, keys: Keys, webhookUrl: string | undefined): string {
  const webhookLine =
    webhookUrl === undefined
      ? ''
      : `webhook secret     ${keys.webhook}   (STRIPE_WEBHOOK_SECRET, signs webhooks to ${webhookUrl})\n`;
  return `sandbox            ${url}
platform key       ${keys.platform}   (FUNDRAISING_API_KEY)
secret key         ${keys.secret}   (STRIPE_SECRET_KEY)
Stripe             apiUrl ${url}/stripe, scriptUrl ${url}/stripe/stripe.js, publicKey pk_test_sandbox
organization key   ${keys.organization}   (v1, X-OrganizationKey)
license key        ${keys.license}   (v1, read/write)
read key           ${keys.read}   (v1, read-only)
${webhookLine}`;
}
