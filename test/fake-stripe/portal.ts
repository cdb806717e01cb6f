import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Api } from './api.ts';
import { listOf } from './payment-calls.ts';
import { missing } from './refusal.ts';
import { address, flag, metadata, pages, shape, text } from './shapes.ts';
import { newId, type Store } from './store.ts';

const REASONS = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;
const FEATURES = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: flag,
      allowed_updates: z
        .array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id']))
        .default([]),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.enum(['at_period_end', 'immediately']).default('at_period_end'),
      proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).default('none'),
      cancellation_reason: z
        .strictObject({ enabled: flag, options: z.array(z.enum(REASONS)).default([]) })
        .optional(),
    })
    .optional(),
});
type Features = z.output<typeof FEATURES>;
const REST = {
  business_profile: z
    .strictObject({
      headline: text.max(60).optional(),
      privacy_policy_url: address.optional(),
      terms_of_service_url: address.optional(),
    })
    .optional(),
  login_page: z.strictObject({ enabled: flag }).optional(),
  default_return_url: address.optional(),
  metadata: metadata.optional(),
  name: text.optional(),
};

/** The calls about the page where donors look after what they give. */
export class Portal {
  readonly #store: Store;
  readonly #address: () => string;

  constructor({
    api,
    store,
    address,
  }: {
    readonly api: Api;
    readonly store: Store;
    readonly address: () => string;
  }) {
    this.#store = store;
    this.#address = address;
    api.on(
      'GET',
      '/billing_portal/configurations',
      shape({ is_default: flag.optional(), active: flag.optional(), ...pages }),
      ({ params: { is_default, active } }) =>
        listOf(
          '/v1/billing_portal/configurations',
          store
            .all('billing_portal.configuration')
            .filter(
              (one) =>
                one.is_default === (is_default ?? one.is_default) &&
                one.active === (active ?? one.active),
            )
            .reverse(),
        ),
    );
    api.on(
      'POST',
      '/billing_portal/configurations',
      shape({ features: FEATURES, ...REST }),
      ({ params: { features, ...rest } }) => this.#change(this.add(false), features, rest),
    );
    api.on('GET', '/billing_portal/configurations/:id', shape({}), ({ id }) =>
      store.get('billing_portal.configuration', id),
    );
    api.on(
      'POST',
      '/billing_portal/configurations/:id',
      shape({ features: FEATURES.optional(), active: flag.optional(), ...REST }),
      ({ id, params: { features = {}, active, ...rest } }) => {
        const found = store.get('billing_portal.configuration', id);
        if (active !== undefined) found.active = active;
        return this.#change(found, features, rest);
      },
    );
  }

  /**
   * A configuration in which nothing is switched on; the default one is what the Dashboard saves.
   */
  add(isDefault: boolean): Stripe.BillingPortal.Configuration {
    const { time: created } = this.#store;
    return this.#store.keep<Stripe.BillingPortal.Configuration>({
      id: newId('bpc'),
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
        subscription_pause: { duration: null as never, enabled: false },
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

  /** @throws a refusal where no configuration has its login page there. */
  checkLogin(path: string): void {
    if (
      !this.#store
        .all('billing_portal.configuration')
        .some(({ active, login_page: { url } }) => active && url === `${this.#address()}${path}`)
    )
      throw missing(404, 'login page', path, 'id');
  }

  #change(
    changed: Stripe.BillingPortal.Configuration,
    features: Features,
    {
      login_page,
      business_profile,
      ...rest
    }: { readonly [Name in keyof typeof REST]?: z.output<(typeof REST)[Name]> },
  ): Stripe.BillingPortal.Configuration {
    for (const [name, feature] of Object.entries(features) as [keyof Features, object][])
      Object.assign(changed.features[name], feature);
    Object.assign(changed.business_profile, business_profile);
    if (login_page)
      changed.login_page = {
        enabled: login_page.enabled,
        url: login_page.enabled
          ? (changed.login_page.url ?? `${this.#address()}/p/login/${newId('test', 18)}`)
          : null,
      };
    return Object.assign(changed, rest, { updated: this.#store.time });
  }
}
