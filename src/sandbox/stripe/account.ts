import type { Stripe } from 'stripe';
import type { Api } from './api.ts';
import { createId } from './ids.ts';
import { booleanString, defineParams, paginationParams } from './params.ts';
import { type ActivatedTypes, PAYMENT_METHOD_TYPES } from './payment-method-types.ts';

/** Account-level routes: balance, webhook endpoints, and payment method settings. */
export class Account {
  readonly webhookEndpoints: Stripe.WebhookEndpoint[] = [];

  readonly #domains: Stripe.PaymentMethodDomain[] = [];

  constructor(api: Api, activatedTypes: ActivatedTypes) {
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
    api.addRoute(
      'GET',
      '/payment_method_domains',
      defineParams({ enabled: booleanString.optional(), ...paginationParams }),
      () => ({
        object: 'list',
        data: this.#domains,
        has_more: false,
        url: '/v1/payment_method_domains',
      }),
    );
    api.addRoute('GET', '/payment_method_configurations', defineParams(paginationParams), () => ({
      object: 'list',
      data: [buildPaymentMethodConfiguration(activatedTypes)],
      has_more: false,
      url: '/v1/payment_method_configurations',
    }));
  }

  /** Registers a domain for wallets, as merchants do in the Dashboard. */
  addPaymentMethodDomain(name: string): void {
    const status: Stripe.PaymentMethodDomain.ApplePay = { status: 'active' };
    this.#domains.push({
      id: createId('pmd', 16),
      object: 'payment_method_domain',
      domain_name: name,
      enabled: true,
      created: 0,
      livemode: false,
      amazon_pay: status,
      apple_pay: status,
      google_pay: status,
      klarna: status,
      link: status,
      paypal: status,
    });
  }

  /** Adds a webhook endpoint, as merchants do in the Dashboard. */
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

/** Builds the account's default payment method configuration. */
function buildPaymentMethodConfiguration(
  activatedTypes: ActivatedTypes,
): Stripe.PaymentMethodConfiguration {
  const types = PAYMENT_METHOD_TYPES.element.options.map((type) => {
    const value = activatedTypes.isTypeActive(type) ? ('on' as const) : ('off' as const);
    return [
      type,
      {
        available: activatedTypes.isTypeActive(type),
        display_preference: { overridable: null, preference: value, value },
      },
    ] as const;
  });
  return {
    id: 'pmc_default',
    object: 'payment_method_configuration',
    active: true,
    application: null,
    is_default: true,
    livemode: false,
    name: 'Default',
    parent: null,
    ...Object.fromEntries(types),
  };
}
