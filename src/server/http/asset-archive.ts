import type { ServerBase } from '../database/database.ts';
import { describeError } from '../lib/describe-error.ts';
import { createPublicBody, type PublicBody } from '../lib/public-body.ts';
import { type AssetLoader, IMMUTABLE_ASSET_NAME } from './embed-assets.ts';

const DAY = 86_400_000;
/** In milliseconds, from the last time that a server's build contained the file. */
const RETENTION = 180 * DAY;

interface AssetArchiveOptions extends ServerBase {
  readonly loadAssets: AssetLoader;
}

/**
 * Archives each release's script chunks in the database, which all servers share. Pages that are
 * open during an upgrade, and pages with a cached script, can still load the chunks of their own
 * release.
 */
export class AssetArchive {
  readonly #options: AssetArchiveOptions;
  readonly #cache = new Map<string, PublicBody>();
  #timer: NodeJS.Timeout | undefined;
  #archiving = Promise.resolve();

  constructor(options: AssetArchiveOptions) {
    this.#options = options;
  }

  async findFile(name: string): Promise<PublicBody | undefined> {
    const cached = this.#cache.get(name);
    if (cached) return cached;
    const row = await this.#options.database.db
      .selectFrom('archivedAssets')
      .select('text')
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) return undefined;
    const file = createPublicBody(row.text);
    this.#cache.set(name, file);
    return file;
  }

  /** Repeats once a day. Only logs failures, because donations do not depend on the archive. */
  startArchiving(): Promise<void> {
    const archive = (): Promise<void> => (this.#archiving = this.#archiveCurrentBuild());
    this.#timer = setInterval(() => void archive(), DAY).unref();
    return archive();
  }

  async stopArchiving(): Promise<void> {
    clearInterval(this.#timer);
    await this.#archiving;
  }

  async #archiveCurrentBuild(): Promise<void> {
    const { loadAssets, log } = this.#options;
    try {
      await this.archiveFiles(
        [...(await loadAssets())].filter(([name]) => IMMUTABLE_ASSET_NAME.test(name)),
      );
    } catch (error) {
      log.warn(describeError(error), "cannot archive this release's script files");
    }
  }

  /** Also deletes files that no server has used for {@link RETENTION}. */
  async archiveFiles(files: readonly (readonly [name: string, file: PublicBody])[]): Promise<void> {
    // PostgreSQL rejects an empty `IN` list.
    if (files.length === 0) return;
    const {
      database: { writer },
      now,
    } = this.#options;
    const at = now();
    const names = files.map(([name]) => name);
    await writer.write(async (transaction) => {
      const rows = await transaction
        .selectFrom('archivedAssets')
        .select('name')
        .where('name', 'in', names)
        .execute();
      for (const [name, { text }] of files) {
        if (rows.some((row) => row.name === name)) continue;
        await transaction
          .insertInto('archivedAssets')
          .values({ name, text, firstSeenAt: at, lastSeenAt: at })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
    await writer.write((transaction) =>
      transaction
        .updateTable('archivedAssets')
        .set({ lastSeenAt: at })
        .where('name', 'in', names)
        .execute(),
    );
    await writer.write((transaction) =>
      transaction
        .deleteFrom('archivedAssets')
        .where('lastSeenAt', '<', at - RETENTION)
        .execute(),
    );
  }
}
