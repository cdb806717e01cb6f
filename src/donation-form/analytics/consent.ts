import { ConsentMode, type ConsentType } from './consent-mode.ts';

/** The page's `dataLayer` can be any value. */
export type ConsentCheck = (consentTypes: readonly ConsentType[], dataLayer: unknown) => boolean;

/**
 * Creates a check of Google Consent Mode or, if the page does not use it, of `askConsent`.
 * @param askConsent function that returns true, or a promise of true, for consent.
 * @param resume function called if the consent changes when such a promise settles.
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
  /** Returns the previous consent while a promise is pending. An error means no consent. */
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
