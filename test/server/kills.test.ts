import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Figure } from '../load/bar.ts';
import { killPostgres, killServer } from '../load/kills.ts';
import { startPostgres } from '../postgres.ts';

const url = process.env.TEST_DATABASE_URL;
const missed = (figures: readonly Figure[]): string[] =>
  figures
    .filter(({ isMet }) => !isMet)
    .map(({ what, figure, target }) => `${what}: ${figure}, expected ${target}`);

/** Over SQLite kills.long.test.ts has more of them. */
const [gifts, kills] = url === undefined ? [50, 1] : [200, 3];

test(
  `${gifts} gifts while the server is killed, ${kills} times in all, and replies are lost: none lost, none charged or recorded twice`,
  { timeout: 120_000 },
  async () => {
    assert.deepEqual(
      missed(
        (
          await killServer({
            gifts,
            kills,
            speed: 20,
            postgres: url === undefined ? undefined : { url },
          })
        ).figures,
      ),
      [],
    );
  },
);

if (url !== undefined) {
  test(
    '100 gifts while PostgreSQL itself is killed: none lost, none half kept, and gifts are taken again within 5 s',
    { timeout: 120_000 },
    async () => {
      const postgres = await startPostgres();
      try {
        assert.deepEqual(
          missed((await killPostgres({ gifts: 100, kills: 1, postgres })).figures),
          [],
        );
      } finally {
        await postgres.stop();
      }
    },
  );
}
