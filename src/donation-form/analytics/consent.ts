import { ConsentMode, type Purpose } from './consent-mode.ts';

/** Whether the visitor agrees now. @param layer the page's `dataLayer`, whatever that is. */
export type Allows = (purposes: readonly Purpose[], layer: unknown) => boolean;

/**
 * Reads whether the visitor agrees: what Google Consent Mode says, or where that says nothing, what
 * the page does.
 * @param ask true, or a promise of it; anything else, and nobody to ask, is no. @param onChange
 *   is called when a promise has said another thing than before.
 */
export function consentReader(ask: (() => unknown) | undefined, onChange: () => void): Allows {
  const mode = new ConsentMode();
  let isAgreed = false;
  let isAsking = false;
  const hear = async (answer: unknown): Promise<void> => {
    isAsking = true;
    const before = isAgreed;
    try {
      isAgreed = (await answer) === true;
    } catch {
      isAgreed = false;
    }
    isAsking = false;
    if (isAgreed !== before) onChange();
  };
  /**
   * A promise is waited for; until then it is what it was. A consent tool that fails is no consent.
   */
  const askPage = (): boolean => {
    try {
      const answer = isAsking ? isAgreed : ask?.();
      if (typeof answer === 'object') void hear(answer);
      else isAgreed = answer === true;
    } catch {
      isAgreed = false;
    }
    return isAgreed;
  };
  return (purposes, layer) => {
    if (Array.isArray(layer)) mode.read(layer);
    return mode.allows(purposes) ?? askPage();
  };
}
