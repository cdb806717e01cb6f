import type { Database } from './database.ts';

/** Records this release's version in the database. Writes only if the version has changed. */
export async function recordVersion(
  { db, writer }: Pick<Database, 'db' | 'writer'>,
  version: string,
): Promise<void> {
  const row = await db
    .selectFrom('server_info')
    .select('value')
    .where('name', '=', 'version')
    .executeTakeFirst();
  if (row?.value === version) return;
  await writer.write((transaction) =>
    transaction
      .insertInto('server_info')
      .values({ name: 'version', value: version })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: version }))
      .execute(),
  );
}
