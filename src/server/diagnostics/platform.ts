import {
  FundraisingClient,
  FundraisingError,
  RateLimitedError,
} from '@donation-form/platform-clients/fundraising';
import type { Organization } from '../organizations/organization.ts';
import { compareClocks } from '../lib/clock-skew.ts';
import { ok, reasonOf, untried, wrong, type Finding } from '../lib/finding.ts';

/** No gift has it: O and 0 are in no reference. */
const NOBODYS_REFERENCE = 'CHECK-00000';

/**
 * Tries the platform's key by one documented call that changes nothing, the look-up of gifts where
 * there is one, and compares clocks. Each call counts in the hour's budget.
 */
export async function checkPlatform(
  {
    id,
    recorder: { baseUrl, kind },
  }: {
    readonly id: string;
    readonly recorder: { readonly baseUrl: string; readonly kind: string };
  },
  apiKey: string,
  { recorder }: Organization,
): Promise<Finding[]> {
  const answered: { date: string | null; took: number } = { date: null, took: 0 };
  const client = new FundraisingClient({
    baseUrl,
    apiKey,
    fetch: async (input, init) => {
      const began = performance.now();
      const response = await fetch(input, init);
      Object.assign(answered, {
        took: performance.now() - began,
        date: response.headers.get('Date'),
      });
      return response;
    },
  });
  const key = `platform key of ${id}`;
  const findings: Finding[] = [];
  try {
    const {
      rateLimit: { remaining, limit },
    } = await client.campaigns({ skip: 0, take: 0 });
    findings.push(
      ok(
        key,
        `the platform takes it${remaining === undefined ? '' : `; ${remaining} of ${limit} calls are left in this hour`}`,
      ),
    );
  } catch (error) {
    findings.push(...refusal(key, baseUrl, error));
  }
  const at = Date.parse(answered.date ?? '');
  findings.push(
    Number.isNaN(at)
      ? untried('clock', `the platform of ${id} did not say what time it is`)
      : compareClocks(`the platform of ${id}`, at, answered.took, Date.now()),
  );
  return findings[0]!.state === 'ok'
    ? [...findings, await checkLookUp(id, kind, recorder)]
    : findings;
}

function refusal(about: string, baseUrl: string, error: unknown): Finding[] {
  if (error instanceof RateLimitedError)
    return [
      untried(
        about,
        `the calls of this hour are used up${error.rateLimit.resetsAt ? `, until ${error.rateLimit.resetsAt.toISOString()}` : ''}; try again then`,
      ),
    ];
  if (error instanceof FundraisingError && [401, 403].includes(error.status))
    return [
      wrong(
        about,
        `the platform refuses it with status ${error.status}; make a new one in its settings, under API Keys, and put it where recorder.apiKey points to`,
      ),
    ];
  if (error instanceof FundraisingError)
    return [
      wrong(
        about,
        `GET ${baseUrl}/api/campaign/list answered ${error.status}, expected 200; check recorder.baseUrl`,
      ),
    ];
  return [
    wrong(
      about,
      `${baseUrl} does not answer as the platform does (${reasonOf(error)}); check recorder.baseUrl, and whether this machine may reach it`,
    ),
  ];
}

async function checkLookUp(
  id: string,
  kind: string,
  recorder: Organization['recorder'],
): Promise<Finding> {
  const about = `recorder of ${id}`;
  if (!recorder.findGift)
    return ok(
      about,
      `${kind}, without a look-up: a gift whose recording may have happened is held for a person (recorder.find would spare that)`,
    );
  try {
    const found = await recorder.findGift(NOBODYS_REFERENCE);
    return found === undefined
      ? ok(about, `${kind}, and its look-up finds nothing under a reference that nobody has`)
      : wrong(
          about,
          `the look-up finds gift ${found} under a reference that nobody has, so every gift would be taken for recorded; check recorder.find`,
        );
  } catch (error) {
    return wrong(
      about,
      `the look-up of a gift fails (${(error as Error).message}); check recorder.find: it has to answer 200 whether there is such a gift or not`,
    );
  }
}
