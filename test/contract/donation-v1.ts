import assert from 'node:assert/strict';
import * as api from '../../src/platform-clients/donation-v1/index.ts';
import {
  type DonationListRequest,
  DonationPlatformClient,
  type UntypedRecord,
} from '../../src/platform-clients/donation-v1/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { type ContractCheck, type ContractTarget, createEnumerationChecks } from './contract.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const applications = [
  {
    name: 'website',
    active: true,
    keys: [
      { name: 'write', key: 'key', access: 'read/write' },
      { name: 'read', key: 'read-only-key', access: 'read-only' },
    ],
  },
  {
    name: 'old',
    active: false,
    keys: [{ name: 'write', key: 'inactive-key', access: 'read/write' }],
  },
] as const;

type SendRequest = (
  path: string,
  options?: {
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly method?: string;
    readonly body?: string;
    readonly origin?: string;
  },
) => Promise<Response>;

export interface DonationV1Target extends ContractTarget {
  readonly client: DonationPlatformClient;
  /**
   * Makes a call without the client. `headers` replace the default ones; `undefined` removes one.
   */
  readonly request: SendRequest;
  /** Opens an empty sandbox with its own clock and rate limits. */
  readonly openAnother: () => {
    readonly client: DonationPlatformClient;
    readonly request: SendRequest;
    readonly advanceTime: (milliseconds: number) => void;
  };
}

let organizations = 0;

/**
 * Opens the platform at `CONTRACT_V1_URL` with `CONTRACT_V1_ORGANIZATION` and `CONTRACT_V1_KEY`; by
 * default, the sandbox.
 */
export function openDonationV1(): DonationV1Target {
  const {
    CONTRACT_V1_URL: url,
    CONTRACT_V1_ORGANIZATION: organization,
    CONTRACT_V1_KEY: licenseKey = 'key',
  } = process.env;
  const openTarget = (seed: boolean) => {
    let time = NOON;
    organizations += 1;
    const organizationKey = organization ?? `organization-${organizations}`;
    const sandbox = createSandbox({
      platformKey: 'platform',
      seed,
      v1: { organizationKey, applications },
      now: () => new Date(time),
    });
    const fetchPlatform: typeof fetch =
      url === undefined ? async (input, init) => sandbox.fetch(new Request(input, init)) : fetch;
    const baseUrl = url ?? 'https://v1.test';
    const request: SendRequest = (
      path,
      { headers = {}, method = 'GET', body, origin = baseUrl } = {},
    ) => {
      const allHeaders = {
        'Content-Type': 'application/json',
        'X-OrganizationKey': organizationKey,
        Authorization: `Basic ${licenseKey}`,
        ...headers,
      };
      return fetchPlatform(origin + path, {
        method,
        headers: Object.entries<string | undefined>(allHeaders).flatMap(
          ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
        ),
        ...(body !== undefined && { body }),
      });
    };
    return {
      client: new DonationPlatformClient({
        baseUrl,
        organizationKey,
        licenseKey,
        fetch: fetchPlatform,
        now: () => time,
      }),
      request,
      advanceTime: (milliseconds: number) => {
        time += milliseconds;
      },
    };
  };
  const main = openTarget(true);
  return {
    ...main,
    isSandbox: url === undefined,
    advanceOneMinute: () => main.advanceTime(MINUTE),
    openAnother: () => openTarget(false),
  };
}

const isFailure = async (response: Response): Promise<boolean> => {
  const body = (await response.json()) as { message?: unknown };
  return (
    response.status >= 400 &&
    response.status < 500 &&
    typeof body.message === 'string' &&
    body.message.length > 5
  );
};
const readPagination = (response: Response): Record<string, unknown> =>
  JSON.parse(response.headers.get('x-pagination') ?? '{}') as Record<string, unknown>;
const toDay = (date: unknown): string => api.parseDate(String(date)).toISOString().slice(0, 10);
const getIds = (records: readonly UntypedRecord[]): unknown[] => records.map(({ id }) => id);
/** Returns all donations that a request finds. */
const listAllDonations = (
  client: DonationPlatformClient,
  request: DonationListRequest = {},
): Promise<UntypedRecord[]> => Array.fromAsync(client.iterateDonations(request));

