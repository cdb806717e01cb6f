import { ConsentMode, type ConsentType } from './consent-mode.ts';

/**
 * Returns true if the visitor has granted all of these consent types.
 * @param dataLayer the page's `dataLayer`, which can be any value.
 */
export type ConsentCheck = (consentTypes: readonly ConsentType[], dataLayer: unknown) => boolean;

/**
 * Creates a consent check that reads the Google Consent Mode state. If the page does not use Google
 * Consent Mode, the check calls `askConsent`.
 * @param askConsent function that returns true, or a promise that resolves to true, if the visitor
 *   consents. Any other value means no consent.
 * @param resume function called if the consent changes when a promise from `askConsent` settles.
 */
export function createConsentCheck(
  askConsent: (() => unknown) | undefined,
  resume: () => void,
): ConsentCheck {
  const mode = new ConsentMode();
  let isGranted = false;
  let isPending = false;
  const awaitAnswer = async (answer: unknown): Promise<void> => {
    isPending = true;
    const wasGranted = isGranted;
    try {
      isGranted = (await answer) === true;
    } catch {
      isGranted = false;
    }
    isPending = false;
    if (isGranted !== wasGranted) resume();
  };
  /**
   * Returns the previous consent while a promise from `askConsent` is pending. Treats an error as
   * no consent.
   */
  const hasPageConsent = (): boolean => {
    try {
      const answer = isPending ? isGranted : askConsent?.();
      if (typeof answer === 'object') void awaitAnswer(answer);
      else isGranted = answer === true;
    } catch {
      isGranted = false;
    }
    return isGranted;
  };
  return (consentTypes, dataLayer) => {
    if (Array.isArray(dataLayer)) mode.readCommands(dataLayer);
    return mode.isGranted(consentTypes) ?? hasPageConsent();
  };
}
