import { type CheckResult, createCheck } from '../../lib/check-result.ts';
import { checkClockSkew } from '../../lib/clock-skew.ts';
import type { PaymentCheckSubject } from '../payment-gateway.ts';
import { AccessTokenError, type PayPalClient, PayPalError } from './client.ts';
import { PAYPAL_WEBHOOK_EVENTS } from './webhook.ts';

/** OAuth scopes that the server needs, by app feature. */
const FEATURES: Readonly<Record<string, string>> = {
  Subscriptions: 'https://uri.paypal.com/services/subscriptions',
  'Transaction search': 'https://uri.paypal.com/services/reporting/search/read',
  'Customer disputes': 'https://uri.paypal.com/services/disputes/read-seller',
};

/** Statuses for credentials that are wrong or belong to the other environment. */
const REJECTED_STATUSES: readonly number[] = [400, 401, 403];

export async function checkPayPal(
  client: PayPalClient,
  environment: string,
  webhookId: string | undefined,
  { webhookPath }: PaymentCheckSubject,
): Promise<CheckResult[]> {
  const startedAt = performance.now();
  try {
    const { scopes, date } = await client.requestTokenDetails();
    const remoteTime = Date.parse(date);
    return [
      createCheck('paypal').pass(
        `PayPal accepts the app's credentials in the ${environment} environment.`,
      ),
      ...(Number.isNaN(remoteTime)
        ? []
        : [checkClockSkew('PayPal', remoteTime, performance.now() - startedAt, Date.now())]),
      checkFeatures(scopes),
      await checkWebhook(client, webhookId, webhookPath),
    ];
  } catch (error) {
    if (!(error instanceof AccessTokenError) || !REJECTED_STATUSES.includes(error.status))
      throw error;
    return [
      createCheck('paypal').fail(
        `PayPal rejected the client ID and secret in the ${environment} environment. Copy both ` +
          "again from that environment's Apps & Credentials page in the PayPal Developer Dashboard.",
      ),
    ];
  }
}

function checkFeatures(scopes: readonly string[]): CheckResult {
  const check = createCheck('paypal features');
  const missing = Object.entries(FEATURES).flatMap(([feature, scope]) =>
    scopes.some((granted) => granted === scope || granted === `${scope}/.*`) ? [] : [feature],
  );
  return missing.length === 0
    ? check.pass('The app has all features that the server uses.')
    : check.warn(
        `The app lacks these features: ${missing.join(', ')}. Turn them on in the app's settings: ` +
          'recurring donations require Subscriptions, reconciliation requires Transaction search, ' +
          'and disputes require Customer disputes. Changes can take a few hours to take effect.',
      );
}

/** Checks that the webhook points to this server and receives all required events. */
async function checkWebhook(
  client: PayPalClient,
  webhookId: string | undefined,
  webhookPath: string,
): Promise<CheckResult> {
  const name = 'paypal webhook';
  if (webhookId === undefined)
    return createCheck(name).skip(
      'webhookId is not configured, so PayPal does not notify the server of refunds and disputes.',
    );
  try {
    const { url, event_types: types } = await client.get<{
      readonly url: string;
      readonly event_types: { readonly name: string }[];
    }>(`/v1/notifications/webhooks/${webhookId}`);
    if (!new URL(url).pathname.endsWith(webhookPath))
      return createCheck(name).fail(
        `Webhook ${webhookId} points to ${url}; expected a URL that ends in ${webhookPath}. ` +
          'Correct the URL of the webhook, or configure the ID of another webhook.',
      );
    const names = types.map((type) => type.name);
    const missing = PAYPAL_WEBHOOK_EVENTS.filter(
      (event) => !names.includes('*') && !names.includes(event),
    );
    return missing.length === 0
      ? {
          ...createCheck(name).pass(`${url} receives all required events.`),
          webhookOrigin: new URL(url).origin,
        }
      : createCheck(name).fail(
          `Webhook ${webhookId} does not receive these events: ${missing.join(', ')}. Add them in ` +
            "the app's settings.",
        );
  } catch (error) {
    if (!(error instanceof PayPalError) || !error.isRejection) throw error;
    return createCheck(name).fail(
      `The app has no webhook ${webhookId}. Copy the webhook's ID from the app's settings.`,
    );
  }
}
