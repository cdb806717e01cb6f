import Stripe from 'stripe';
import { compareClocks } from '../../lib/clock-skew.ts';
import { ok, untried, wrong, type Finding } from '../../lib/finding.ts';
import { EVENTS } from './webhook.ts';

export interface StripeCheckOptions {
  readonly secretKey: string;
  readonly hasWebhookSecret: boolean;
  /** Such as `/webhooks/stripe/lanternwell`. */
  readonly webhookPath: string;
}

/**
 * Asks Stripe for the account's balance and its webhook endpoints: whether the key is known, its
 * mode, and whether what is needed is told.
 */
export async function checkStripe(
  stripe: Stripe,
  { secretKey, hasWebhookSecret, webhookPath }: StripeCheckOptions,
): Promise<Finding[]> {
  const isLive = /^[sr]k_live_/.test(secretKey);
  const began = performance.now();
  try {
    const {
      livemode,
      lastResponse: { headers },
    } = await stripe.balance.retrieve();
    const took = performance.now() - began;
    const at = Date.parse(headers.date ?? '');
    return [
      livemode === isLive
        ? ok('stripe', `takes the key, in ${livemode ? 'live' : 'test'} mode`)
        : wrong(
            'stripe',
            `says that the key is of ${livemode ? 'live' : 'test'} mode, and it begins as one of ${isLive ? 'live' : 'test'} mode; take both keys anew from Developers, API keys`,
          ),
      ...(Number.isNaN(at) ? [] : [compareClocks('Stripe', at, took, Date.now())]),
      ...(await checkWebhooks(stripe, isLive, hasWebhookSecret, webhookPath)),
    ];
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return [
        wrong(
          'stripe',
          'refuses the key; take the secret key anew from Developers, API keys, and put it where secretKey points to',
        ),
      ];
    if (error instanceof Stripe.errors.StripePermissionError)
      return [
        untried(
          'stripe',
          'takes the key, which may not read the balance; let the restricted key read Balance and Webhook Endpoints',
        ),
      ];
    throw error;
  }
}

async function checkWebhooks(
  stripe: Stripe,
  isLive: boolean,
  hasSecret: boolean,
  path: string,
): Promise<Finding[]> {
  const about = 'webhooks at stripe';
  const mode = isLive ? 'live' : 'test';
  let found: readonly Stripe.WebhookEndpoint[];
  try {
    found = (await stripe.webhookEndpoints.list({ limit: 100 })).data.filter(
      ({ url }) => URL.canParse(url) && new URL(url).pathname.endsWith(path),
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError)
      return [
        untried(about, 'the restricted key may not read them; let it read Webhook Endpoints'),
      ];
    throw error;
  }
  const endpoint = found.find(({ status }) => status === 'enabled') ?? found[0];
  if (!endpoint)
    return [
      hasSecret
        ? wrong(
            about,
            `there is no endpoint whose address ends in ${path} in ${mode} mode; add one (Developers, Webhooks), and put its signing secret where webhookSecret points to`,
          )
        : untried(about, 'none are configured: renewals, refunds and disputes are not heard of'),
    ];
  const { origin } = new URL(endpoint.url);
  const missing = endpoint.enabled_events.includes('*')
    ? []
    : EVENTS.filter((event) => !endpoint.enabled_events.includes(event));
  if (endpoint.status !== 'enabled')
    return [wrong(about, `${endpoint.url} is disabled; enable it (Developers, Webhooks)`)];
  if (missing.length > 0)
    return [
      {
        ...wrong(
          about,
          `${endpoint.url} is not told of ${missing.join(', ')}; add these events to it`,
        ),
        endpoint: origin,
      },
    ];
  if (!hasSecret)
    return [
      {
        ...wrong(
          about,
          `${endpoint.url} is told, and the configuration names no webhookSecret, so nothing of it is believed; put its signing secret where webhookSecret points to`,
        ),
        endpoint: origin,
      },
    ];
  return [
    { ...ok(about, `${endpoint.url} is told of everything that is needed`), endpoint: origin },
  ];
}
