import type { DonationRequest } from '../contract/donation-request.ts';
import { PAGE_LENGTH } from '../model/donor.ts';
import { commentOf, donorOf, projectOf, type FormState, type Offer, type Sums } from './state.ts';

/** What only the page knows of a gift that is about to be sent. */
export interface Circumstances {
  /** The ETag of the definition that is shown. */
  readonly definition: string;
  /** The page's address; its query and fragment are not sent. */
  readonly page: URL;
  /** BCP 47. */
  readonly language: string;
  /** What the payment field made of the card. */
  readonly token: string;
}

/** The gift exactly as it is shown. */
export function toDonationRequest(state: FormState, sums: Sums, offer: Offer, { definition, page, language, token }: Circumstances): DonationRequest {
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
      ...(settings.segment !== undefined && { segment: settings.segment }),
      projects: [{ id: projectOf(state, offer).id, amount: sums.amount }],
    },
    donor: donorOf(state),
    payment: { provider, method, token },
    form: { id, language, ...(page.protocol.startsWith('http') && { page: (page.origin + page.pathname).slice(0, PAGE_LENGTH) }) },
  };
}
