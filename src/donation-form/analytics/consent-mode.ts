/** Consent types in Google Consent Mode. */
export type ConsentType = 'analytics_storage' | 'ad_storage' | 'ad_user_data';

/** Priorities of consent states. A state never replaces a higher-priority state. */
const DEFAULT = 0;
const REGIONAL_DEFAULT = 1;
const UPDATE = 2;

/**
 * Tracks Google Consent Mode by reading the `consent` commands in `dataLayer`. Regional defaults
 * apply only if they deny consent, because the page does not know the visitor's region.
 */
export class ConsentMode {
  readonly #states = new Map<string, boolean>();
  readonly #priorities = new Map<string, number>();
  /** Last entry read. An index would shift when Google Tag Manager trims `dataLayer`. */
  #lastRead: unknown;

  /** Reads the `dataLayer` entries added since the last call. */
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
