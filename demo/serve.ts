/**
 * Serves the demo on this machine: a nonprofit's website, the donation server, and the sandbox,
 * each on its own origin. Each uses its default port, or the next free one.
 *
 * Usage: node demo/serve.ts [FOLDER] [--origin ORIGIN]
 *
 * FOLDER stores the data; the default is `.data/`. Development servers on their usual ports may show
 * the form as well. ORIGIN is that of another page, such as `http://localhost:9000`; several are
 * possible.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSandbox } from 'donation-form-sandbox';
import {
  type Configuration,
  ConfigurationError,
  listen,
  loadConfiguration,
  serve,
} from 'donation-form-server';
import { pino } from 'pino';
import { openSqlite } from '../src/server/database/sqlite-database.ts';
import { createDemoSite } from './demo-site.ts';
import { addStaff } from './sign-in.ts';
import { STAFF } from './staff.ts';

const HOST = '127.0.0.1';
const SITE_PORT = 4100;
const SANDBOX_PORT = 4102;
const SMTP_PORT = 4104;
const SITE_FOLDER = resolvePath('site');
/** The ports of Next.js, Vite's preview, Angular, Vite, Python's `http.server`, and webpack. */
const DEVELOPMENT_ORIGINS = [3000, 4173, 4200, 5173, 8000, 8080].flatMap((port) => [
  `http://localhost:${port}`,
  `http://127.0.0.1:${port}`,
]);
const CAMPAIGN_QUERY =
  '?amount=75&frequency=monthly&firstname=Ana&segmentcode=MAIL26&projectcodepreselect=WATER';

function resolvePath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Finds a free port: the first one, or one of the next ten in steps of ten. */
async function findFreePort(first: number): Promise<number> {
  for (let port = first; ; port += 10) {
    try {
      await (await listen(() => new Response(), { host: HOST, port })).close();
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

/** Returns the environment variables that an edited configuration refers to. */
function readConfiguredVariables(configuration: Configuration): Record<string, string | undefined> {
  const names = JSON.stringify(configuration).matchAll(/"env":"(\w+)"/g);
  return Object.fromEntries([...names].map(([, name = '']) => [name, process.env[name]]));
}

/** Claims nothing about taxes, because the organization is fictional. */
const RECEIPTS = {
  template: 'neutral',
  issuer: { name: 'Lanternwell', address: ['A fictional organization'] },
  series: 'WEB',
  pdf: false,
} satisfies Configuration['organizations'][0]['receipts'];

/**
 * Adapts the demo's configuration to this run: it has other origins, and mail and receipts, which the
 * file leaves to the platform.
 */
function adaptConfiguration(
  { organizations: [organization, ...others], ...rest }: Configuration,
  {
    origins,
    sandbox,
    smtpPort,
  }: {
    readonly origins: readonly [string, ...string[]];
    readonly sandbox: string;
    readonly smtpPort: number;
  },
): Configuration {
  return {
    ...rest,
    organizations: [
      {
        ...organization,
        origins: [...origins],
        mail: organization.mail ?? { host: HOST, port: smtpPort, from: organization.contact },
        ...(organization.receiptSender === 'platform' && {
          receiptSender: 'us' as const,
          receipts: RECEIPTS,
        }),
        payments: organization.payments.map((payment) =>
          payment.provider === 'stripe'
            ? {
                ...payment,
                apiUrl: `${sandbox}/stripe`,
                scriptUrl: `${sandbox}/stripe/stripe.js`,
              }
            : payment,
        ) as typeof organization.payments,
        platform:
          organization.platform.adapter === 'none'
            ? organization.platform
            : { ...organization.platform, baseUrl: sandbox },
      },
      ...others,
    ],
  };
}

function createKey(prefix = 'sandbox_'): string {
  return prefix + randomBytes(18).toString('hex');
}

const USAGE =
  'Usage: npm start -- [FOLDER] [--origin ORIGIN]. FOLDER stores the demo’s data. ORIGIN is the ' +
  'origin of your own page, such as http://localhost:9000.';

function parseArguments(): { readonly folder: string; readonly ownOrigins: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { origin: { type: 'string', multiple: true, default: [] } },
    });
    for (const origin of values.origin)
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new Error(`'${origin}' is not an origin.`);
    return { folder: positionals[0] ?? resolvePath('../.data'), ownOrigins: values.origin };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/(?<=\.) /);
    console.error(`${sentence!.replace(/\.?$/, '.')} ${USAGE}`);
    process.exit(1);
  }
}

