import {
  cleanDonorField,
  cleanText,
  type DonorField,
  MAX_COMMENT_LENGTH,
  MAX_CUSTOM_FIELDS,
  MAX_DONOR_FIELD_LENGTHS,
  MAX_PAGE_URL_LENGTH,
  truncate,
} from '../donor/index.ts';
import type { Language } from '../i18n/index.ts';
import type { DonationRequest } from '../schemas/index.ts';
import type { OptionalSettings } from '../settings/index.ts';
import { isVisibleCustomField } from './custom-fields.ts';
import { type FormContext, type FormState, getSelectedProject, type Totals } from './form-state.ts';

export interface OptionalRequestFields {
  readonly gift: Partial<Pick<DonationRequest['gift'], 'projects' | 'tribute' | 'anonymous'>>;
  readonly donor: Partial<DonationRequest['donor']>;
  readonly customFields: NonNullable<DonationRequest['customFields']>;
  readonly declarations: Pick<DonationRequest, 'consents' | 'giftAid'>;
}

export interface RequestContext {
  readonly optionalSettings: OptionalSettings;
  readonly optionalFields: OptionalRequestFields | undefined;
  /** ETag of the form definition. */
  readonly definition: string;
  readonly language: Language;
  /** The request includes neither its query nor its fragment. */
  readonly page: URL;
}

/** Creates a donation request. The caller adds the payment. */
export function toDonationRequest(
  state: FormState,
  totals: Totals,
  context: FormContext,
  { optionalSettings, optionalFields, definition, language, page }: RequestContext,
): Omit<DonationRequest, 'payment'> {
  const { segment, customFields, tracking } = optionalSettings;
  const { settings } = context;
  const { id, customFields: offeredFields } = context.definition;
  const comment = truncate(cleanText(state.comment), MAX_COMMENT_LENGTH);
  const visibleFields = offeredFields.filter(isVisibleCustomField);
  const allFields = [
    ...(optionalFields?.customFields ?? []),
    ...customFields.filter((field) => !visibleFields.some((visible) => visible.id === field.id)),
  ];
  return {
    version: 1,
    definition,
    gift: {
      ...totals,
      currency: settings.currency.code,
      frequency: state.frequency,
      coverCosts: state.coverCosts,
      ...(comment && { comment }),
      ...(segment !== undefined && { segment }),
      projects: [{ id: getSelectedProject(state, context).id, amount: totals.amount }],
      ...optionalFields?.gift,
    },
    donor: { ...toDonorFields(state, context), ...optionalFields?.donor },
    ...(allFields.length > 0 && { customFields: allFields.slice(0, MAX_CUSTOM_FIELDS) }),
    ...optionalFields?.declarations,
    ...(Object.keys(tracking).length > 0 && { tracking }),
    form: {
      id,
      language,
      ...(page.protocol.startsWith('http') && {
        page: (page.origin + page.pathname).slice(0, MAX_PAGE_URL_LENGTH),
      }),
    },
  };
}

function toDonorFields(
  { donor }: FormState,
  { definition }: FormContext,
): Partial<Record<DonorField, string>> {
  return Object.fromEntries(
    definition.donorFields.flatMap(({ name }) => {
      const value = truncate(cleanDonorField(name, donor[name]), MAX_DONOR_FIELD_LENGTHS[name]);
      return value === '' ? [] : [[name, value]];
    }),
  );
}
