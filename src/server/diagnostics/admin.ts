import { formatCount } from '@donation-form/core/i18n';
import type { Configuration } from '@donation-form/core/schemas';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import {
  discoverIdentityProvider,
  type IdentityProvider,
} from '../lib/discover-identity-provider.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';
import { readJsonWithLimit } from '../lib/response-limit.ts';
import type { Readiness } from '../observability/readiness.ts';

type AdminConfiguration = NonNullable<Configuration['admin']>;

const REQUEST_TIMEOUT = 5_000;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];

/** Returns the URL at which this machine can reach the admin listener. */
export function getAdminUrl({ host, port }: AdminConfiguration): string {
  const target = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${target.includes(':') ? `[${target}]` : target}:${port}`;
}

/** Returns the URL of the admin pages for links in messages, without a slash at the end. */
export function getPublicAdminUrl({ admin }: Pick<Configuration, 'admin'>): string | undefined {
  return admin && (admin.url ?? getAdminUrl(admin));
}

function fetchFromServer(
  admin: AdminConfiguration,
  path: string,
  options?: RequestInit,
): Promise<Response> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT);
  return fetch(getAdminUrl(admin) + path, { ...options, signal });
}

/** Returns the running server's readiness, or `undefined` if no server responds. */
export async function fetchReadiness(
  admin: Configuration['admin'],
): Promise<Readiness | undefined> {
  if (!admin) return undefined;
  try {
    const response = await fetchFromServer(admin, '/readyz');
    if (response.status !== 200 && response.status !== 503) return undefined;
    const body = (await readJsonWithLimit(response)) as Partial<Readiness> | null;
    return typeof body?.checks?.database === 'object' ? (body as Readiness) : undefined;
  } catch {
    return undefined;
  }
}

/** Catches a shell without the service's `DATABASE_URL`. */
export function checkSameDatabase(
  location: string,
  readiness: Readiness | undefined,
): CheckResult[] {
  const serverLocation = readiness?.checks.database.location;
  if (serverLocation === undefined || serverLocation === location) return [];
  return [
    createCheck('database in use').warn(
      `The running server uses ${serverLocation}, but this command's environment points to ` +
        `${location}. Run the command with the service's DATABASE_URL, or restart the server if ` +
        'you have changed DATABASE_URL.',
    ),
  ];
}

export async function checkAdmin(
  admin: Configuration['admin'],
  {
    key,
    provider,
  }: { readonly key: string | undefined; readonly provider: IdentityProvider | undefined },
  readiness: Readiness | undefined,
): Promise<CheckResult[]> {
  if (!admin)
    return [
      createCheck('admin').skip(
        'The configuration has no admin listener, so there are no admin pages, metrics, or ' +
          'readiness checks. To add a listener, configure "admin": { "port": 4103 }.',
      ),
    ];
  return [
    key === undefined ? checkMissingKey(admin) : await checkAdminKey(admin, key, readiness),
    ...(await checkIdentityProvider(provider)),
    checkReadiness(admin, readiness),
    ...(readiness ? await checkPaymentWebhooks(admin) : []),
  ];
}

async function checkIdentityProvider(
  provider: IdentityProvider | undefined,
): Promise<CheckResult[]> {
  if (!provider) return [];
  const check = createCheck('identity provider');
  try {
    await discoverIdentityProvider(provider);
    return [
      check.pass(
        `${provider.issuer} answers. Only a sign-in shows whether it accepts clientId and clientSecret.`,
      ),
    ];
  } catch (error) {
    return [
      check.fail(
        `${provider.issuer} does not answer as an OpenID Connect provider (${getErrorReason(error)}). ` +
          'Check admin.openIdConnect.issuer.',
      ),
    ];
  }
}

const KEY = 'admin key';

function checkMissingKey({ host }: AdminConfiguration): CheckResult {
  return LOOPBACK_HOSTS.includes(host)
    ? createCheck(KEY).pass(
        'No admin key is configured, so the server rejects requests that read personal data or ' +
          'make changes. To allow them, configure admin.key.',
      )
    : createCheck(KEY).fail(
        `No admin key is configured, but other machines may be able to reach ${host}. Configure admin.key.`,
      );
}

async function checkAdminKey(
  admin: AdminConfiguration,
  key: string,
  readiness: Readiness | undefined,
): Promise<CheckResult> {
  // Refuses redirects, so that no other server receives the key.
  const options: RequestInit = { headers: { Authorization: `Bearer ${key}` }, redirect: 'error' };
  const status = readiness && (await fetchFromServer(admin, '/api/organizations', options)).status;
  if (status === 401)
    return createCheck(KEY).fail(
      'The running server rejected the key, because the key has changed since the server ' +
        'started. Restart the server.',
    );
  return createCheck(KEY).pass(
    status === 403
      ? 'Configured. The key secures the sessions, but opens nothing itself, because people sign ' +
          'in on their own. Commands need an API token in DONATION_FORM_TOKEN (see docs/server/staff.md).'
      : 'Configured.',
  );
}

function checkReadiness(
  { port }: AdminConfiguration,
  readiness: Readiness | undefined,
): CheckResult {
  const check = createCheck('running server');
  if (readiness === undefined)
    return check.skip(
      `No server running this release responds on port ${port}. This is normal before the first start.`,
    );
  if (readiness.ready) return check.pass('Ready.');
  const failedChecks = Object.entries(readiness.checks)
    .filter(([, { state }]) => state === 'failing')
    .map(([check]) => check);
  return check.fail(
    `The server is not ready: ${failedChecks.join(', ')}. See docs/server/runbook.md.`,
  );
}

const METRIC = 'donation_form_http_request_duration_seconds_count';
const PAYMENT_WEBHOOKS = new RegExp(
  `^${METRIC}{.*route="/webhooks/:provider/:organization".*status="(\\d+)".*} (\\d+)$`,
  'gm',
);

/** Payment providers have no call that verifies a webhook secret. */
async function checkPaymentWebhooks(admin: AdminConfiguration): Promise<CheckResult[]> {
  const response = await fetchFromServer(admin, '/metrics');
  const counts = [...(await response.text()).matchAll(PAYMENT_WEBHOOKS)];
  const countWithStatus = (status: string): number =>
    counts
      .filter(([, counted]) => counted === status)
      .reduce((sum, [, , count]) => sum + Number(count), 0);
  const rejected = countWithStatus('400');
  if (rejected === 0 || countWithStatus('204') > 0) return [];
  return [
    createCheck('payment webhooks').warn(
      `The running server has rejected ${formatCount(rejected, 'payment webhook')} since it started and ` +
        "accepted none. Check webhookSecret (Stripe) or webhookId (PayPal) and the server's clock, " +
        'and restart the server. If the payment provider lists no failed deliveries, someone is ' +
        'forging webhooks.',
    ),
  ];
}
