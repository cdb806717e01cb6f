import type { DonationOutcome } from '@donation-form/core/schemas';
import {
  DonationFormProcessingEvent,
  DonationFormSuccessEvent,
} from '../events/accepted-events.ts';
import type { FormStore } from '../form/form-store.ts';
import { tryStorage } from '../page/session-storage.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { wait } from '../page/wait.ts';

/** Milliseconds to wait for `onSuccess` before the redirect to `success-url`. */
const CALLBACK_TIMEOUT = 2_000;

/** Redirects to `success-url` unless the donor still has to send the money. */
export async function announceAcceptedDonation(
  form: FormStore,
  outcome: DonationOutcome,
  key: string,
): Promise<void> {
  const { element, context, session } = form;
  if (!(await claimAnnouncement(key))) return;
  const { status, awaiting, reference, gift, response } = outcome;
  const { isTest } = context!.definition;
  const isOnPage = element.isConnected;
  const target = isOnPage ? element : document;
  const submittedGift = { ...gift, decimals: form.getDecimals(gift.currency) };
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
    void Promise.race([callback, wait(CALLBACK_TIMEOUT)]).then(() => location.assign(successUrl));
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

/** Storage key for the announcement markers, and name of the lock that protects the markers. */
const ANNOUNCED_NAME = 'donation-form-announced';
const MAX_MARKERS = 20;

const announcedKeys = new Set<string>();

/** `sessionStorage` helps if the site's `localStorage` is full. */
const STORAGES = [() => localStorage, () => sessionStorage];

export async function wasAnnounced(key: string): Promise<boolean> {
  return (
    announcedKeys.has(key) ||
    readAnnouncementMarkers().includes(await createAnnouncementMarker(key))
  );
}

/** Returns true once across reloads and tabs, or per page load without storage (rule 51). */
async function claimAnnouncement(key: string): Promise<boolean> {
  if (announcedKeys.has(key)) return false;
  announcedKeys.add(key);
  const marker = await createAnnouncementMarker(key);
  const claim = (): boolean => {
    const markers = readAnnouncementMarkers();
    if (markers.includes(marker)) return false;
    const json = stringifyJson([...markers, marker].slice(-MAX_MARKERS));
    for (const getStorage of STORAGES) tryStorage(() => getStorage().setItem(ANNOUNCED_NAME, json));
    return true;
  };
  // The browser may deny access to locks, as in sandboxed frames.
  return navigator.locks.request(ANNOUNCED_NAME, claim).catch(claim);
}

function readAnnouncementMarkers(): unknown[] {
  return STORAGES.flatMap((getStorage) => {
    const markers = tryStorage(() => JSON.parse(getStorage().getItem(ANNOUNCED_NAME)!) as unknown);
    return Array.isArray(markers) ? (markers as unknown[]) : [];
  });
}

/** Hashes the key, because it gives access to the donation's outcome. */
async function createAnnouncementMarker(key: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return btoa(String.fromCharCode(...new Uint8Array(hash, 0, 12)));
}
