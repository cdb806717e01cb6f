import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Api } from './api.ts';
import { createId } from './ids.ts';
import {
  booleanString,
  defineParams,
  metadata,
  nonEmptyString,
  paginationParams,
  url,
} from './params.ts';
import { toList } from './payment-routes.ts';
import type { Store } from './store.ts';
import { createMissingError } from './stripe-error.ts';

const CANCELLATION_REASONS = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;
const FEATURES_SCHEMA = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: booleanString,
      allowed_updates: z
        .array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id']))
        .default([]),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: booleanString }).optional(),
  payment_method_update: z.strictObject({ enabled: booleanString }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: booleanString,
      mode: z.enum(['at_period_end', 'immediately']).default('at_period_end'),
      proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).default('none'),
      cancellation_reason: z
        .strictObject({
          enabled: booleanString,
          options: z.array(z.enum(CANCELLATION_REASONS)).default([]),
        })
        .transform((reason) => ({ ...reason, feedback_options: null }))
        .optional(),
    })
    .optional(),
});
type Features = z.output<typeof FEATURES_SCHEMA>;
const COMMON_PARAMS = {
  business_profile: z
    .strictObject({
      headline: nonEmptyString.max(60).optional(),
      privacy_policy_url: url.optional(),
      terms_of_service_url: url.optional(),
    })
    .optional(),
  login_page: z.strictObject({ enabled: booleanString }).optional(),
  default_return_url: url.optional(),
  metadata: metadata.optional(),
  name: nonEmptyString.optional(),
};

/** Manages the customer portal's configurations and routes. */
export class Portal {
  readonly #store: Store;
  readonly #getBaseUrl: () => string;

  constructor({
    api,
    store,
    getBaseUrl,
  }: {
    readonly api: Api;
    readonly store: Store;
    readonly getBaseUrl: () => string;
  }) {
    this.#store = store;
    this.#getBaseUrl = getBaseUrl;
    api.addRoute(
      'GET',
      '/billing_portal/configurations',
      defineParams({
        is_default: booleanString.optional(),
        active: booleanString.optional(),
        ...paginationParams,
      }),
      ({ params: { is_default, active } }) =>
        toList(
          '/v1/billing_portal/configurations',
          store
            .listObjects('billing_portal.configuration')
            .filter(
              (one) =>
                one.is_default === (is_default ?? one.is_default) &&
                one.active === (active ?? one.active),
            )
            .reverse(),
        ),
    );
    api.addRoute(
      'POST',
      '/billing_portal/configurations',
      defineParams({ features: FEATURES_SCHEMA, ...COMMON_PARAMS }),
      ({ params: { features, ...rest } }) =>
        this.#updateConfiguration(this.addConfiguration(false), features, rest),
    );
    api.addRoute('GET', '/billing_portal/configurations/:id', defineParams({}), ({ id }) =>
      store.getObject('billing_portal.configuration', id),
    );
    api.addRoute(
      'POST',
      '/billing_portal/configurations/:id',
      defineParams({
        features: FEATURES_SCHEMA.optional(),
        active: booleanString.optional(),
        ...COMMON_PARAMS,
      }),
      ({ id, params: { features = {}, active, ...rest } }) => {
        const configuration = store.getObject('billing_portal.configuration', id);
        if (active !== undefined) configuration.active = active;
        return this.#updateConfiguration(configuration, features, rest);
      },
    );
  }

  /**
   * Adds a configuration with all features disabled. For a real account, Stripe creates the default
   * configuration when the merchant saves the portal settings in the Dashboard.
   */
  addConfiguration(isDefault: boolean): Stripe.BillingPortal.Configuration {
    const { now: created } = this.#store;
    return this.#store.saveObject<Stripe.BillingPortal.Configuration>({
      id: createId('bpc'),
      object: 'billing_portal.configuration',
      active: true,
      application: null,
      business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
      created,
      default_return_url: null,
      features: {
        customer_update: { allowed_updates: [], enabled: false },
        invoice_history: { enabled: false },
        payment_method_update: { enabled: false, payment_method_configuration: null },
        subscription_cancel: {
          cancellation_reason: { enabled: false, feedback_options: null, options: [] },
          enabled: false,
          mode: 'at_period_end',
          proration_behavior: 'none',
        },
        subscription_pause: {
          duration: {
            interval_options: [{ interval: 'month', interval_count: 1 }],
            type: 'interval_options',
          },
          enabled: false,
        },
        subscription_update: {
          billing_cycle_anchor: null,
          default_allowed_updates: [],
          enabled: false,
          proration_behavior: 'none',
          schedule_at_period_end: { conditions: [] },
          trial_update_behavior: 'end_trial',
        },
      },
      is_default: isDefault,
      livemode: false,
      login_page: { enabled: false, url: null },
      metadata: {},
      name: null,
      updated: created,
    });
  }

  /**
   * Checks that the portal has a login page.
   * @throws StripeApiError if no active configuration has a login page at the given path.
   */
  assertLoginPage(path: string): void {
    if (
      !this.#store
        .listObjects('billing_portal.configuration')
        .some(
          ({ active, login_page: { url } }) =>
            active && url !== null && new URL(url).pathname.endsWith(path),
        )
    )
      throw createMissingError(404, 'login page', path, 'id');
  }

  #updateConfiguration(
    configuration: Stripe.BillingPortal.Configuration,
    features: Features,
    {
      login_page,
      business_profile,
      default_return_url: returnUrl,
      metadata: newMetadata,
      name,
    }: { readonly [Name in keyof typeof COMMON_PARAMS]?: z.output<(typeof COMMON_PARAMS)[Name]> },
  ): Stripe.BillingPortal.Configuration {
    for (const [feature, changes] of Object.entries(features) as [keyof Features, object][])
      Object.assign(configuration.features[feature], changes);
    Object.assign(configuration.business_profile, business_profile);
    if (login_page)
      configuration.login_page = {
        enabled: login_page.enabled,
        url: login_page.enabled
          ? (configuration.login_page.url ??
            `${this.#getBaseUrl()}/p/login/${createId('test', 18)}`)
          : null,
      };
    return Object.assign(configuration, {
      default_return_url: returnUrl ?? configuration.default_return_url,
      metadata: newMetadata ?? configuration.metadata,
      name: name ?? configuration.name,
      updated: this.#store.now,
    });
  }
}
