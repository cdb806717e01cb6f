import type { DonationRequest } from '../contract/donation-request.ts';
import { MOST_CUSTOM_FIELDS } from '../model/custom-field.ts';
import { PAGE_LENGTH } from '../model/donor.ts';
import type { HiddenSettings } from '../settings/hidden.ts';
import { commentOf, donorOf, projectOf, type FormState, type Offer, type Sums } from './state.ts';

/** What only the page knows of a gift that is about to be sent. */
export interface Circumstances {
  readonly hidden: HiddenSettings;
  /** The ETag of the definition that is shown. */
  readonly definition: string;
  /** The page's address; its query and fragment are not sent. */
  readonly page: URL;
  /** What the payment field made of the card. */
  readonly token: string;
}

/** The gift exactly as it is shown. */
export function toDonationRequest(state: FormState, sums: Sums, offer: Offer, { hidden: { segment, customFields, tracking }, definition, page, token }: Circumstances): DonationRequest {
  const { settings, definition: { id, payment: { provider, methods: [method] } } } = offer;
  const comment = commentOf(state);
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
      projects: [{ id: projectOf(state, offer).id, amount: sums.amount }],
    },
    donor: donorOf(state),
    ...(customFields.length > 0 && { customFields: customFields.slice(0, MOST_CUSTOM_FIELDS) }),
    ...(Object.keys(tracking).length > 0 && { tracking }),
    payment: { provider, method, token },
    form: { id, language: settings.language, ...(page.protocol.startsWith('http') && { page: (page.origin + page.pathname).slice(0, PAGE_LENGTH) }) },
  };
}
