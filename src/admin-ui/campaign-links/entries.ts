import { type SettingName, buildLink, type CampaignLink } from '@donation-form/core/settings';

/** The donor's details that a link can carry. */
export const DONOR_ENTRIES = [
  'firstName',
  'lastName',
  'email',
  'comment',
] as const satisfies readonly SettingName[];
/** Where a gift is said to come from. */
export const ORIGIN_ENTRIES = [
  'segment',
  'utmSource',
  'utmMedium',
  'utmCampaign',
] as const satisfies readonly SettingName[];

const NAMES = [
  'page',
  'amount',
  'giftArray',
  'frequency',
  'currency',
  'project',
  'projectChoice',
  ...ORIGIN_ENTRIES,
  ...DONOR_ENTRIES,
] as const;
type EntryName = (typeof NAMES)[number];

/** What stands in the fields, as it was typed and trimmed; what is empty is absent. */
export type Entries = Readonly<Partial<Record<EntryName, string>>>;

/** Reads the fields as they stand. */
export function readEntries(data: FormData): Entries {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = data.get(name);
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
}

/** What is wrong with the page's address, in words. */
export function pageProblem(page: string | undefined): string | undefined {
  if (page === undefined) return 'Write the address of the page with your donation form.';
  if (!/^https?:\/\//i.test(page)) return 'Begin with https://, such as https://example.org/give.';
  if (!URL.canParse(page))
    return 'This is no web address. It should look like https://example.org/give.';
  const { protocol, hostname } = new URL(page);
  if (protocol === 'http:' && !/^(localhost|127(\.\d+){3})$/.test(hostname))
    return 'Forms take gifts only on encrypted pages: begin with https://.';
  return undefined;
}

/** The link that the entries make. @param page a web address. */
export function linkTo(
  page: string,
  { giftArray, project, projectChoice, ...rest }: Entries,
): string {
  const link: CampaignLink = {
    ...rest,
    ...(giftArray !== undefined && {
      giftArray: giftArray.split(',').map((amount) => amount.trim()),
    }),
    ...(project !== undefined && {
      [projectChoice === 'fixed' ? 'projectOverride' : 'projectPreselect']: project,
    }),
  };
  return buildLink(page, link);
}
