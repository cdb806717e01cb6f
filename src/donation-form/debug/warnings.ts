/** Warnings for page authors that do not need the form. */
import { DonationFormCallbackErrorEvent } from '../events/callback-error-event.ts';

export function warnAboutVersion(usedVersion: string | undefined, ignoredVersion: string): void {
  console.warn(
    'donation-form: This page already has ' +
      `${usedVersion === undefined ? 'another version' : `version ${usedVersion}`}, so version ` +
      `${ignoredVersion} is ignored. Remove one of the two script tags.`,
  );
}

export function reportCallbackError(element: HTMLElement, callback: string, error: unknown): void {
  console.error(
    `donation-form: The page's ${callback} callback failed. The donation is not affected.`,
    error,
  );
  element.dispatchEvent(new DonationFormCallbackErrorEvent(callback, error));
}
