import { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import type { PaymentRequest } from '../../../src/server/payments/payment-gateway.ts';
import type {
  PlatformAdapter,
  PlatformGift,
} from '../../../src/server/platform/platform-adapter.ts';
import { createPaymentRequest } from '../payments/test-provider.ts';

/** Capabilities that an adapter may lack, each tested by the contract. */
export type Capability =
  'creates' | 'idempotent create' | 'lookup' | 'updates' | 'lists' | 'pending';

/** Capabilities that an adapter lacks, each with the reason. Their tests do not apply to it. */
export type MissingCapabilities = Readonly<Partial<Record<Capability, string>>>;

/** A gift, as the emulated platform has it. */
export interface RecordedGift {
  readonly reference: string;
  /** Decimal string in major units. */
  readonly total: string;
}

/** An emulated platform and the adapter under test. */
export interface TestPlatform extends AsyncDisposable {
  readonly adapter: PlatformAdapter;
  /** Faults that the next calls of the adapter meet. */
  readonly faults: CallFaults;
  /** Lists everything that the platform has recorded. */
  readonly listGifts: () => Promise<readonly RecordedGift[]>;
  /** Makes recorded gifts visible to lookups, if that takes the platform a while. */
  readonly waitUntilVisible?: () => void;
  /** Creates the gift in another way, if the adapter does not create gifts. */
  readonly prepareGift?: (gift: PlatformGift) => Promise<unknown>;
}

/** What happens to a call: it fails before or after the platform has processed it. */
export type CallFault =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'lost reply' }
  | { readonly kind: 'broken reply' }
  | { readonly kind: 'status'; readonly status: number };

/** Faults of an adapter's calls, in order. Without one, a call succeeds. */
export class CallFaults {
  readonly #next: CallFault[] = [];
  /** Calls that the platform has processed, such as `POST /api/v2/Gift/Transaction`. */
  readonly processed: string[] = [];

  add(...faults: readonly CallFault[]): void {
    this.#next.push(...faults);
  }

  /** Wraps the platform's handler. */
  wrap(handle: (request: Request) => Response | Promise<Response>): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const fault = this.#next.shift();
      if (fault?.kind === 'unreachable') throw createSocketError('ECONNREFUSED');
      if (fault?.kind === 'status') return Response.json({}, { status: fault.status });
      this.processed.push(`${request.method} ${new URL(request.url).pathname}`);
      const response = await handle(request);
      if (fault?.kind === 'lost reply') throw createSocketError('ECONNRESET');
      return fault?.kind === 'broken reply' ? new Response('<html>') : response;
    };
  }
}

/** Creates a client of a platform that answers in this way. */
export const createClient = (
  answer: (request: Request) => Response | Promise<Response>,
  baseUrl = 'https://platform.test',
): FundraisingClient =>
  new FundraisingClient({
    baseUrl,
    apiKey: 'key',
    fetch: async (input, init) => answer(new Request(input, init)),
  });

const createSocketError = (code: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

let giftCount = 0;

/** Creates a gift with a reference of its own: 50 dollars, and 1.81 for the fees. */
export function createGift(changes: Partial<PlatformGift> = {}): PlatformGift {
  giftCount += 1;
  return {
    reference: `TEST${giftCount}-QXD2P`,
    parent: undefined,
    giftStatus: 1,
    receiptSender: 'none',
    paymentId: `ch_${giftCount}`,
    provider: 'stripe',
    paymentMethod: 0,
    givenAt: new Date('2026-11-21T12:00:00Z'),
    total: '51.81',
    coveredFees: '1.81',
    gift: {
      amount: 5_000,
      coveredFees: 181,
      total: 5_181,
      currency: 'USD',
      frequency: 'once',
      coverCosts: true,
      projects: [{ id: '2', amount: 5_000 }],
    },
    donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
    consents: [],
    customFields: [],
    tracking: {},
    projects: [{ id: '2', code: 'WATER', name: 'Village wells', amount: '50.00' }],
    ...changes,
  };
}

/** Creates the request to charge a gift, for a platform that charges and records in one call. */
export const createGiftRequest = (gift: PlatformGift, token = 'good-1'): PaymentRequest =>
  createPaymentRequest({
    reference: gift.reference,
    token,
    returnUrl: undefined,
    createPlatformGift: () => gift,
  });
