import type { Stripe } from 'stripe';
import type { Api } from './api.ts';
import { pages, shape } from './shapes.ts';
import { newId } from './store.ts';

/** The calls about the account itself: its balance, and where its events are sent. */
export class Account {
  readonly webhookEndpoints: Stripe.WebhookEndpoint[] = [];

  constructor(api: Api) {
    api.on('GET', '/balance', shape({}), () => ({
      object: 'balance',
      livemode: false,
      available: [],
      pending: [],
    }));
    api.on('GET', '/webhook_endpoints', shape(pages), () => ({
      object: 'list',
      data: this.webhookEndpoints,
      has_more: false,
      url: '/v1/webhook_endpoints',
    }));
  }

  /** What somebody enters in the Dashboard. */
  addWebhookEndpoint(
    url: string,
    events: readonly string[],
    status: 'enabled' | 'disabled' = 'enabled',
  ): void {
    this.webhookEndpoints.push({
      id: newId('we', 16),
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
