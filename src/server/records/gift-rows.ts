import type { Kysely } from 'kysely';
import { read } from '../kept-gift.ts';
import type { Tables } from '../tables.ts';
import { entriesOf, giftsOf } from './books.ts';
import type { Period } from './period.ts';
import { bookRow, isInBooks } from './rows.ts';

/** What an export tells, line by line. */
export type ExportLine =
  /** Which custom fields and consents any of the gifts has, by their ids: each is a column. */
  | { readonly kind: 'columns'; readonly customFields: readonly string[]; readonly consents: readonly string[] }
  | { readonly kind: 'row'; readonly row: Readonly<Record<string, string>> }
  | { readonly kind: 'end'; readonly gifts: number };

/** The gifts and renewals of a time with everything that the journal keeps of them, for those whose record it is. */
export async function* exportGifts(db: Kysely<Tables>, organization: string, period: Period, timeZone: string): AsyncGenerator<ExportLine> {
  yield { kind: 'columns', ...await columnsOf(db, organization, period) };
  let gifts = 0;
  for await (const page of entriesOf(db, organization, period)) {
    for (const entry of page.filter(isInBooks)) {
      yield { kind: 'row', row: { ...bookRow(entry, timeZone), ...donorCells(entry.first.gift) } };
      gifts += 1;
    }
  }
  yield { kind: 'end', gifts };
}

/** Custom fields and consents as they stand in a row. */
export const fieldColumn = (id: string): string => `field ${id}`;
export const consentColumn = (id: string): string => `consent ${id}`;
export const consentWordsColumn = (id: string): string => `consent ${id}, words`;

function donorCells(gift: string): Record<string, string> {
  const { donor, gift: { anonymous, comment, tribute }, form, tracking, customFields, consents } = read({ gift });
  return {
    organization: donor.organization ?? '', first_name: donor.firstName ?? '', last_name: donor.lastName ?? '', email: donor.email ?? '', phone: donor.phone ?? '',
    address1: donor.address1 ?? '', address2: donor.address2 ?? '', city: donor.city ?? '', state: donor.state ?? '', postal: donor.postal ?? '', country: donor.country ?? '',
    anonymous: anonymous === true ? 'yes' : 'no', comment: comment ?? '', tribute: tribute?.kind ?? '', tribute_name: tribute?.name ?? '', tribute_message: tribute?.message ?? '', tribute_notify: tribute?.notifyEmail ?? '',
    form: form.id, page: form.page ?? '', language: form.language,
    utm_campaign: tracking?.utmCampaign ?? '', utm_source: tracking?.utmSource ?? '', utm_medium: tracking?.utmMedium ?? '', utm_content: tracking?.utmContent ?? '', utm_term: tracking?.utmTerm ?? '', utm_id: tracking?.utmId ?? '', ad_click_id: tracking?.adClickId ?? '',
    ...Object.fromEntries((customFields ?? []).map(({ id, value }) => [fieldColumn(id), value])),
    ...Object.fromEntries((consents ?? []).flatMap(({ id, words, given }) => [[consentColumn(id), given ? 'yes' : 'no'], [consentWordsColumn(id), words]])),
  };
}

async function columnsOf(db: Kysely<Tables>, organization: string, period: Period): Promise<{ readonly customFields: string[]; readonly consents: string[] }> {
  const customFields = new Set<string>(), consents = new Set<string>();
  const note = (gift: string): void => {
    const { customFields: fields = [], consents: asked = [] } = read({ gift });
    for (const { id } of fields) customFields.add(id);
    for (const { id } of asked) consents.add(id);
  };
  for await (const page of giftsOf(db, organization, period)) for (const { gift } of page) note(gift);
  for await (const page of giftsOf(db, organization, { from: 0, to: period.from }, { isKept: true })) for (const { gift, subscription_id: renewed } of page) if (renewed !== null) note(gift);
  return { customFields: [...customFields].sort(), consents: [...consents].sort() };
}
