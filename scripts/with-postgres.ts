/** Runs a command beside a PostgreSQL of its own, whose address it finds in TEST_DATABASE_URL. */
import { spawn } from 'node:child_process';
import { startPostgres } from '../test/postgres.ts';

const [program = '', ...words] = process.argv.slice(2);
const postgres = await startPostgres();
try {
  process.exitCode = await new Promise<number>((resolve) => {
    spawn(program, words, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: postgres.url } }).on('close', (code) => { resolve(code ?? 1); });
  });
} finally {
  await postgres.stop();
}
