import { ConsentMode, type ConsentType } from './consent-mode.ts';

/**
 * Returns true if the visitor has consented.
 * @param dataLayer the page's `dataLayer`, which may hold any value.
 */
export type ConsentCheck = (consentTypes: readonly ConsentType[], dataLayer: unknown) => boolean;

/**
 * Creates a check that uses Google Consent Mode. If the page does not use it, the check calls
 * `askConsent`.
 * @param askConsent returns true, or a promise of true, if the visitor consents. Any other value
 *   means no consent.
 * @param onChange called when a settled promise changes the consent.
 */
export function createConsentCheck(
  askConsent: (() => unknown) | undefined,
  onChange: () => void,
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
    if (isGranted !== wasGranted) onChange();
  };
  /** Returns the previous consent while a promise is pending. Treats an error as no consent. */
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
