/** The page's `dataLayer` can be any value. */
export type ConsentCheck = (consentTypes: readonly ConsentType[], dataLayer: unknown) => boolean;

/**
 * Checks Google Consent Mode or, if the page does not use it, `askConsent`, which can return a
 * promise. Calls `resume` if such a promise changes the consent.
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

export type ConsentType = 'analytics_storage' | 'ad_storage' | 'ad_user_data';

/** Priorities of consent states. A state never replaces a higher-priority state. */
const DEFAULT = 0;
const REGIONAL_DEFAULT = 1;
const UPDATE = 2;

/** Regional defaults apply only if they deny consent, because the page does not know the region. */
export class ConsentMode {
  readonly #states = new Map<string, boolean>();
  readonly #priorities = new Map<string, number>();
  /** Last entry read. An index would shift when Google Tag Manager trims `dataLayer`. */
  #lastRead: unknown;

  readCommands(dataLayer: readonly unknown[]): void {
    for (const entry of dataLayer.slice(dataLayer.lastIndexOf(this.#lastRead) + 1)) {
      this.#lastRead = entry;
      const { 0: command, 1: kind, 2: states } = Object(entry) as Readonly<Record<number, unknown>>;
      if (command === 'consent')
        this.#applyConsentStates(kind, Object(states) as Readonly<Record<string, unknown>>);
    }
  }

  #applyConsentStates(
    kind: unknown,
    { region, ...states }: Readonly<Record<string, unknown>>,
  ): void {
    for (const [consentType, state] of Object.entries(states)) {
      const isGranted = state === 'granted';
      const defaultPriority = region ? REGIONAL_DEFAULT : DEFAULT;
      const priority = kind === 'update' ? UPDATE : defaultPriority;
      if (
        priority < (this.#priorities.get(consentType) ?? DEFAULT) ||
        (priority === REGIONAL_DEFAULT && isGranted)
      )
        continue;
      this.#states.set(consentType, isGranted);
      this.#priorities.set(consentType, priority);
    }
  }

  /** Returns `undefined` if the page has set none of these types. */
  isGranted(types: readonly ConsentType[]): boolean | undefined {
    return types.some((type) => this.#states.has(type))
      ? types.every((type) => this.#states.get(type))
      : undefined;
  }
}
