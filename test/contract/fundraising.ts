import assert from 'node:assert/strict';
import * as api from '../../src/platform-clients/fundraising/index.ts';
import {
  type ActivityListRequest,
  type CampaignListRequest,
  FundraisingClient,
  type QueryOptions,
  type QueryRequest,
  type UntypedRecord,
} from '../../src/platform-clients/fundraising/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { type ContractCheck, type ContractTarget, createEnumerationChecks } from './contract.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

export interface FundraisingTarget extends ContractTarget {
  readonly client: FundraisingClient;
  /** Makes a call without the client; sends the right key by default. */
  readonly request: (
    path: string,
    options?: {
      readonly body?: unknown;
      readonly authorization?: string | null;
      readonly origin?: string;
    },
  ) => Promise<Response>;
  /** Opens an empty sandbox with its own clock. */
  readonly openAnother: () => {
    readonly client: FundraisingClient;
    readonly request: FundraisingTarget['request'];
    readonly advanceTime: (milliseconds: number) => void;
  };
}

/** The sandbox's query options; the specification does not document their shape. */
const parseOptions = (body: unknown): QueryOptions => body as QueryOptions;

/**
 * Opens the platform at `CONTRACT_FUNDRAISING_URL` with `CONTRACT_FUNDRAISING_KEY`; by default, the
 * sandbox.
 */
