import type { JsonObject } from '../lib/request-parsing.ts';
import {
  ApiError,
  createErrorDetail,
  InvalidRequestError,
  UnprocessableError,
} from './api-error.ts';
import { createLink, type PayPalContext } from './context.ts';
import { createId } from './ids.ts';
import { type Money, parsePrice } from './money.ts';
import type { Interval, Plan, Product } from './records.ts';

/** A request to create a plan, after validation by `PLAN_SHAPE`. */
export interface PlanRequest {
  readonly product_id: string;
  readonly status?: 'CREATED' | 'ACTIVE' | 'INACTIVE';
  readonly billing_cycles: readonly {
    readonly pricing_scheme?: { readonly fixed_price?: Money };
    readonly frequency: {
      readonly interval_unit: Interval['unit'];
      readonly interval_count?: number;
    };
    readonly tenure_type: 'REGULAR' | 'TRIAL';
    readonly sequence: number;
    readonly total_cycles?: number;
  }[];
  readonly payment_preferences: {
    readonly auto_bill_outstanding?: boolean;
    readonly payment_failure_threshold?: number;
  };
  readonly quantity_supported?: boolean;
}

/** Manages the products of Catalog Products v1 and the plans of Subscriptions v1. */
export class Catalog {
  readonly #context: PayPalContext;

  constructor(context: PayPalContext) {
    this.#context = context;
  }

  /**
   * Creates a product.
   * @throws UnprocessableError if the ID is already in use.
   */
  createProduct(request: JsonObject): Product {
    const { store, events, getTime } = this.#context;
    const id = typeof request.id === 'string' ? request.id : createId('PROD-');
    if (store.findRecord('product', id))
      throw new UnprocessableError('DUPLICATE_RESOURCE_IDENTIFIER');
    const product = store.insertRecord<Product>({
      kind: 'product',
      id,
      request,
      createTime: getTime(),
    });
    events.recordEvent('CATALOG.PRODUCT.CREATED', 'product', () => this.serializeProduct(product));
    return product;
  }

  /**
   * Creates a plan with one regular billing cycle. Does not emulate trials.
   * @throws ApiError if PayPal would not create the plan.
   */
  createPlan(request: PlanRequest): Plan {
    const { store, events, getTime } = this.#context;
    if (!store.findRecord('product', request.product_id))
      throw new ApiError(404, [
        createErrorDetail('INVALID_RESOURCE_ID', {
          field: '/product_id',
          value: request.product_id,
        }),
      ]);
    const cycles = request.billing_cycles;
    const [cycle] = cycles;
    if (!cycles.some(({ tenure_type }) => tenure_type === 'REGULAR'))
      throw new UnprocessableError('MISSING_REGULAR_BILLING_CYCLE');
    if (cycles.length > 1)
      throw new UnprocessableError('MULTIPLE_REGULAR_BILLING_CYCLES_NOT_SUPPORTED');
    if (cycle!.sequence !== 1) throw new UnprocessableError('INVALID_BILLING_CYCLE_SEQUENCE');
    const price = cycle!.pricing_scheme?.fixed_price;
    if (!price)
      throw new InvalidRequestError([
        createErrorDetail('MISSING_REQUIRED_PARAMETER', {
          field: '/billing_cycles/0/pricing_scheme',
          location: 'body',
          description: 'A required field is missing.',
        }),
      ]);
    const time = getTime();
    const plan = store.insertRecord<Plan>({
      kind: 'plan',
      id: createId('P-', 24),
      request: request as unknown as JsonObject,
      status: request.status ?? 'ACTIVE',
      price: parsePrice(price, '/billing_cycles/0/pricing_scheme/fixed_price'),
      interval: {
        unit: cycle!.frequency.interval_unit,
        count: cycle!.frequency.interval_count ?? 1,
      },
      totalCycles: cycle!.total_cycles ?? 1,
      acceptsQuantity: request.quantity_supported ?? false,
      billsOutstanding: request.payment_preferences.auto_bill_outstanding ?? true,
      failureThreshold: request.payment_preferences.payment_failure_threshold ?? 0,
      createTime: time,
      updateTime: time,
    });
    events.recordEvent('BILLING.PLAN.CREATED', 'plan', () => this.serializePlan(plan));
    return plan;
  }

  changePlanStatus(id: string, status: 'ACTIVE' | 'INACTIVE'): void {
    const { store, events, getTime } = this.#context;
    const plan = store.getRecord('plan', id);
    const isWrong = status === 'ACTIVE' ? plan.status === 'ACTIVE' : plan.status !== 'ACTIVE';
    if (isWrong)
      throw new UnprocessableError('PLAN_STATUS_INVALID', {
        description:
          status === 'ACTIVE'
            ? 'Invalid plan status for activate action; plan status should be either created or inactive.'
            : 'Invalid plan status for deactivate action; plan status should be active.',
      });
    plan.status = status;
    plan.updateTime = getTime();
    const type = status === 'ACTIVE' ? 'ACTIVATED' : 'DEACTIVATED';
    events.recordEvent(`BILLING.PLAN.${type}`, 'plan', () => this.serializePlan(plan));
  }

  serializeProduct({ id, request, createTime }: Product): object {
    const url = `${this.#context.getBaseUrl()}/v1/catalogs/products/${id}`;
    return {
      ...request,
      id,
      create_time: createTime,
      update_time: createTime,
      links: [createLink(url, 'self')],
    };
  }

  serializePlan({ id, request, status, createTime, updateTime }: Plan): object {
    const url = `${this.#context.getBaseUrl()}/v1/billing/plans/${id}`;
    return {
      ...request,
      id,
      status,
      create_time: createTime,
      update_time: updateTime,
      links: [createLink(url, 'self')],
    };
  }

  /** Returns the fields of a plan that the API returns by default when it creates the plan. */
  serializeMinimalPlan(plan: Plan): object {
    const { id, status, links } = this.serializePlan(plan) as JsonObject;
    return { id, status, links };
  }
}
