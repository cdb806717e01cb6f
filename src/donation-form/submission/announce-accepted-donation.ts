import type { DonationOutcome } from '@donation-form/core/schemas';
import {
  DonationFormProcessingEvent,
  DonationFormSuccessEvent,
} from '../events/submission-events.ts';
import type { FormStore } from '../form/form-store.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { claimAnnouncement } from './announced-donations.ts';

/** Milliseconds to wait for `onSuccess` before the redirect to `success-url`. */
const CALLBACK_TIMEOUT = 2_000;

/**
 * Notifies the page once for each idempotency key. Redirects to `success-url` unless the donor
 * still has to send the money.
 */
export async function announceAcceptedDonation(
  { element, context, session }: FormStore,
  outcome: DonationOutcome,
  key: string,
): Promise<void> {
  if (!(await claimAnnouncement(key))) return;
  const { status, awaiting, reference, gift, response } = outcome;
  const { isTest, currencies } = context!.definition;
  const isOnPage = element.isConnected;
  const target = isOnPage ? element : document;
  const submittedGift = {
    ...gift,
    decimals: currencies.find(({ code }) => code === gift.currency)?.decimals ?? 2,
  };
  if (status === 'processing')
    target.dispatchEvent(
      new DonationFormProcessingEvent(reference, submittedGift, isTest, awaiting),
    );
  if (response)
    target.dispatchEvent(new DonationFormSuccessEvent(reference, submittedGift, response, isTest));
  const callback =
    response && session!.pageContext.invokeCallback('onSuccess', structuredClone(response));
  // A pledge has no response: the donor still needs the form's payment instructions.
  const successUrl = isOnPage && response ? parseSuccessUrl(element.successUrl) : undefined;
  if (successUrl)
    void Promise.race([
      callback,
      new Promise((resolve) => {
        setTimeout(resolve, CALLBACK_TIMEOUT);
      }),
    ]).then(() => location.assign(successUrl));
}

function parseSuccessUrl(successUrl: string | null | undefined): string | undefined {
  if (!successUrl) return undefined;
  const url = URL.canParse(successUrl, document.baseURI)
    ? new URL(successUrl, document.baseURI)
    : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  console.warn(
    `donation-form: Ignored success-url ${stringifyJson(successUrl)}, which is not a valid HTTP or HTTPS URL. ` +
      'Use a URL such as https://example.org/thanks or /thanks.',
  );
  return undefined;
}
