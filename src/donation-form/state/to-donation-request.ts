import type { DonationRequest } from '@donation-form/core/schemas';
import {
  MOST_CUSTOM_FIELDS,
  COMMENT_LENGTH,
  DONOR_FIELD_LENGTHS,
  PAGE_LENGTH,
  cleanLine,
  cleanText,
  type DonorField,
} from '@donation-form/core/donor';
import type { Language } from '@donation-form/core/i18n';
import type { HiddenSettings } from '@donation-form/core/settings';
import { projectOf, type FormState, type FormContext, type Sums } from './form-state.ts';

/** What the form's rarer parts add to a gift. */
export interface MoreOfGift {
  readonly gift: Partial<Pick<DonationRequest['gift'], 'projects' | 'tribute' | 'anonymous'>>;
  readonly donor: Partial<DonationRequest['donor']>;
  readonly customFields: NonNullable<DonationRequest['customFields']>;
  readonly consents: NonNullable<DonationRequest['consents']>;
}

/** What only the page knows of a gift that is about to be sent. */
export interface Circumstances {
  readonly hidden: HiddenSettings;
  /** Absent where the form has none of the rarer parts. */
  readonly more: MoreOfGift | undefined;
  /** The ETag of the definition that is shown. */
  readonly definition: string;
  readonly language: Language;
  /** The page's address; its query and fragment are not sent. */
  readonly page: URL;
}

/**
 * The gift exactly as it is shown; how it is paid comes to it when the payment field has said that.
 */
export function toDonationRequest(
  state: FormState,
  sums: Sums,
  context: FormContext,
  { hidden: { segment, customFields, tracking }, more, definition, language, page }: Circumstances,
): Omit<DonationRequest, 'payment'> {
  const {
    settings,
    definition: { id },
  } = context;
  const comment = commentOf(state);
  const shownFields = more?.customFields ?? [];
  const fields = [
    ...shownFields,
    ...customFields.filter(
      (field) =>
        !context.definition.customFields.some(
          (known) => known.id === field.id && known.label !== undefined,
        ),
    ),
  ];
  return {
    version: 1,
    definition,
    gift: {
      ...sums,
      currency: settings.currency.code,
      frequency: state.frequency,
      coverCosts: state.coverCosts,
      ...(comment !== undefined && { comment }),
      ...(segment !== undefined && { segment }),
      projects: [{ id: projectOf(state, context).id, amount: sums.amount }],
      ...more?.gift,
    },
    donor: { ...donorOf(state, context), ...more?.donor },
    ...(fields.length > 0 && { customFields: fields.slice(0, MOST_CUSTOM_FIELDS) }),
    ...(more && more.consents.length > 0 && { consents: more.consents }),
    ...(Object.keys(tracking).length > 0 && { tracking }),
    form: {
      id,
      language,
      ...(page.protocol.startsWith('http') && {
        page: (page.origin + page.pathname).slice(0, PAGE_LENGTH),
      }),
    },
  };
}

/**
 * The donor's fields as they are sent: those that the form asks for, cleaned, cut to their lengths,
 * the empty ones left out.
 */
function donorOf(
  { donor }: FormState,
  { definition }: FormContext,
): Partial<Record<DonorField, string>> {
  return Object.fromEntries(
    definition.donorFields.flatMap(({ name }) => {
      const clean = cleanLine(donor[name] ?? '')
        .slice(0, DONOR_FIELD_LENGTHS[name])
        .trim();
      return clean === '' ? [] : [[name, clean]];
    }),
  );
}

function commentOf({ comment }: FormState): string | undefined {
  return cleanText(comment).slice(0, COMMENT_LENGTH).trim() || undefined;
}
