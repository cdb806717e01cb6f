/** Thread of the baseline `thread`: inserts the rows of each message in one transaction. */
import { parentPort, workerData } from 'node:worker_threads';
import { openBareDatabase } from './bare-insert.ts';

const { database, insert } = openBareDatabase(workerData as string);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
parentPort!.on('message', (bodies: readonly unknown[]) => {
  begin.run();
  bodies.forEach(insert);
  commit.run();
  parentPort!.postMessage('committed');
});
