import type { DonationFrequency } from '@donation-form/core/donation';
import { createTooManyPagesError } from '../../lib/page-limit.ts';
import { toPayPalMoney } from './amounts.ts';
import { ignoreNotFoundError, type PayPalClient, PayPalError } from './client.ts';

type RecurringFrequency = Exclude<DonationFrequency, 'once'>;

interface Plan {
  readonly id: string;
  readonly name: string;
  readonly status: 'CREATED' | 'INACTIVE' | 'ACTIVE';
}

/** Product of all donation plans, because PayPal requires one. */
const PRODUCT = { id: 'donation-form-gift', name: 'Donation', type: 'SERVICE' } as const;

const BILLING_FREQUENCIES = {
  weekly: { interval_unit: 'WEEK', interval_count: 1 },
  everyOtherWeek: { interval_unit: 'WEEK', interval_count: 2 },
  monthly: { interval_unit: 'MONTH', interval_count: 1 },
  quarterly: { interval_unit: 'MONTH', interval_count: 3 },
  biannual: { interval_unit: 'MONTH', interval_count: 6 },
  annually: { interval_unit: 'YEAR', interval_count: 1 },
} as const satisfies Readonly<Record<RecurringFrequency, object>>;

const PLAN_NAMES: Readonly<Record<RecurringFrequency, string>> = {
  weekly: 'Weekly donation',
  everyOtherWeek: 'Donation every two weeks',
  monthly: 'Monthly donation',
  quarterly: 'Quarterly donation',
  biannual: 'Donation twice a year',
  annually: 'Annual donation',
};

/** Consecutive failed renewals after which PayPal suspends a subscription. */
const MAX_FAILURES = 3;

const PAGE_SIZE = 20;
const MAX_PLAN_PAGES = 500;

/** One plan per frequency and currency, because each subscription overrides the price. */
export class PlanRegistry {
  readonly #client: PayPalClient;
  readonly #planIds = new Map<string, Promise<string>>();

  constructor(client: PayPalClient) {
    this.#client = client;
  }

  /** Finds or creates an active plan, once per process. */
  providePlanId(frequency: RecurringFrequency, currency: string): Promise<string> {
    const key = `${frequency} ${currency}`;
    const planId = this.#planIds.get(key) ?? this.#provideActivePlan(frequency, currency);
    this.#planIds.set(key, planId);
    planId.catch(() => this.#planIds.delete(key));
    return planId;
  }

  clearCachedPlan(frequency: RecurringFrequency, currency: string): void {
    this.#planIds.delete(`${frequency} ${currency}`);
  }

  async #provideActivePlan(frequency: RecurringFrequency, currency: string): Promise<string> {
    await this.#provideProduct();
    const name = `${PLAN_NAMES[frequency]} (${currency})`;
    const plan =
      (await this.#findPlan(name)) ?? (await this.#createPlan(name, frequency, currency));
    if (plan.status !== 'ACTIVE')
      await this.#client.call('POST', `/v1/billing/plans/${plan.id}/activate`);
    return plan.id;
  }

  async #findPlan(name: string): Promise<Plan | undefined> {
    for (let page = 1; page <= MAX_PLAN_PAGES; page += 1) {
      const { plans = [] } = await this.#client.get<{ readonly plans?: readonly Plan[] }>(
        '/v1/billing/plans',
        { product_id: PRODUCT.id, page_size: String(PAGE_SIZE), page: String(page) },
      );
      const found = plans.find((plan) => plan.name === name);
      if (found || plans.length < PAGE_SIZE) return found;
    }
    throw createTooManyPagesError('GET /v1/billing/plans', MAX_PLAN_PAGES);
  }

  #createPlan(name: string, frequency: RecurringFrequency, currency: string): Promise<Plan> {
    return this.#client.call('POST', '/v1/billing/plans', {
      requestId: `${PRODUCT.id} ${frequency} ${currency}`,
      body: {
        product_id: PRODUCT.id,
        name,
        status: 'ACTIVE',
        billing_cycles: [
          {
            tenure_type: 'REGULAR',
            sequence: 1,
            total_cycles: 0,
            frequency: BILLING_FREQUENCIES[frequency],
            pricing_scheme: { fixed_price: toPayPalMoney(100, currency) },
          },
        ],
        payment_preferences: {
          // Prevents PayPal from adding the unpaid amount of a failed renewal to the next renewal.
          auto_bill_outstanding: false,
          payment_failure_threshold: MAX_FAILURES,
        },
      },
    });
  }

  async #provideProduct(): Promise<void> {
    if (await this.#client.get(`/v1/catalogs/products/${PRODUCT.id}`).catch(ignoreNotFoundError))
      return;
    await this.#client
      .call('POST', '/v1/catalogs/products', { requestId: PRODUCT.id, body: PRODUCT })
      .catch((error: unknown) => {
        // This error means that another server has created the product in the meantime.
        if (!(error instanceof PayPalError) || !error.hasAnyIssue('DUPLICATE_RESOURCE_IDENTIFIER'))
          throw error;
      });
  }
}
