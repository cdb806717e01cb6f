import Stripe from 'stripe';
import { filterStripeMethods } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import { type CheckResult, createCheck } from '../../lib/check-result.ts';
import { checkClockSkew } from '../../lib/clock-skew.ts';
import { getErrorReason } from '../../lib/get-error-reason.ts';
import type { PaymentCheckSubject } from '../payment-gateway.ts';
import { getMinimumCharge, getStripePayableDecimals } from './amounts.ts';
import { checkPermissions } from './permissions.ts';
import { STRIPE_WEBHOOK_EVENTS } from './webhook.ts';

export interface StripeCheckOptions extends PaymentCheckSubject {
  readonly secretKey: string;
  readonly methods: readonly string[];
  /** URL of the sandbox's replacement for Stripe.js. Undefined for Stripe's own script. */
  readonly scriptUrl: string | undefined;
  readonly hasWebhookSecret: boolean;
}

export async function checkStripe(
  stripe: Stripe,
  options: StripeCheckOptions,
): Promise<CheckResult[]> {
  const { secretKey, methods, scriptUrl, minimums } = options;
  const check = createCheck('stripe');
  const isLiveKey = /^[sr]k_live_/.test(secretKey);
  const startedAt = performance.now();
  try {
    const { livemode, lastResponse } = await stripe.balance.retrieve();
    const roundTrip = performance.now() - startedAt;
    const remoteTime = Date.parse(lastResponse.headers.date ?? '');
    return [
      livemode === isLiveKey
        ? check.pass(`Stripe accepts the key in ${formatMode(livemode)} mode.`)
        : check.fail(
            `Stripe reports that the secret key is for ${formatMode(livemode)} mode, but its prefix ` +
              `is for ${formatMode(isLiveKey)} mode. Copy both keys again from the Stripe ` +
              'Dashboard under Developers > API keys.',
          ),
      ...(Number.isNaN(remoteTime)
        ? []
        : [checkClockSkew('Stripe', remoteTime, roundTrip, Date.now())]),
      ...(secretKey.startsWith('rk_') ? [await checkPermissions(stripe)] : []),
      checkMinimumAmounts(minimums),
      checkCurrencies(methods, minimums),
      await checkMethodActivation(stripe, methods),
      await checkWalletDomains(stripe, options.origins, isLiveKey),
      ...(scriptUrl === undefined ? [] : [await checkScriptUrl(scriptUrl)]),
      await checkWebhooks(stripe, isLiveKey, options),
    ];
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return [
        check.fail(
          'Stripe rejected the secret key. Copy the key again from the Stripe Dashboard (Developers > ' +
            'API keys) to the environment variable or file that secretKey specifies.',
        ),
      ];
    if (error instanceof Stripe.errors.StripePermissionError)
      return [
        check.skip(
          'Stripe accepts the restricted key, but the key cannot read the balance. Give the key ' +
            'read access to Balance and Webhook Endpoints.',
        ),
      ];
    throw error;
  }
}

function checkMinimumAmounts(minimums: PaymentCheckSubject['minimums']): CheckResult {
  const check = createCheck('stripe minimums');
  const tooLow = minimums.flatMap(({ form, currency, minimum }) => {
    const required = getMinimumCharge(currency);
    return required !== undefined && minimum < required
      ? [
          `form ${form} in ${currency} (${formatMajorUnits(minimum, currency)}, expected at ` +
            `least ${formatMajorUnits(required, currency)})`,
        ]
      : [];
  });
  return tooLow.length === 0
    ? check.pass("No form's minimum amount is below Stripe's minimum charge.")
    : check.fail(
        `Stripe rejects amounts below its minimum charge: ${tooLow.join('; ')}. Raise "minimum" ` +
          'for these forms. Accounts that settle in another currency may require more.',
      );
}

function formatMajorUnits(units: number, currency: string): string {
  return toMajorUnits(units, getStripePayableDecimals(currency) ?? 2);
}

function checkCurrencies(methods: readonly string[], minimums: PaymentCheckSubject['minimums']) {
  const unusable = methods.filter((method) =>
    minimums.every(({ currency }) => filterStripeMethods([method], currency, false).length === 0),
  );
  return unusable.length === 0
    ? createCheck('stripe currencies').pass(
        'Each configured payment method supports a currency that a form offers.',
      )
    : createCheck('stripe currencies').fail(
        'No form offers a currency that these payment methods support, so donors do not see them: ' +
          `${unusable.join(', ')}. Add a supported currency to a form, or remove the methods from ` +
          '"methods".',
      );
}

async function checkMethodActivation(stripe: Stripe, methods: readonly string[]) {
  const name = 'stripe methods';
  return runPermittedCheck(name, 'Payment Method Configurations', async () => {
    const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 });
    const configuration = data.find(({ is_default: isDefault, active }) => isDefault && active);
    if (!configuration)
      return createCheck(name).skip('The account has no default payment method configuration.');
    const states = configuration as unknown as Readonly<
      Record<string, { readonly available?: boolean } | undefined>
    >;
    const inactive = methods.filter((method) => states[method]?.available === false);
    return inactive.length === 0
      ? createCheck(name).pass('All configured payment methods are activated.')
      : createCheck(name).fail(
          'These payment methods are not activated in the account, so donors who choose one are ' +
            `sent to Stripe's page, where it is missing: ${inactive.join(', ')}. Activate them in the Stripe Dashboard under Settings > ` +
            'Payment methods, or remove them from "methods".',
        );
  });
}

