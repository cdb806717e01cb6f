import Stripe from 'stripe';
import { fail, pass, skip, type CheckResult } from '../../lib/check-result.ts';
import { checkClockSkew } from '../../lib/clock-skew.ts';
import { WEBHOOK_EVENTS } from './webhook.ts';

export interface StripeCheckOptions {
  readonly secretKey: string;
  readonly hasWebhookSecret: boolean;
  /** Such as `/webhooks/stripe/lanternwell`. */
  readonly webhookPath: string;
}

/**
 * Checks whether Stripe accepts the key, in which mode, and whether it sends all webhooks that we
 * need. Retrieves the account's balance and its webhook endpoints.
 */
export async function checkStripe(
  stripe: Stripe,
  { secretKey, hasWebhookSecret, webhookPath }: StripeCheckOptions,
): Promise<CheckResult[]> {
  const name = 'stripe';
  const isLiveKey = /^[sr]k_live_/.test(secretKey);
  const startedAt = performance.now();
  try {
    const { livemode, lastResponse } = await stripe.balance.retrieve();
    const roundTrip = performance.now() - startedAt;
    const remoteTime = Date.parse(lastResponse.headers.date ?? '');
    return [
      livemode === isLiveKey
        ? pass(name, `Accepts the key, in ${formatMode(livemode)} mode.`)
        : fail(
            name,
            `Stripe says that the key is for ${formatMode(livemode)} mode, but it starts ` +
              `like one for ${formatMode(isLiveKey)} mode. Copy both keys again from ` +
              'Developers, API keys.',
          ),
      ...(Number.isNaN(remoteTime)
        ? []
        : [checkClockSkew('Stripe', remoteTime, roundTrip, Date.now())]),
      await checkWebhooks(stripe, { isLiveKey, hasWebhookSecret, webhookPath }),
    ];
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return [
        fail(
          name,
          'Stripe rejected the key. Copy the secret key again from Developers, API keys, and ' +
            'put it where secretKey points.',
        ),
      ];
    if (error instanceof Stripe.errors.StripePermissionError)
      return [
        skip(
          name,
          'Accepts the key, which may not read the balance. Give the restricted key read ' +
            'access to Balance and Webhook Endpoints.',
        ),
      ];
    throw error;
  }
}

async function checkWebhooks(
  stripe: Stripe,
  {
    isLiveKey,
    hasWebhookSecret,
    webhookPath,
  }: Pick<StripeCheckOptions, 'hasWebhookSecret' | 'webhookPath'> & { readonly isLiveKey: boolean },
): Promise<CheckResult> {
  const name = 'stripe webhooks';
  let endpoints: readonly Stripe.WebhookEndpoint[];
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    endpoints = data.filter(
      ({ url }) => URL.canParse(url) && new URL(url).pathname.endsWith(webhookPath),
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError)
      return skip(
        name,
        'The restricted key may not read them. Give it read access to Webhook Endpoints.',
      );
    throw error;
  }
  const endpoint = endpoints.find(({ status }) => status === 'enabled') ?? endpoints[0];
  if (endpoint) return checkWebhookEndpoint(name, endpoint, hasWebhookSecret);
  return hasWebhookSecret
    ? fail(
        name,
        `Stripe has no webhook endpoint whose URL ends in ${webhookPath} in ` +
          `${formatMode(isLiveKey)} mode. Add one under Developers, Webhooks, and put its ` +
          'signing secret where webhookSecret points.',
      )
    : skip(name, 'None are configured, so renewals, refunds, and disputes are not received.');
}

function checkWebhookEndpoint(
  name: string,
  { url, status, enabled_events: events }: Stripe.WebhookEndpoint,
  hasWebhookSecret: boolean,
): CheckResult {
  if (status !== 'enabled')
    return fail(name, `${url} is disabled. Enable it under Developers, Webhooks.`);
  const webhookOrigin = new URL(url).origin;
  const missingEvents = events.includes('*')
    ? []
    : WEBHOOK_EVENTS.filter((event) => !events.includes(event));
  if (missingEvents.length > 0)
    return {
      ...fail(name, `${url} does not receive ${missingEvents.join(', ')}. Add these events to it.`),
      webhookOrigin,
    };
  if (!hasWebhookSecret)
    return {
      ...fail(
        name,
        `${url} receives events, but the server rejects them because webhookSecret is not ` +
          'configured. Put the signing secret where webhookSecret points.',
      ),
      webhookOrigin,
    };
  return { ...pass(name, `${url} receives all events that are needed.`), webhookOrigin };
}

function formatMode(isLive: boolean): string {
  return isLive ? 'live' : 'test';
}
