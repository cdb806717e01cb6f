import type { DonationOutcome } from '@donation-form/core/schemas';
import {
  DonationFormProcessingEvent,
  DonationFormSuccessEvent,
} from '../events/submission-events.ts';
import type { FormController } from '../form/form-controller.ts';
import { tryStorage } from '../page/session-storage.ts';
import { parseSuccessUrl } from '../thank-you/redirect-url.ts';

/** sessionStorage key of the idempotency key that was announced last in this tab. */
const LAST_KEY = 'donation-form-announced';

/** Milliseconds to wait for the page's onSuccess before redirecting to `success-url`. */
const CALLBACK_TIMEOUT = 2_000;

/** Idempotency keys whose outcome was announced on this page. */
const announcedKeys = new Set<string>();

/**
 * Returns true if the page was notified of the outcome. A form that was removed during submission,
 * its successor, and a reloaded page may all receive the same outcome.
 */
export function wasAnnounced(key: string): boolean {
  return announcedKeys.has(key) || tryStorage(() => sessionStorage.getItem(LAST_KEY)) === key;
}

/**
 * Notifies the page of an accepted donation, once for each key: dispatches the event, calls
 * `onSuccess`, and redirects to `success-url`.
 */
export function announceOutcome(form: FormController, outcome: DonationOutcome, key: string): void {
  if (wasAnnounced(key)) return;
  announcedKeys.add(key);
  tryStorage(() => sessionStorage.setItem(LAST_KEY, key));
  const { status, reference, gift, response } = outcome;
  const { isTest, currencies } = form.context!.definition;
  const isOnPage = form.element.isConnected;
  const submittedGift = {
    ...gift,
    decimals: currencies.find(({ code }) => code === gift.currency)?.decimals ?? 2,
  };
  (isOnPage ? form.element : document).dispatchEvent(
    status === 'processing'
      ? new DonationFormProcessingEvent(reference, submittedGift, isTest)
      : new DonationFormSuccessEvent(reference, submittedGift, response!, isTest),
  );
  const callback =
    status === 'processing'
      ? undefined
      : form.loader!.pageContext.invokeCallback('onSuccess', response);
  const successUrl = isOnPage ? parseSuccessUrl(form.element.successUrl) : undefined;
  if (successUrl)
    void Promise.race([
      callback,
      new Promise((resolve) => {
        setTimeout(resolve, CALLBACK_TIMEOUT);
      }),
    ]).then(() => location.assign(successUrl));
}
