/** Donation Platform API v1, 'Limits': all count together. */
export const LIMITS = [
  { period: '1m', milliseconds: 60_000, requests: 100 },
  { period: '1h', milliseconds: 3_600_000, requests: 1_000 },
  { period: '1d', milliseconds: 86_400_000, requests: 4_000 },
] as const;

/** A window that is used up. */
export interface FullWindow {
  /** 1m, 1h or 1d; absent where the platform asked for silence. */
  readonly period?: (typeof LIMITS)[number]['period'];
  /** When the next request may be sent. */
  readonly until: Date;
}

/**
 * The requests of one organisation in this process, kept within the three windows before they are
 * sent. Each window slides, so that none of the platform's is overrun, wherever it begins.
 */
export class RequestWindows {
  #sent: number[] = [];
  #silentUntil = 0;

  /** Notes a request, or says which window is full. @param now milliseconds since 1970. */
  take(now: number): FullWindow | undefined {
    const full = this.full(now);
    if (!full) this.#sent.push(now);
    return full;
  }

  /** The window that stays full longest; `undefined` where a request may be sent. */
  full(now: number): FullWindow | undefined {
    this.#sent = this.#sent.filter((at) => at > now - LIMITS[2].milliseconds);
    const waits = LIMITS.flatMap(({ period, milliseconds, requests }): FullWindow[] => {
      const oldest = this.#sent.at(-requests);
      return oldest !== undefined && oldest > now - milliseconds
        ? [{ period, until: new Date(oldest + milliseconds) }]
        : [];
    });
    if (this.#silentUntil > now) waits.push({ until: new Date(this.#silentUntil) });
    return waits.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
  }

  /** The platform asked for silence. */
  silence(until: Date): void {
    this.#silentUntil = Math.max(this.#silentUntil, until.getTime());
  }
}

const shared = new Map<string, RequestWindows>();

/** The windows of an organisation at an address: all clients of this process share them. */
export function windowsOf(baseUrl: string, organizationKey: string): RequestWindows {
  const name = JSON.stringify([baseUrl, organizationKey]);
  const windows = shared.get(name) ?? new RequestWindows();
  shared.set(name, windows);
  return windows;
}