/** Only a warning in test mode, because cards can be tested first. */
async function checkWalletDomains(stripe: Stripe, origins: readonly string[], isLiveKey: boolean) {
  const name = 'stripe domains';
  return runPermittedCheck(name, 'Payment Method Domains', async () => {
    const registered = new Set<string>();
    for await (const domain of stripe.paymentMethodDomains.list({ enabled: true, limit: 100 }))
      registered.add(domain.domain_name);
    const missing = origins
      .map((origin) => new URL(origin))
      .filter(({ protocol, hostname }) => protocol === 'https:' && !registered.has(hostname))
      .map(({ hostname }) => hostname);
    const { pass, warn, fail } = createCheck(name);
    if (missing.length === 0) return pass('All domains are registered for wallets.');
    return (isLiveKey ? fail : warn)(
      `These domains are not registered: ${missing.join(', ')}. Apple Pay, Google Pay, Link, and Amazon Pay do not ` +
        'appear on these domains. Register each domain and subdomain in the Stripe Dashboard under ' +
        'Settings > Payment method domains.',
    );
  });
}

/** Milliseconds. */
const SCRIPT_TIMEOUT = 5_000;

async function checkScriptUrl(url: string): Promise<CheckResult> {
  const check = createCheck('stripe script');
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(SCRIPT_TIMEOUT) });
    const type = response.headers.get('Content-Type') ?? '';
    await response.body?.cancel();
    return response.ok && type.includes('javascript')
      ? check.pass(`The sandbox serves its replacement for Stripe.js at ${url}.`)
      : check.fail(
          `${url} responded with status ${response.status} and ${type || 'no content type'}; ` +
            'expected a JavaScript file. Correct scriptUrl, or start the sandbox.',
        );
  } catch (error) {
    return check.fail(
      `${url} does not respond (${getErrorReason(error)}). Correct scriptUrl, or start the sandbox.`,
    );
  }
}

/** Skips the check if the restricted key lacks the required permission. */
async function runPermittedCheck(
  name: string,
  permission: string,
  check: () => Promise<CheckResult>,
): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError)
      return createCheck(name).skip(
        `The restricted key lacks a permission. Give the key read access to ${permission}.`,
      );
    throw error;
  }
}

async function checkWebhooks(
  stripe: Stripe,
  isLiveKey: boolean,
  { hasWebhookSecret, webhookPath }: StripeCheckOptions,
): Promise<CheckResult> {
  const name = 'stripe webhooks';
  return runPermittedCheck(name, 'Webhook Endpoints', async () => {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    const endpoints = data.filter(
      ({ url }) => URL.canParse(url) && `${new URL(url).pathname}/`.includes(`${webhookPath}/`),
    );
    const enabled = endpoints.filter(({ status }) => status === 'enabled');
    const endpoint = enabled[0] ?? endpoints[0];
    const duplicate = enabled.find(
      ({ url }, index) => index !== enabled.findIndex((each) => each.url === url),
    );
    if (duplicate)
      return createCheck(name).fail(
        `Stripe has two webhook endpoints with the URL ${duplicate.url}, and the server rejects the ` +
          'events of one, because each has its own signing secret. Delete one in the Stripe ' +
          "Dashboard under Developers > Webhooks, and keep the other's secret in webhookSecret.",
      );
    if (endpoint) return checkWebhookEndpoint(name, endpoint, hasWebhookSecret);
    return hasWebhookSecret
      ? createCheck(name).fail(
          `In ${formatMode(isLiveKey)} mode, Stripe has no webhook endpoint whose URL ends in ` +
            `${webhookPath}. Add one in the Stripe Dashboard under Developers > ` +
            'Webhooks, and store its signing secret in the environment variable or file that ' +
            'webhookSecret specifies.',
        )
      : createCheck(name).skip(
          'No webhook endpoint is configured, so Stripe does not notify the server of refunds and ' +
            'disputes.',
        );
  });
}

function checkWebhookEndpoint(
  name: string,
  { url, status, enabled_events: events }: Stripe.WebhookEndpoint,
  hasWebhookSecret: boolean,
): CheckResult {
  if (status !== 'enabled')
    return createCheck(name).fail(
      `${url} is disabled. Enable it in the Stripe Dashboard under Developers > Webhooks.`,
    );
  const missingEvents = STRIPE_WEBHOOK_EVENTS.filter(
    (event) => ![event, '*'].some((each) => events.includes(each)),
  );
  const webhookOrigin = new URL(url).origin;
  if (missingEvents.length > 0)
    return {
      ...createCheck(name).fail(
        `${url} does not receive these events: ${missingEvents.join(', ')}. Add them in the ` +
          'Stripe Dashboard under Developers > Webhooks.',
      ),
      webhookOrigin,
    };
  const result = hasWebhookSecret
    ? createCheck(name).pass(`${url} receives all required events.`)
    : createCheck(name).fail(
        `${url} receives events, but the server rejects them because webhookSecret is not ` +
          "configured. Configure webhookSecret with the endpoint's signing secret.",
      );
  return { ...result, webhookOrigin };
}

function formatMode(isLive: boolean): string {
  return isLive ? 'live' : 'test';
}
