/** Sends an event if consent and a tool are available. Returns false to be called again later. */
export type DeliveryAttempt = () => boolean;

const MAX_EVENTS = 50;
/** In milliseconds: 30 minutes. */
const MAX_AGE = 1_800_000;
/** Milliseconds between checks for consent and analytics tools. */
const RETRY_INTERVAL = 1_000;

/** Events that cannot be sent yet, in order. Stored only in memory. */
export class EventQueue {
  #pending: readonly DeliveryAttempt[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(deliver: DeliveryAttempt): void {
    const expiresAt = Date.now() + MAX_AGE;
    this.#pending = [...this.#pending, () => Date.now() > expiresAt || deliver()].slice(
      -MAX_EVENTS,
    );
    this.flush();
  }

  /** Sends the events that can be sent now. Tries again later if any are left. */
  flush(): void {
    const pending = this.#pending;
    // Sending an event may add another one.
    this.#pending = [];
    this.#pending = [...pending.filter((deliver) => !tryDeliver(deliver)), ...this.#pending];
    clearTimeout(this.#timer);
    if (this.#pending[0]) this.#timer = setTimeout(() => this.flush(), RETRY_INTERVAL);
  }

  clear(): void {
    this.#pending = [];
  }
}

/** Returns true even if the page's tool throws, so that the event is not sent twice. */
function tryDeliver(deliver: DeliveryAttempt): boolean {
  try {
    return deliver();
  } catch (error) {
    reportError(error);
    return true;
  }
}
