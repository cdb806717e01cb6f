/** Returns false if the visitor has not consented or the page has no analytics tool yet. */
type DeliveryAttempt = () => boolean;

const MAX_EVENTS = 50;
/** 30 minutes, in milliseconds. */
const MAX_AGE = 1_800_000;
const RETRY_INTERVAL = 1_000;

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

  /** Sends the events that can be sent now, and tries the others again later. */
  flush(): void {
    const pending = this.#pending;
    // Sending an event can add another event to the queue.
    this.#pending = [];
    this.#pending = [...pending.filter((deliver) => !tryDeliver(deliver)), ...this.#pending];
    clearTimeout(this.#timer);
    if (this.#pending[0]) this.#timer = setTimeout(() => this.flush(), RETRY_INTERVAL);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#pending = [];
  }
}

/** Returns true even if the analytics tool throws, because a retry could send the event twice. */
function tryDeliver(deliver: DeliveryAttempt): boolean {
  try {
    return deliver();
  } catch (error) {
    reportError(error);
    return true;
  }
}
