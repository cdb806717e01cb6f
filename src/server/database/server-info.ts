import type { Database } from './database.ts';

/** Named values about the server that survive restarts. */
export type ServerInfo = ReturnType<typeof createServerInfo>;

export function createServerInfo({ db, writer }: Pick<Database, 'db' | 'writer'>) {
  return {
    get: async (name: string) =>
      (
        await db
          .selectFrom('serverInfo')
          .select('value')
          .where('name', '=', name)
          .executeTakeFirst()
      )?.value,
    /** @returns false if the name already has a value. */
    add: async (name: string, value: string) => {
      const { numInsertedOrUpdatedRows = 0n } = await writer.write((transaction) =>
        transaction
          .insertInto('serverInfo')
          .values({ name, value })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirst(),
      );
      return numInsertedOrUpdatedRows > 0n;
    },
    /** @returns false if the name had no value. */
    delete: async (name: string) => {
      const { numDeletedRows } = await writer.write((transaction) =>
        transaction.deleteFrom('serverInfo').where('name', '=', name).executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },
    set: async (name: string, value: string) => {
      await writer.write((transaction) =>
        transaction
          .insertInto('serverInfo')
          .values({ name, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute(),
      );
    },
  };
}

/** Writes only if the version has changed. */
export async function recordVersion(
  database: Pick<Database, 'db' | 'writer'>,
  version: string,
): Promise<void> {
  const info = createServerInfo(database);
  if ((await info.get('version')) !== version) await info.set('version', version);
}