export const donationV1Contract: readonly ContractCheck<DonationV1Target>[] = [
  {
    section: 'Authentication',
    sentence: '1. HTTPS is required; requests over plain HTTP fail',
    needsSandbox: true,
    run: async ({ request }) => {
      assert.ok(await isFailure(await request('/v1/donors', { origin: 'http://v1.test' })));
      assert.throws(
        () =>
          new DonationPlatformClient({
            baseUrl: 'http://v1.test',
            organizationKey: 'o',
            licenseKey: 'k',
          }),
        TypeError,
      );
    },
  },
  {
    section: 'Authentication',
    sentence:
      '2. the headers are Content-Type, X-OrganizationKey, and Authorization: Basic <LICENSE_KEY>',
    run: async ({ request, client }) => {
      assert.equal((await request('/v1/donors')).status, 200);
      assert.ok((await client.listDonors()).body.length > 0);
      for (const headers of [
        { 'X-OrganizationKey': undefined },
        { 'X-OrganizationKey': 'other' },
        { Authorization: undefined },
        { Authorization: 'Basic other' },
        { Authorization: 'Bearer key' },
      ])
        assert.ok(
          await isFailure(await request('/v1/donors', { headers })),
          JSON.stringify(headers),
        );
    },
  },
  {
    section: 'Authentication',
    sentence:
      '4. a license key is read-only or read/write, and stops working if its application is deactivated',
    needsSandbox: true,
    run: async ({ request }) => {
      const readOnly = { Authorization: 'Basic read-only-key' };
      const before = await request('/v1/donors', { headers: readOnly });
      assert.equal(before.status, 200);
      const refused = await request('/v1/donors', {
        headers: readOnly,
        method: 'POST',
        body: '{}',
      });
      assert.ok((await isFailure(refused.clone())) && (await refused.text()).includes('read-only'));
      assert.deepEqual(readPagination(await request('/v1/donors')), readPagination(before));
      assert.ok(
        await isFailure(
          await request('/v1/donors', { headers: { Authorization: 'Basic inactive-key' } }),
        ),
      );
    },
  },
  {
    section: 'What the service does',
    sentence: 'cross-origin resource sharing is supported',
    run: async ({ request }) => {
      const { headers } = await request('/v1/donors', {
        headers: { Origin: 'https://lanternwell.example' },
      });
      assert.ok(headers.has('Access-Control-Allow-Origin'));
    },
  },
  {
    section: 'What the service does',
    sentence: 'public endpoints work without authentication and are not throttled',
    needsSandbox: true,
    run: async ({ openAnother }) => {
      const { client, request } = openAnother();
      for (let calls = 0; calls < 120; calls += 1) await client.callPublicEndpoint('/public/funds');
      const { status, headers } = await request('/public/funds', {
        headers: { 'X-OrganizationKey': undefined, Authorization: undefined },
      });
      assert.deepEqual([status, headers.get('X-Rate-Limit-Limit')], [200, null]);
    },
  },
  {
    section: 'Optional query parameters',
    sentence: 'page defaults to 1 and pageSize to 20',
    run: async ({ request, client }) => {
      const response = await request('/v1/donations');
      const items = (await response.json()) as unknown[];
      assert.equal(items.length, Math.min(20, Number(readPagination(response).totalCount)));
      assert.deepEqual((await client.listDonations({ page: 1, pageSize: 20 })).body, items);
      assert.deepEqual(
        (await client.listDonations({ page: 2, pageSize: 10 })).body,
        items.slice(10),
      );
    },
  },
  {
    section: 'Limits',
    sentence: 'pageSize is at most 200, enforced by the server',
    run: async ({ request, client }) => {
      const response = await request('/v1/donations?pageSize=5000');
      const { totalCount, totalPages } = readPagination(response);
      assert.ok(((await response.json()) as unknown[]).length <= 200);
      assert.equal(totalPages, Math.ceil(Number(totalCount) / 200));
      await assert.rejects(client.listDonations({ pageSize: 201 }), RangeError);
      const { body } = await client.listDonations({ pageSize: 200 });
      assert.equal(body.length, Math.min(200, Number(totalCount)));
    },
  },
  {
    section: 'Endpoints',
    sentence:
      '2. x-pagination has totalCount, totalPages, prevPageLink, and nextPageLink; a link is empty if there is none',
    run: async ({ request, client }) => {
      const first = readPagination(await request('/v1/donors?pageSize=7'));
      const { totalCount, totalPages } = first;
      assert.deepEqual(Object.keys(first).sort(), [
        'nextPageLink',
        'prevPageLink',
        'totalCount',
        'totalPages',
      ]);
      assert.equal(totalPages, Math.ceil(Number(totalCount) / 7));
      const last = readPagination(
        await request(`/v1/donors?pageSize=7&page=${String(totalPages)}`),
      );
      assert.deepEqual([first.prevPageLink, last.nextPageLink], ['', '']);
      assert.equal(new URL(String(first.nextPageLink)).searchParams.get('page'), '2');
      const { pagination } = await client.listDonors({ pageSize: 7 });
      assert.deepEqual(pagination, { totalCount, totalPages, nextPageLink: first.nextPageLink });
    },
  },
  {
    section: 'Endpoints',
    sentence: '1. the pages of a list contain every object once',
    run: async ({ client }) => {
      const pages = await Array.fromAsync(client.iterateDonorPages({ pageSize: 50 }));
      const ids = new Set(pages.flatMap(({ body }) => getIds(body)));
      const { pagination } = await client.listDonors({ pageSize: 50 });
      assert.deepEqual([ids.size, pages.length], [pagination?.totalCount, pagination?.totalPages]);
    },
  },
  {
    section: 'Dates',
    sentence: 'date-times are UTC, MM/DD/YYYY HH:MM:SS AM/PM',
    run: async ({ client }) => {
      const { body } = await client.listDonations({ pageSize: 200 });
      for (const { dateCreated, lastModified } of body)
        for (const date of [dateCreated, lastModified])
          assert.equal(api.formatDate(api.parseDate(String(date))), date);
      assert.deepEqual(
        [
          api.parseDate('11/21/2026 12:00:05 AM').toISOString(),
          api.parseDate('11/21/2026 01:30:00 PM').toISOString(),
        ],
        ['2026-11-21T00:00:05.000Z', '2026-11-21T13:30:00.000Z'],
      );
    },
  },
  {
    section: 'Optional query parameters',
    sentence: 'createdAfter and createdBefore include their own day',
    run: async ({ client }) => {
      const all = await listAllDonations(client);
      const days = [...new Set(all.map(({ dateCreated }) => toDay(dateCreated)))].sort();
      const [from, to] = [days[2]!, days.at(-3)!];
      const list = (createdBefore: string) =>
        listAllDonations(client, { createdAfter: from, createdBefore });
      const expected = all.filter(
        ({ dateCreated }) => toDay(dateCreated) >= from && toDay(dateCreated) <= to,
      );
      assert.deepEqual(getIds(await list(to)), getIds(expected));
      assert.ok((await list(from)).length > 0);
    },
  },
  {
    section: 'Optional query parameters',
    sentence: 'modifiedOnOrAfter includes its own day',
    run: async ({ client }) => {
      const all = await listAllDonations(client);
      const day = all
        .map(({ lastModified }) => toDay(lastModified))
        .sort()
        .at(-5)!;
      const found = await listAllDonations(client, { modifiedOnOrAfter: day });
      const expected = all.filter(({ lastModified }) => toDay(lastModified) >= day);
      assert.deepEqual(getIds(found), getIds(expected));
      assert.ok(found.length > 0 && found.length < all.length);
    },
  },
  {
    section: 'Optional query parameters',
    sentence: 'includeTestTransactions adds test transactions; false by default',
    needsSandbox: true,
    run: async ({ client }) => {
      const live = await listAllDonations(client);
      const all = await listAllDonations(client, { includeTestTransactions: true });
      const withoutTests = await listAllDonations(client, { includeTestTransactions: false });
      assert.equal(withoutTests.length, live.length);
      assert.ok(
        all.length > live.length &&
          live.every(({ isTest }) => isTest === false) &&
          all.some(({ isTest }) => isTest === true),
      );
    },
  },
  {
    section: 'Optional query parameters',
    sentence: "includeDetails adds nested data, such as a donor's addresses; false by default",
    needsSandbox: true,
    run: async ({ client }) => {
      const plain = await client.listDonors({ pageSize: 200 });
      const detailed = await client.listDonors({ pageSize: 200, includeDetails: true });
      assert.ok(
        plain.body.every((donor) => !('addresses' in donor)) &&
          detailed.body.some(({ addresses }) => Array.isArray(addresses) && addresses.length > 0),
      );
    },
  },
  {
    section: 'Optional query parameters',
    sentence:
      'searchString searches key properties, code a user-defined code, isActiveOnly active versus inactive records',
    needsSandbox: true,
    run: async ({ client }) => {
      const list = async (request: Parameters<typeof client.listDonors>[0]) =>
        (await client.listDonors({ ...request, pageSize: 200 })).body;
      const donor = (await list({}))[0]!;
      const sought = await list({ searchString: String(donor.email).toUpperCase() });
      assert.ok(getIds(sought).includes(donor.id));
      const coded = await list({ code: String(donor.code) });
      assert.ok(coded.every(({ code }) => code === donor.code));
      for (const isActiveOnly of [true, false]) {
        const found = await list({ isActiveOnly });
        assert.ok(
          found.length > 0 && found.every(({ isActive }) => isActive === isActiveOnly),
          String(isActiveOnly),
        );
      }
    },
  },
  {
    section: 'Resources and their fields',
    sentence: 'isDeleted filters donations',
    needsSandbox: true,
    run: async ({ client }) => {
      for (const isDeleted of [true, false]) {
        const found = await listAllDonations(client, { isDeleted, includeTestTransactions: true });
        assert.ok(
          found.length > 0 && found.every((donation) => donation.isDeleted === isDeleted),
          String(isDeleted),
        );
      }
    },
  },
  {
    section: 'Errors',
    sentence: '1. and 2. 4xx means that the request is invalid, and the body has a message',
    run: async ({ request, client }) => {
      for (const query of [
        'page=0',
        'page=x',
        'pageSize=0',
        'createdAfter=01/02/2026',
        'createdAfter=2026-02-30',
        'includeDetails=maybe',
        'includeTestTransactions=maybe',
      ])
        for (const path of ['/v1/donations', '/v1/donors'])
          assert.ok(await isFailure(await request(`${path}?${query}`)), query);
      const refused = await request('/v1/donations?page=0');
      const { message } = (await refused.json()) as { message: string };
      await assert.rejects(
        client.call('GET', '/v1/donations?page=0'),
        (error) =>
          error instanceof api.DonationPlatformError &&
          error.message === message &&
          error.status >= 400,
      );
    },
  },
  {
    section: 'Limits',
    sentence:
      'each response carries X-Rate-Limit-Limit (the period), -Remaining, and -Reset (ISO 8601, UTC)',
    run: async ({ request, client }) => {
      for (const response of [
        await request('/v1/donors'),
        await request('/v1/donations?page=0'),
        await request('/v1/donors', { headers: { Authorization: undefined } }),
      ]) {
        const [period, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map(
          (name) => response.headers.get(`X-Rate-Limit-${name}`) ?? '',
        );
        assert.match(period!, /^1[mhd]$/);
        assert.match(remaining!, /^\d+$/);
        assert.equal(new Date(reset!).toISOString(), reset);
      }
      const { rateLimit } = await client.listDonors();
      assert.ok(
        rateLimit.period !== undefined &&
          rateLimit.remaining !== undefined &&
          rateLimit.resetsAt !== undefined,
      );
    },
  },
  ...(
    [
      ['1m', 100, MINUTE],
      ['1h', 1_000, HOUR],
      ['1d', 4_000, DAY],
    ] as const
  ).map(([period, requests, length]): ContractCheck<DonationV1Target> => ({
    section: 'Limits',
    sentence: `${period}: ${requests} requests; a throttled request gets message and details with the seconds to wait`,
    needsSandbox: true,
    run: async ({ openAnother }) => {
      const { client, request, advanceTime } = openAnother();
      const hour = period === '1d' ? 900 : 1_000;
      let passed = 0;
      for (let sent = 0; sent < requests; sent += 1) {
        let wait = 0;
        if (sent > 0 && sent % 100 === 0) wait = MINUTE;
        if (sent > 0 && sent % hour === 0) wait = HOUR;
        advanceTime(wait);
        passed += wait;
        assert.equal((await request('/v1/donors')).status, 200, `${sent} requests`);
      }
      if (period !== '1m') advanceTime(MINUTE);
      if (period === '1d') advanceTime(HOUR);
      const throttled = await request('/v1/donors');
      const { message, details } = (await throttled.clone().json()) as {
        message: string;
        details: string;
      };
      const seconds = Number(throttled.headers.get('Retry-After'));
      assert.ok(
        !throttled.ok &&
          message.length > 5 &&
          details.includes(String(requests)) &&
          details.includes(String(seconds)),
        details,
      );
      assert.ok(seconds > 0 && seconds * 1_000 <= length - passed + MINUTE, String(seconds));
      await assert.rejects(
        client.listDonors(),
        (error) =>
          error instanceof api.ThrottledError &&
          error.wasSent &&
          error.message === message &&
          error.details === details,
      );
      advanceTime(length);
      assert.equal((await request('/v1/donors')).status, 200);
    },
  })),
  {
    section: 'Limits',
    sentence: 'all limits apply at once, and the client holds back requests that would exceed one',
    needsSandbox: true,
    run: async ({ openAnother }) => {
      const { client, advanceTime } = openAnother();
      let sent = 0;
      let held = 0;
      while (sent < 1_050) {
        try {
          await client.listDonors();
          sent += 1;
        } catch (error) {
          assert.ok(error instanceof api.ThrottledError && !error.wasSent, String(error));
          held += 1;
          advanceTime(MINUTE);
        }
      }
      assert.ok(held >= 60, String(held));
    },
  },
  {
    section: 'Versioning',
    sentence: 'campaign endpoints exist in v2, and the v1 endpoint is deprecated',
    needsSandbox: true,
    run: async ({ client }) => {
      await assert.rejects(client.call('GET', '/v1/campaigns'), RangeError);
      assert.ok(Array.isArray((await client.call('GET', '/v2/campaigns')).body));
    },
  },
  ...createEnumerationChecks({
    CardBrand: [api.CardBrand, 'NetworkA 1, NetworkB 2, NetworkC 3, NetworkD 4, Other 5'],
    PaymentTenderType: [
      api.PaymentTenderType,
      'None 0, CreditCard 1, ECheck 2, Cash 4, Check 5, Stock 6, Other 7, BankLinking 8, DigitalWallet 9, Free 10',
    ],
    DonationStatus: [
      api.DonationStatus,
      'Approved 1, Declined 2, Voided 3, Refunded 4, Error 5, HeldForReview 6, ChargeBack 7, ' +
        'Pending 8, DisputedWon 9, Disputed 10, DisputedLost 11',
    ],
    RecurringScheduleStatus: [
      api.RecurringScheduleStatus,
      'Active 1, Cancelled 2, Expired 3, Suspended 4, Terminated 5, Error 6',
    ],
    RecurringFrequency: [
      api.RecurringFrequency,
      'Annually 1, Biannually 2, Quarterly 4, Monthly 12, Weekly 52, Other 100',
    ],
    AddressType: [api.AddressType, 'Shipping 1, Billing 2, Technical 3, Contact 4'],
    WebhookEventType: [
      api.WebhookEventType,
      'Donation.Created 1, Donation.Edited 2, Donor.Created 3, Donor.Edited 4, Donor.Deleted ' +
        '5, Schedule.Created 6, Schedule.Edited 7, Schedule.Deleted 8, Fund.Created 9, ' +
        'Fund.Edited 10, Fund.Deleted 11, Campaign.Created 12, Campaign.Edited 13, ' +
        'Campaign.Deleted 14, Product.Created 16, Product.Edited 17, Product.Deleted 18',
    ],
    WebhookStatus: [api.WebhookStatus, 'Active 1, Paused 2'],
    WebhookFormat: [api.WebhookFormat, 'JSON 1, XML 2'],
    AmountDisplayType: [
      api.AmountDisplayType,
      'TextBox 1, PrePopulatedAmount 2, SuggestedAmounts 3',
    ],
    FrequencyOptions: [api.FrequencyOptions, 'Recurring 1, OneTime 2, Either 3'],
    PaymentTenderSupported: [api.PaymentTenderSupported, 'CC 1, ACH 2, CcAndAch 3'],
    FundDisplayType: [api.FundDisplayType, 'Single 0, Multiple_TableLayout 1, Fund_ShoppingCart 2'],
  }),
];