/** Prints an error that an edited configuration or a second demo causes, and exits. */
function exitOnConfigurationError(error: unknown): never {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exit(1);
}

const { folder, ownOrigins } = parseArguments();
await mkdir(folder, { recursive: true });

const platformKey = createKey();
const secretKey = createKey('sk_test_');
const webhookSecret = createKey('whsec_');

const configuration = await loadConfiguration(resolvePath('donation-form.config.json')).catch(
  exitOnConfigurationError,
);
const port = await findFreePort(configuration.listen.port);
const endpointUrl = `http://${HOST}:${port}`;
const sandbox = createSandbox({
  platformKey,
  seed: true,
  databaseFile: join(folder, 'sandbox.sqlite'),
  stripe: {
    secretKey,
    webhook: {
      url: `${endpointUrl}/webhooks/stripe/${configuration.organizations[0].id}`,
      secret: webhookSecret,
    },
  },
});
const sandboxListener = await listen(sandbox.fetch, {
  host: HOST,
  port: await findFreePort(SANDBOX_PORT),
});
const mail = await sandbox.listenForMail({ host: HOST, port: await findFreePort(SMTP_PORT) });
const adminUrl = `http://${HOST}:${port + 2}`;
const databaseFile = join(folder, 'donations.sqlite');
const site = createDemoSite({ folder: SITE_FOLDER, sandbox: sandboxListener.url });
const siteListener = await listen(site.fetch, { host: HOST, port: await findFreePort(SITE_PORT) });
const endpoint = await serve({
  configuration: {
    ...adaptConfiguration(configuration, {
      // The endpoint's own origin turns on its donation page.
      origins: [siteListener.url, endpointUrl, ...DEVELOPMENT_ORIGINS, ...ownOrigins],
      sandbox: sandboxListener.url,
      smtpPort: mail.port,
    }),
    listen: { ...configuration.listen, host: HOST, port },
    admin: { host: HOST, port: port + 2, key: { env: 'ADMIN_KEY' } },
    database: databaseFile,
  },
  environment: {
    ...readConfiguredVariables(configuration),
    FUNDRAISING_API_KEY: platformKey,
    PAYMENT_SECRET_KEY: secretKey,
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
    ADMIN_KEY: createKey(),
  },
  log: pino({ level: process.env.LOG_LEVEL ?? 'warn' }),
}).catch(exitOnConfigurationError);
site.setEndpoint(endpoint.url);
// A second connection, because the server has no way to sign in without mail or a passkey.
const database = await openSqlite(databaseFile);
await addStaff(database, STAFF);
site.setStaffServer({ database, origin: adminUrl });

console.log(`
  Demo site          ${siteListener.url}
  From a campaign    ${siteListener.url}/${CAMPAIGN_QUERY}
  Donation server    ${endpoint.url}
  Campaign links     ${endpoint.url}/links
  Sandbox platform   ${sandboxListener.url}   (key ${platformKey})
  Mail and receipts  ${sandboxListener.url}/#emails
  Admin pages        ${siteListener.url}/staff.html

  Test cards: 4242 4242 4242 4242 succeeds, 4000 0000 0000 0002 is declined, and
  4000 0027 6000 3184 requires authentication. On the page for the admin pages and the form
  builder, one press signs you in as a campaigner, finance, or an administrator. Press Ctrl-C
  to stop.
`);

await new Promise((resolve) => {
  process.once('SIGINT', resolve).once('SIGTERM', resolve);
});
await Promise.all([siteListener.close(), endpoint.close()]);
await database.close();
await Promise.all([sandboxListener.close(), mail.close()]);
sandbox.close();
