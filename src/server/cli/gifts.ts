import type { Configuration } from '@donation-form/core/schemas';
import type { Decision, GiftReport, ListedGift, Resolved } from '../index.ts';
import { askOperator, inColumns, minute } from './operator.ts';

type Operator = Configuration['operator'];

/** What a list is narrowed to, as it was typed. */
export interface Narrowed {
  readonly state?: string | undefined;
  readonly organization?: string | undefined;
  readonly days?: string | undefined;
}

/**
 * Gifts of the last days, the newest last.
 * @returns a text for people.
 * @throws where no server answers, or what it refuses.
 */
export async function listGifts(
  operator: Operator,
  { state, organization, days }: Narrowed,
): Promise<string> {
  const query = new URLSearchParams(
    Object.entries({ state, organization, days }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const {
    items,
    isCut,
    days: counted,
  } = await askOperator<{ items: readonly ListedGift[]; isCut: boolean; days: number }>(
    operator,
    `/api/gifts?${query}`,
  );
  if (items.length === 0) return `No such gift was given in the last ${counted} days.\n`;
  const rows = items.map((gift) => [
    minute(gift.givenAt),
    gift.reference,
    gift.organization,
    gift.donor,
    gift.total,
    gift.frequency,
    gift.payment,
    gift.platform ?? '',
    gift.why,
  ]);
  return `${isCut ? `These are the newest ${items.length}; narrow the list to see others.\n` : ''}${inColumns([['when (UTC)', 'gift', 'organisation', 'donor', 'amount', 'how often', 'payment', 'platform', 'why'], ...rows], [4])}`;
}

/**
 * Everything that is known of a gift.
 * @returns a text for people.
 * @throws as {@link listGifts} does.
 */
export async function showGift(operator: Operator, reference: string): Promise<string> {
  return inWords(await askOperator<GiftReport>(operator, giftPath(reference)));
}

/** Tries now what waits of a gift. @returns what came of it. @throws as {@link listGifts} does. */
export async function retryGift(operator: Operator, reference: string): Promise<string> {
  const { said } = await askOperator<{ said: readonly string[] }>(
    operator,
    `${giftPath(reference)}/retry`,
    {},
  );
  return `${said.join('\n')}\n`;
}

/** What a person says of a gift. */
export interface Saying {
  readonly as: Decision;
  readonly about?: string | undefined;
  readonly platformId?: number | undefined;
  readonly by: string;
  readonly note: string;
}

/**
 * Keeps what a person decided.
 * @returns what the gift is now.
 * @throws where its state does not allow it, with what it does; as {@link listGifts} does.
 */
export async function resolveGift(
  operator: Operator,
  reference: string,
  saying: Saying,
): Promise<string> {
  const {
    resolution: { about, from, to },
    report,
  } = await askOperator<Resolved>(operator, `${giftPath(reference)}/resolve`, saying);
  return `${reference}: ${about} was ${from}, is ${to}.${nextStep(reference, report)}\n`;
}

function nextStep(reference: string, report: Resolved['report']): string {
  if (report === undefined)
    return ` Something failed after that. Look at it: donation-form gifts show ${reference}`;
  if (report.ways.length === 0) return '';
  return ` More is to be decided: donation-form gifts show ${reference}`;
}

function inWords({
  reference,
  organization,
  givenAt,
  total,
  donorName,
  gift,
  donor,
  state,
  payment,
  lastError,
  nextTry,
  events,
  resolutions,
  ways,
}: GiftReport): string {
  const facts = (all: GiftReport['gift']): string =>
    inColumns(all.map(([name, value]) => [`  ${name}`, value.replaceAll('\n', ' / ')]));
  return [
    `${reference}  ${total}  ${donorName}  ${minute(givenAt)} UTC  ${organization}\n`,
    'Gift\n',
    facts(gift),
    ...(donor.length > 0 ? ['Donor\n', facts(donor)] : []),
    `Payment: ${state}\n`,
    facts([
      ...payment,
      ...(lastError === null ? [] : [['Last error', lastError] as const]),
      ...(nextTry === null ? [] : [['Next try', `${minute(nextTry)} UTC`] as const]),
    ]),
    ...(events.length > 0
      ? [
          'What the platform is to know\n',
          inColumns(
            events.map((event) => [
              `  ${minute(event.at)}`,
              event.what,
              event.reference,
              event.amount ?? '',
              event.state,
              [
                event.platformId === null ? '' : `id ${event.platformId}`,
                event.attempts > 0 ? `tried ${event.attempts}` : '',
                event.lastError ?? '',
                event.nextTry === null ? '' : `next try ${minute(event.nextTry)}`,
              ]
                .filter(Boolean)
                .join(', '),
            ]),
            [3],
          ),
        ]
      : []),
    ...(resolutions.length > 0
      ? [
          'What people decided\n',
          inColumns(
            resolutions.map(({ at, by, decision, about, from, to, note }) => [
              `  ${minute(at)}`,
              by,
              decision,
              `${about}: ${from}, then ${to}`,
              note.replaceAll('\n', ' / '),
            ]),
          ),
        ]
      : []),
    ...(ways.length > 0
      ? [
          `What can be said: donation-form gifts resolve ${reference} --as …\n`,
          inColumns(
            ways.map(({ as, about, needsPlatformId, does }) => [
              `  ${as}`,
              `--about '${about}'${needsPlatformId ? ' --platform-id N' : ''}`,
              does,
            ]),
          ),
        ]
      : []),
  ].join('');
}

function giftPath(reference: string): string {
  return `/api/gifts/${encodeURIComponent(reference)}`;
}
