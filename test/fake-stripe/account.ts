import type { Stripe } from 'stripe';
import type { Api } from './api.ts';
import { paginationParams, defineParams } from './params.ts';
import { createId } from './store.ts';

/** Routes of the account itself: its balance and webhook endpoints. */
export class Account {
  readonly webhookEndpoints: Stripe.WebhookEndpoint[] = [];

  constructor(api: Api) {
    api.addRoute('GET', '/balance', defineParams({}), () => ({
      object: 'balance',
      livemode: false,
      available: [],
      pending: [],
    }));
    api.addRoute('GET', '/webhook_endpoints', defineParams(paginationParams), () => ({
      object: 'list',
      data: this.webhookEndpoints,
      has_more: false,
      url: '/v1/webhook_endpoints',
    }));
  }

  /** Adds a webhook endpoint as if entered in the Dashboard. */
  addWebhookEndpoint(
    url: string,
    events: readonly string[],
    status: 'enabled' | 'disabled' = 'enabled',
  ): void {
    this.webhookEndpoints.push({
      id: createId('we', 16),
      object: 'webhook_endpoint',
      url,
      enabled_events: [...events],
      status,
      livemode: false,
      api_version: null,
      application: null,
      created: 0,
      description: null,
      metadata: {},
    });
  }
}
