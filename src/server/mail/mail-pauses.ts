import type { Database } from '../database/database.ts';
import { createServerInfo, type ServerInfo } from '../database/server-info.ts';

/** Since when, and who paused the organization's mail. */
export interface MailPause {
  readonly pausedAt: number;
  readonly pausedBy: string;
}

const toName = (organization: string): string => `mail_pause ${organization}`;

/** Pauses of an organization's mail, on all servers. */
export class MailPauses {
  readonly #now: () => number;
  readonly #info: ServerInfo;

  constructor(database: Pick<Database, 'db' | 'writer' | 'clock'>) {
    this.#now = database.clock.now;
    this.#info = createServerInfo(database);
  }

  async find(organization: string): Promise<MailPause | undefined> {
    const value = await this.#info.get(toName(organization));
    return value === undefined ? undefined : (JSON.parse(value) as MailPause);
  }

  /** @returns false if the mail was already paused. */
  pause(organization: string, pausedBy: string): Promise<boolean> {
    const pause: MailPause = { pausedAt: this.#now(), pausedBy };
    return this.#info.add(toName(organization), JSON.stringify(pause));
  }

  /** @returns false if the mail was not paused. */
  resume(organization: string): Promise<boolean> {
    return this.#info.delete(toName(organization));
  }
}
