/** What a page's consent tool lets happen, as Google Consent Mode calls it. */
export type Purpose = 'analytics_storage' | 'ad_storage' | 'ad_user_data';

/** How strong a word is: a weaker one says nothing where a stronger one was said before. */
const DEFAULT = 0;
const DENIED_SOMEWHERE = 1;
const UPDATE = 2;

/**
 * What Google Consent Mode says on a page: it reads the commands `consent` that `gtag` has put into
 * `dataLayer`, those that come later too.
 * A default for some regions counts only where it denies, since a page does not know where its
 * visitor is.
 */
export class ConsentMode {
  readonly #isGranted = new Map<string, boolean>();
  readonly #strength = new Map<string, number>();
  /** What was read last: Google Tag Manager takes old entries out of a long `dataLayer`. */
  #last: unknown;

  /** Reads what has come since the last time. */
  read(layer: readonly unknown[]): void {
    for (const entry of layer.slice(layer.lastIndexOf(this.#last) + 1)) {
      this.#last = entry;
      const { 0: command, 1: kind, 2: states } = Object(entry) as Readonly<Record<number, unknown>>;
      if (command === 'consent')
        this.#note(kind, Object(states) as Readonly<Record<string, unknown>>);
    }
  }

  #note(kind: unknown, { region, ...states }: Readonly<Record<string, unknown>>): void {
    for (const [purpose, state] of Object.entries(states)) {
      const isGranted = state === 'granted';
      const byDefault = region ? DENIED_SOMEWHERE : DEFAULT;
      const strength = kind === 'update' ? UPDATE : byDefault;
      if (
        strength < (this.#strength.get(purpose) ?? DEFAULT) ||
        (strength === DENIED_SOMEWHERE && isGranted)
      )
        continue;
      this.#isGranted.set(purpose, isGranted);
      this.#strength.set(purpose, strength);
    }
  }

  /** Whether all of these are granted; `undefined` where nothing was said of any of them. */
  allows(purposes: readonly Purpose[]): boolean | undefined {
    return purposes.some((purpose) => this.#isGranted.has(purpose))
      ? purposes.every((purpose) => this.#isGranted.get(purpose))
      : undefined;
  }
}
