import {
  FundraisingClient,
  FundraisingError,
  RateLimitedError,
} from '@donation-form/platform-clients/fundraising';
import { DEFAULT_FIND_DELAY } from '../donations/outbox-decisions.ts';
import { isReference } from '../donations/reference.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { checkClockSkew } from '../lib/clock-skew.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';
import type { Organization } from '../organizations/organization.ts';
import type { ListedPlatformGift, PlatformReader } from '../platform/platform-adapter.ts';

/** Paths of the calls that check a key, by adapter. For other adapters, lists campaigns. */
const KEY_CALLS: Readonly<Record<string, string>> = {
  'virtuous-crm': '/api/Organization/Current',
  'virtuous-raise': '/api/Gift/list?Skip=0&Take=1',
};

const DAY = 86_400_000;

/** A reference that no donation can have, because references never contain O or 0. */
const UNUSED_REFERENCE = 'CHECK-00000';

export interface PlatformCheckOptions {
  readonly organization: Pick<Organization, 'id' | 'platform'>;
  readonly adapter: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The calls count toward the platform's hourly limit. */
export async function checkPlatform(options: PlatformCheckOptions): Promise<CheckResult[]> {
  let clockResult: CheckResult | undefined;
  const platform = `${options.organization.id}'s platform`;
  const keyResult = await checkPlatformKey(options, async (input, init) => {
    const startedAt = performance.now();
    const response = await fetch(input, init);
    const remoteTime = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(remoteTime))
      clockResult = checkClockSkew(platform, remoteTime, performance.now() - startedAt, Date.now());
    return response;
  });
  return [
    keyResult,
    clockResult ??
      createCheck('clock').skip(`${platform} did not respond, or its response had no Date header.`),
    ...(keyResult.status === 'pass' ? [await checkGiftLookup(options)] : []),
  ];
}

async function checkPlatformKey(
  { organization, adapter, baseUrl, apiKey }: PlatformCheckOptions,
  fetchAndTime: typeof fetch,
): Promise<CheckResult> {
  const name = `platform key for ${organization.id}`;
  const path = KEY_CALLS[adapter];
  try {
    const client = new FundraisingClient({ baseUrl, apiKey, fetch: fetchAndTime });
    const { rateLimit } = await (path === undefined
      ? client.listCampaigns({ skip: 0, take: 0 })
      : client.call('GET', path));
    const { remaining, limit } = rateLimit;
    const quota =
      remaining === undefined ? '' : ` ${remaining} of ${limit} calls remain this hour.`;
    return createCheck(name).pass(`The platform accepts the key.${quota}`);
  } catch (error) {
    return createKeyErrorResult(name, { baseUrl, path }, error);
  }
}

function createKeyErrorResult(
  name: string,
  {
    baseUrl,
    path = '/api/campaign/list',
  }: { readonly baseUrl: string; readonly path: string | undefined },
  error: unknown,
): CheckResult {
  if (error instanceof RateLimitedError) {
    const { resetsAt } = error.rateLimit;
    return createCheck(name).skip(
      "The platform's hourly call limit has been reached. Try again " +
        `${resetsAt ? `after ${resetsAt.toISOString()}` : 'later'}.`,
    );
  }
  if (error instanceof FundraisingError && [401, 403].includes(error.status))
    return createCheck(name).fail(
      `The platform rejected the key with status ${error.status}. Create a new key in the ` +
        "platform's settings under API Keys, and store the key in the environment variable or " +
        'file that platform.apiKey specifies.',
    );
  if (error instanceof FundraisingError && error.status >= 500)
    return createCheck(name).fail(
      `The platform is failing: GET ${baseUrl}${path} responded with status ${error.status}. Check ` +
        "the platform's status page. The server keeps retrying.",
    );
  if (error instanceof FundraisingError)
    return createCheck(name).fail(
      `GET ${baseUrl}${path} responded with status ${error.status}; expected 200. ` +
        'Check platform.baseUrl.',
    );
  return createCheck(name).fail(
    `${baseUrl} does not return a valid response (${getErrorReason(error)}). Check ` +
      "platform.baseUrl and this machine's network.",
  );
}

/** Finds one of our gifts in the day before the lookup's delay, if the adapter has a list. */
async function findRecentGift(platform: PlatformReader): Promise<ListedPlatformGift | undefined> {
  const to = Date.now() - (platform.findDelay ?? DEFAULT_FIND_DELAY);
  const gifts = platform.iterateGifts?.(new Date(to - DAY), new Date(to)) ?? [];
  for await (const gift of gifts) if (isReference(gift.reference)) return gift;
  return undefined;
}

async function checkGiftLookup({
  organization,
  adapter,
}: PlatformCheckOptions): Promise<CheckResult> {
  const { id, platform } = organization;
  const check = createCheck(`platform for ${id}`);
  if (!platform.findGiftId)
    return check.pass(
      `The ${adapter} adapter has no gift lookup, so a donation needs review if the response to ` +
        'its create call is lost. To avoid such reviews, configure platform.find.',
    );
  try {
    const unused = await platform.findGiftId(UNUSED_REFERENCE);
    if (unused !== undefined)
      return check.fail(
        `The gift lookup found gift ${unused} for an unused reference, so every donation would ` +
          'count as recorded. Check platform.find.',
      );
    const gift = await findRecentGift(platform);
    const found = gift && (await platform.findGiftId(gift.reference));
    if (found !== gift?.platformId)
      return check.fail(
        `The list has gift ${gift!.platformId} for ${gift!.reference}, but the lookup finds ` +
          `${found ?? 'no gift'}, so the server could record a gift twice. Check idPath in ` +
          'platform.find and platform.list. If the gift is new, increase platform.findDelaySeconds.',
      );
    return check.pass(
      `The ${adapter} adapter's gift lookup finds no gift for an unused reference` +
        `${gift ? `, and gift ${found} for ${gift.reference}` : ''}.`,
    );
  } catch (error) {
    return check.fail(
      `The gift lookup failed (${(error as Error).message}). Check platform.find: the call must ` +
        'return status 200 even if there is no such gift.',
    );
  }
}
