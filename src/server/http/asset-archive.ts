import type { Logger } from '../lib/logger.ts';
import { publicBody, type PublicBody } from '../lib/cached-response.ts';
import { describeError } from '../lib/describe-error.ts';
import { IMMUTABLE, type ScriptFiles } from './embed-assets.ts';
import type { Database } from '../database/database.ts';

const DAY = 86_400_000;
/** How long a file stays after the last day on which a server had it in its build. */
const KEPT_FOR = 180 * DAY;

export interface AssetArchiveOptions {
  readonly store: Database;
  readonly scripts: ScriptFiles;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * The script files of other releases: a page that is open during an upgrade, or whose script an
 * optimizer keeps, asks for the late parts of the release that it has.
 * Every server puts the files of its build into the store, so that each can serve those of all.
 */
export class AssetArchive {
  readonly #options: AssetArchiveOptions;
  readonly #found = new Map<string, PublicBody>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AssetArchiveOptions) {
    this.#options = options;
  }

  /** The file that a release has under this name. */
  async find(name: string): Promise<PublicBody | undefined> {
    const known = this.#found.get(name);
    if (known) return known;
    const row = await this.#options.store.db
      .selectFrom('archived_assets')
      .select('text')
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) return undefined;
    const file = publicBody(row.text);
    this.#found.set(name, file);
    return file;
  }

  /**
   * Puts the files of this build into the store, and says each day that they are still in use. A
   * failure is logged: gifts are taken without it.
   */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#keep(), DAY).unref();
    await this.#keep();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #keep(): Promise<void> {
    const { scripts, log } = this.#options;
    try {
      await this.keep([...(await scripts())].filter(([name]) => IMMUTABLE.test(name)));
    } catch (error) {
      log.warn(
        describeError(error),
        'the script files of this release could not be kept for the next ones',
      );
    }
  }

  /**
   * What is there keeps its bytes. What no release has had for half a year goes. Without files
   * there is nothing to do: PostgreSQL takes no empty list.
   */
  async keep(files: readonly (readonly [name: string, file: PublicBody])[]): Promise<void> {
    if (files.length === 0) return;
    const {
      store: { writer },
      now,
    } = this.#options;
    const at = now();
    const names = files.map(([name]) => name);
    await writer.write(async (transaction) => {
      const rows = await transaction
        .selectFrom('archived_assets')
        .select('name')
        .where('name', 'in', names)
        .execute();
      for (const [name, { text }] of files) {
        if (rows.some((row) => row.name === name)) continue;
        await transaction
          .insertInto('archived_assets')
          .values({ name, text, first_seen_at: at, last_seen_at: at })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
    await writer.write((transaction) =>
      transaction
        .updateTable('archived_assets')
        .set({ last_seen_at: at })
        .where('name', 'in', names)
        .execute(),
    );
    await writer.write((transaction) =>
      transaction
        .deleteFrom('archived_assets')
        .where('last_seen_at', '<', at - KEPT_FOR)
        .execute(),
    );
  }
}
