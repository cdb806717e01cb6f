import { enForm } from '@donation-form/core/i18n';
import {
  buildLink,
  type CampaignLink,
  type IgnoredValue,
  type SettingName,
} from '@donation-form/core/settings';

export const LINKED_DONOR_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'comment',
] as const satisfies readonly SettingName[];
/** Parameters that attribute a donation to a campaign. */
export const SOURCE_FIELDS = [
  'segment',
  'utmSource',
  'utmMedium',
  'utmCampaign',
] as const satisfies readonly SettingName[];

const FIELD_NAMES = [
  'page',
  'amount',
  'giftArray',
  'frequency',
  'currency',
  'project',
  'projectChoice',
  ...SOURCE_FIELDS,
  ...LINKED_DONOR_FIELDS,
] as const;
type FieldName = (typeof FIELD_NAMES)[number];

export type LinkFields = Readonly<Partial<Record<FieldName, string>>>;

export function readLinkFields(data: FormData): LinkFields {
  return Object.fromEntries(
    FIELD_NAMES.flatMap((name) => {
      const value = data.get(name);
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
}

/** Returns an error message for an invalid page URL, or `undefined` for a valid one. */
export function validatePageUrl(page: string | undefined): string | undefined {
  if (page === undefined) return 'Enter the URL of the page with your donation form.';
  if (!/^https?:\/\//i.test(page))
    return 'Enter a URL that starts with https://, such as https://example.org/give.';
  if (!URL.canParse(page)) return 'Enter a valid URL, such as https://example.org/give.';
  const { protocol, hostname } = new URL(page);
  if (protocol === 'http:' && !/^(localhost|127(\.\d+){3})$/.test(hostname))
    return 'Start the URL with https://. Forms accept donations only on encrypted pages.';
  return undefined;
}

/** Builds a campaign link from the field values. @param page valid page URL. */
export function buildCampaignLink(
  page: string,
  { giftArray, project, projectChoice, ...rest }: LinkFields,
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

/** Formats a link parameter's name. Adds the position of a list entry: `array-amounts, entry 3`. */
export function formatValueName({ name }: Pick<IgnoredValue, 'name'>): string {
  return name.replace(/\[(\d+)\]/, (_all, index: string) => `, entry ${Number(index) + 1}`);
}

export const FIELD_LABELS = {
  firstName: enForm.fields.firstName,
  lastName: enForm.fields.lastName,
  email: enForm.fields.email,
  comment: enForm.comment,
  segment: 'Segment',
  utmSource: 'Source',
  utmMedium: 'Medium',
  utmCampaign: 'Campaign',
} as const;