export function openFundraisingTarget(): FundraisingTarget {
  const { CONTRACT_FUNDRAISING_URL: url, CONTRACT_FUNDRAISING_KEY: apiKey = 'key' } = process.env;
  const openSandbox = (seed: boolean) => {
    let time = NOON;
    const sandbox = createSandbox({
      platformKey: apiKey,
      seed,
      now: () => new Date(time),
    });
    return {
      fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
        sandbox.fetch(new Request(input, init)),
      advanceTime: (milliseconds: number) => {
        time += milliseconds;
      },
    };
  };
  const createTarget = (fetch: typeof globalThis.fetch, baseUrl: string) => ({
    client: new FundraisingClient({
      baseUrl,
      apiKey,
      fetch,
      query: { parseOptions, conjunctField: 'conjunct' },
    }),
    request: ((path, { body, authorization = `Bearer ${apiKey}`, origin = baseUrl } = {}) =>
      fetch(origin + path, {
        headers: {
          ...(authorization !== null && { Authorization: authorization }),
          'Content-Type': 'application/json',
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })) satisfies FundraisingTarget['request'],
  });
  const main = url === undefined ? openSandbox(true) : { fetch, advanceTime: () => undefined };
  return {
    ...createTarget(main.fetch, url ?? 'https://platform.test'),
    isSandbox: url === undefined,
    advanceOneMinute: () => main.advanceTime(60_000),
    openAnother: () => {
      const other = openSandbox(false);
      return {
        ...createTarget(other.fetch, 'https://platform.test'),
        advanceTime: other.advanceTime,
      };
    },
  };
}

const listPath = (query = 'skip=0&take=5'): string => `/api/campaign/list?${query}`;
const isFailure = async (response: Response): Promise<boolean> => {
  assert.match(response.headers.get('Content-Type') ?? '', /^application\/json/);
  const body = (await response.json()) as { message?: unknown };
  return response.status !== 200 && typeof body.message === 'string' && body.message.length > 5;
};
/** Returns the first 100 campaigns, or those that a request lists. */
const listCampaigns = async (
  client: FundraisingClient,
  request: Partial<CampaignListRequest> = {},
): Promise<readonly UntypedRecord[]> =>
  (await client.listCampaigns({ skip: 0, take: 100, ...request })).body.items;
const listActivities = async (
  client: FundraisingClient,
  request: Partial<ActivityListRequest> = {},
): Promise<readonly UntypedRecord[]> =>
  (await client.listActivities({ skip: 0, take: 10_000, ...request })).body.items;
const queryCampaigns = async (
  client: FundraisingClient,
  request: Partial<QueryRequest> & Pick<QueryRequest, 'groups'>,
): Promise<readonly UntypedRecord[]> => {
  const { body: options } = await client.getQueryOptions('Campaign');
  return (await client.queryCampaigns({ skip: 0, take: 100, ...request }, options)).body.items;
};
const getIds = (records: readonly UntypedRecord[]): number[] => records.map(({ id }) => Number(id));
const filterByText = (records: readonly UntypedRecord[], text: string): UntypedRecord[] =>
  records.filter(
    (record) =>
      getText(record, 'name').includes(text) || getText(record, 'description').includes(text),
  );
const getText = (record: UntypedRecord, name: string): string => String(record[name]).toLowerCase();
const sortFields = ['id', 'name', 'startDate', 'endDate', 'givingGoal', 'avgGiftGoal'] as const;
const compareValues = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');

export const fundraisingContract: readonly ContractCheck<FundraisingTarget>[] = [
  {
    section: 'What the service does',
    sentence: 'plain HTTP calls fail',
    needsSandbox: true,
    run: async ({ request }) => {
      assert.ok(await isFailure(await request(listPath(), { origin: 'http://platform.test' })));
      assert.throws(
        () => new FundraisingClient({ baseUrl: 'http://platform.test', apiKey: 'key' }),
        TypeError,
      );
    },
  },
  {
    section: 'What the service does',
    sentence: 'all responses, errors included, are JSON',
    run: async ({ request }) => {
      for (const response of [
        await request(listPath()),
        await request('/api/nothing'),
        await request(listPath('')),
        await request(listPath(), { authorization: null }),
      ])
        assert.equal(typeof (await response.json()), 'object');
    },
  },
  {
    section: 'Authentication',
    sentence: 'every request must be authenticated or it fails',
    run: async ({ request, client }) => {
      for (const authorization of [null, 'Bearer other', 'Bearer'])
        assert.ok(await isFailure(await request(listPath(), { authorization })));
      assert.ok((await client.listCampaigns({ skip: 0, take: 1 })).body);
    },
  },
  {
    section: 'Authentication',
    sentence: 'the scheme is a static API key in the header Authorization: Bearer <API_KEY>',
    run: async ({ request }) => {
      assert.equal((await request(listPath())).status, 200);
      for (const authorization of ['Basic key', 'key'])
        assert.ok(await isFailure(await request(listPath(), { authorization })));
    },
  },
  {
    section: 'Paging',
    sentence: 'skip and take are required',
    run: async ({ request }) => {
      for (const query of [
        '',
        'skip=0',
        'take=5',
        'skip=-1&take=5',
        'skip=x&take=5',
        'skip=0&take=1.5',
      ])
        assert.ok(await isFailure(await request(listPath(query))), query);
      for (const body of [{}, { skip: 0 }, { take: 5 }])
        assert.ok(
          await isFailure(await request('/api/activity/list', { body })),
          JSON.stringify(body),
        );
    },
  },
  {
    section: 'Paging',
    sentence: 'skip 0 returns the first page, and take is the maximum number of records per page',
    run: async ({ client }) => {
      const campaigns = await listCampaigns(client, { take: 3 });
      assert.equal(campaigns.length, 3);
      for (const skip of [0, 1, 2])
        assert.deepEqual(await listCampaigns(client, { skip, take: 1 }), [campaigns[skip]]);
      const activities = await listActivities(client, { take: 2 });
      assert.deepEqual(await listActivities(client, { skip: 1, take: 1 }), [activities[1]]);
    },
  },
  {
    section: 'Paging',
    sentence: 'take 0 returns an empty items array',
    run: async ({ client }) => {
      assert.deepEqual((await client.listCampaigns({ skip: 0, take: 0 })).body, { items: [] });
      assert.deepEqual((await client.listActivities({ skip: 0, take: 0 })).body, { items: [] });
    },
  },
  {
    section: 'Paging',
    sentence: 'iterating over a list yields every record once',
    run: async ({ client }) => {
      const campaigns: UntypedRecord[] = [];
      for await (const campaign of client.iterateCampaigns({ take: 4 })) campaigns.push(campaign);
      assert.deepEqual(getIds(campaigns), getIds(await listCampaigns(client, { take: 500 })));
      let pages = 0;
      let seen = 0;
      for await (const { body } of client.iterateActivityPages({ take: 300 }))
        [pages, seen] = [pages + 1, seen + body.items.length];
      assert.equal(seen, (await listActivities(client, { take: 100_000 })).length);
      assert.equal(pages, Math.ceil(seen / 300));
    },
  },
  {
    section: 'Sorting',
    sentence:
      'campaigns sort by id, name, startDate, endDate, givingGoal, and avgGiftGoal, ' +
      'ascending unless descending is true',
    run: async ({ client }) => {
      for (const sortBy of sortFields) {
        const listSortedValues = async (order: { descending?: boolean }): Promise<unknown[]> =>
          (await listCampaigns(client, { sortBy, ...order })).map((campaign) => campaign[sortBy]);
        const ascending = await listSortedValues({});
        assert.deepEqual(ascending, ascending.toSorted(compareValues), sortBy);
        assert.ok(new Set(ascending).size > 1, sortBy);
        assert.deepEqual(await listSortedValues({ descending: false }), ascending);
        assert.deepEqual(
          await listSortedValues({ descending: true }),
          ascending.toReversed(),
          sortBy,
        );
      }
    },
  },
  {
    section: 'Sorting',
    sentence: 'valid values of sortBy depend on the endpoint, and others fail',
    run: async ({ request }) =>
      assert.ok(await isFailure(await request(listPath('skip=0&take=5&sortBy=description')))),
  },
  {
    section: 'Free-text filter rules',
    sentence: '1. a filter of campaigns matches the numeric id exactly',
    run: async ({ client }) => {
      const ids = getIds(await listCampaigns(client));
      for (const id of ids)
        assert.ok(getIds(await listCampaigns(client, { filter: String(id) })).includes(id));
      const part = String(ids[0]).slice(0, 2);
      const found = await listCampaigns(client, { filter: part });
      assert.deepEqual(filterByText(found, part), found);
    },
  },
  {
    section: 'Free-text filter rules',
    sentence: '1. a filter of campaigns matches text in name or description, ignoring case',
    run: async ({ client }) => {
      const campaigns = await listCampaigns(client);
      for (const field of ['name', 'description']) {
        const word = getText(campaigns[1]!, field).slice(0, 6);
        const found = await listCampaigns(client, { filter: word.toUpperCase() });
        assert.deepEqual(getIds(found), getIds(filterByText(campaigns, word)), field);
      }
    },
  },
  {
    section: 'Free-text filter rules',
    sentence: '2. a filter of activities matches text in the display text, ignoring case',
    needsSandbox: true,
    run: async ({ client }) => {
      const activities = await listActivities(client);
      const word = getText(activities[0]!, 'displayText').slice(2, 9);
      assert.deepEqual(
        await listActivities(client, { filter: word.toUpperCase() }),
        activities.filter((activity) => getText(activity, 'displayText').includes(word)),
      );
    },
  },
  {
    section: 'Activity list request',
    sentence: 'selectedActivityOrigins are the origins to include',
    needsSandbox: true,
    run: async ({ client, request }) => {
      const activities = await listActivities(client);
      for (const origin of Object.values(api.ActivityOrigin))
        assert.deepEqual(
          await listActivities(client, { selectedActivityOrigins: [origin] }),
          activities.filter((activity) => activity.origin === origin),
          String(origin),
        );
      const body = { skip: 0, take: 1, selectedActivityOrigins: [6] };
      assert.ok(await isFailure(await request('/api/activity/list', { body })));
    },
  },
  {
    section: 'Endpoints',
    sentence:
      'the options endpoint lists parameters, the operators that each supports, and result fields',
    run: async ({ client, request }) => {
      const {
        body: { parameters, columns },
      } = await client.getQueryOptions('Campaign');
      assert.ok(parameters.length > 0 && columns.length > 0);
      for (const { operators } of parameters)
        assert.ok(
          operators.length > 0 && operators.every((operator) => operator in api.QueryOperator),
        );
      for (const name of Object.keys(api.QueryType))
        assert.equal((await request(`/api/query/options/${name}`)).status, 200, name);
      assert.ok(await isFailure(await request('/api/query/options/Nothing')));
    },
  },
  {
    section: 'Query request model',
    sentence: 'for Between, value and secondaryValue are the inclusive bounds',
    run: async ({ client }) => {
      const ids = getIds(await listCampaigns(client, { sortBy: 'id' }));
      const [low, high] = [ids[1]!, ids[3]!];
      const condition = {
        parameter: 'id',
        operator: 'Between',
        value: String(low),
        secondaryValue: String(high),
      } as const;
      const found = getIds(await queryCampaigns(client, { groups: [{ conditions: [condition] }] }));
      assert.deepEqual(
        found.sort((a, b) => a - b),
        ids.filter((id) => id >= low && id <= high),
      );
    },
  },
  {
    section: 'Query request model',
    sentence: 'selectedColumns are the fields to return',
    run: async ({ client }) => {
      const campaigns = await queryCampaigns(client, {
        take: 2,
        selectedColumns: ['id', 'name'],
        groups: [{ conditions: [{ parameter: 'name', operator: 'IsKnown' }] }],
      });
      assert.equal(campaigns.length, 2);
      for (const campaign of campaigns)
        assert.deepEqual(Object.keys(campaign).sort(), ['id', 'name']);
    },
  },
  {
    section: 'Query request model',
    sentence: 'skip, take, and filter work as in lists',
    run: async ({ client }) => {
      const groups = [
        { conditions: [{ parameter: 'id', operator: 'GreaterThan', value: '0' }] },
      ] as const;
      const all = await queryCampaigns(client, { groups });
      assert.deepEqual(await queryCampaigns(client, { skip: 1, take: 2, groups }), all.slice(1, 3));
      const word = getText(all[0]!, 'name').slice(0, 4);
      const found = await queryCampaigns(client, { groups, filter: word });
      assert.deepEqual(found, filterByText(all, word));
      const { body: options } = await client.getQueryOptions('Campaign');
      let count = 0;
      for await (const { body } of client.iterateQueriedCampaignPages({ take: 2, groups }, options))
        count += body.items.length;
      assert.equal(count, all.length);
    },
  },
  {
    section: 'Query request model',
    sentence: 'a conjunct joins conditions or groups by And or Or',
    needsSandbox: true,
    run: async ({ client }) => {
      const [one, other] = ['101', '103'].map(
        (value) => ({ parameter: 'id', operator: 'Is', value }) as const,
      );
      for (const [conjunct, expected] of [
        ['Or', 2],
        ['And', 0],
      ] as const)
        for (const query of [
          { groups: [{ conjunct, conditions: [one!, other!] }] },
          { conjunct, groups: [{ conditions: [one!] }, { conditions: [other!] }] },
        ] as const)
          assert.equal((await queryCampaigns(client, query)).length, expected, conjunct);
    },
  },
  {
    section: 'Query request model',
    sentence: 'queryType, groups, and in them parameter and operator are required',
    run: async ({ request }) => {
      const good = {
        queryType: 'Campaign',
        skip: 0,
        take: 1,
        groups: [{ conditions: [{ parameter: 'id', operator: 'IsKnown' }] }],
      };
      assert.equal((await request('/api/campaign/query', { body: good })).status, 200);
      for (const change of [
        { queryType: undefined },
        { queryType: 'Gift' },
        { groups: undefined },
        { groups: [{ conditions: [] }] },
        { groups: [{ conditions: [{ operator: 'Is', value: '1' }] }] },
        { groups: [{ conditions: [{ parameter: 'id', value: '1' }] }] },
      ]) {
        assert.ok(
          await isFailure(await request('/api/campaign/query', { body: { ...good, ...change } })),
          JSON.stringify(change),
        );
      }
    },
  },
  {
    section: 'Errors',
    sentence:
      'success is status 200, and for nearly every other status a message explains the reason',
    run: async ({ client, request }) => {
      const response = await request(listPath('skip=0'));
      const { message } = (await response.clone().json()) as { message: string };
      assert.ok(await isFailure(response));
      await assert.rejects(
        client.call('GET', listPath('skip=0')),
        (error) =>
          error instanceof api.FundraisingError &&
          error.status === response.status &&
          error.message === message,
      );
    },
  },
  {
    section: 'Limits',
    sentence:
      'every response carries X-RateLimit-Limit (1,500 an hour), -Remaining, and -Reset (a Unix timestamp)',
    run: async ({ request, client }) => {
      const getRateLimitHeaders = ({ headers }: Response): (string | null)[] =>
        ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));
      const [limit, remaining, reset] = getRateLimitHeaders(await request(listPath()));
      assert.deepEqual([limit, /^\d+$/.test(reset ?? '')], ['1500', true]);
      for (const response of [
        await request(listPath('')),
        await request('/api/nothing'),
        await request(listPath(), { authorization: null }),
      ])
        assert.ok(getRateLimitHeaders(response).every((value) => value !== null));
      const { rateLimit } = await client.listCampaigns({ skip: 0, take: 0 });
      assert.deepEqual(
        [rateLimit.limit, rateLimit.remaining, rateLimit.resetsAt?.getTime()],
        [1_500, Number(remaining) - 4, Number(reset) * 1_000],
      );
    },
  },
  {
    section: 'Limits',
    sentence: '1,500 requests an hour; past the limit, requests receive 429 until the limit resets',
    needsSandbox: true,
    run: async ({ openAnother }) => {
      const { client, request, advanceTime } = openAnother();
      for (let calls = 0; calls < 1_500; calls += 1)
        assert.equal((await request(listPath('skip=0&take=0'))).status, 200);
      await assert.rejects(
        client.listCampaigns({ skip: 0, take: 0 }),
        (error) =>
          error instanceof api.RateLimitedError &&
          error.rateLimit.remaining === 0 &&
          error.rateLimit.resetsAt!.getTime() > NOON &&
          error.rateLimit.resetsAt!.getTime() <= NOON + HOUR,
      );
      advanceTime(HOUR);
      assert.equal((await client.listCampaigns({ skip: 0, take: 0 })).rateLimit.remaining, 1_499);
    },
  },
  ...createEnumerationChecks({
    ActivityOrigin: [
      api.ActivityOrigin,
      'Donor 0, Team 1, System 2, Giving 3, CRM 4, DonorPortal 5',
    ],
    PaymentMethodType: [api.PaymentMethodType, 'CreditCard 0, ACH 1, Wallet 4'],
    PaymentProviderType: [
      api.PaymentProviderType,
      'None 0, PlatformPayments 1, ThirdPartyProcessorA 2, ThirdPartyProcessorB 3',
    ],
    Frequency: [
      api.Frequency,
      'Annually 1, BiAnnual 2, Quarterly 4, Monthly 12, EveryOtherWeek 26, Weekly 52',
    ],
    AddressType: [
      api.AddressType,
      'Other 0, Shipping 1, Billing 2, Technical 3, Contact 4, None 5',
    ],
    ContactMethodType: [
      api.ContactMethodType,
      'Unknown 0, HomeEmail 10, WorkEmail 11, OtherEmail 12, HomePhone 20, WorkPhone 21, MobilePhone 22, Other 99',
    ],
    CustomFieldDataType: [
      api.CustomFieldDataType,
      'Boolean 0, Date 1, Decimal 2, Text 3, List 4, Link 5, Integer 6, Paragraph 7, Multiselect 8',
    ],
    CustomFieldEntityType: [
      api.CustomFieldEntityType,
      'Contact 0, ContactIndividual 1, Gift 2, Event 3, EventInvitation 4, Project 5, ' +
        'VolunteerOpportunity 6, Grant 7, Premium 8, GiftAsk 9, MediaOutlet 10, PlannedGift ' +
        '11, Pledge 12, RecurringGift 13, Membership 14, ContactNote 15',
    ],
    CustomFieldDataFormatter: [
      api.CustomFieldDataFormatter,
      'None 0, Numeric 1, NumericWithFractional 2, Currency 3, CurrencyWithDecimals 4, ' +
        'Dropdown 5, ListRadio 6, ListCheckbox 7, BooleanButton 8, BooleanRadio 9',
    ],
    GiftStatus: [
      api.GiftStatus,
      'Approved 1, Declined 2, Voided 3, Refunded 4, Error 5, Pending 8, DisputedWon 9, Disputed 10, DisputedLost 11',
    ],
    RecurringGiftStatus: [
      api.RecurringGiftStatus,
      'Active 1, Cancelled 2, Suspended 4, Retrying 6',
    ],
    QueryOperator: [
      api.QueryOperator,
      'Is 0, IsNot 1, IsKnown 2, IsNotKnown 3, LessThan 4, LessThanOrEqual 5, GreaterThan 6, ' +
        'GreaterThanOrEqual 7, Contains 8, StartsWith 9, EndsWith 10, IsTrue 11, IsFalse 12, ' +
        'IsSet 13, IsNotSet 14, In 15, NotIn 16, Between 17, Before 18, After 19, IsAnyOf 20, ' +
        'IsNoneOf 21, Matches 22, IsIn 23, IsNotIn 24, HasAny 25, HasNone 26, DoesNotContain ' +
        '27, OnOrBefore 28, OnOrAfter 29',
    ],
    QueryType: [
      api.QueryType,
      'Other 0, Donor 1, DonorAddress 2, Gift 3, Project 4, Premium 5, Page 6, RecurringGift 7, Campaign 8, Segment 9',
    ],
    ConjunctOperator: [api.ConjunctOperator, 'And 0, Or 1'],
    WebhookStatus: [api.WebhookStatus, 'Active 1, Paused 2'],
    WebhookFormat: [api.WebhookFormat, 'JSON 1, XML 2'],
    EventType: [
      api.EventType,
      'Gift_Added 10, Gift_Modified 11, Gift_Deleted 12, Donor_Added 20, Donor_Modified 21, ' +
        'Donor_Deleted 22, RecurringGift_Added 30, RecurringGift_Modified 31, ' +
        'RecurringGift_Deleted 32, Project_Added 40, Project_Modified 41, Project_Deleted 42, ' +
        'Premium_Added 50, Premium_Modified 51, Premium_Deleted 52',
    ],
  }),
];
