/**
 * Inserts rows for a while as fast as possible, each in its own transaction, and prints the number
 * of rows and the milliseconds that they took. Arguments: `FILE MILLISECONDS`.
 */
import { openBareDatabase } from './bare-insert.ts';

const [file = '', milliseconds = '0'] = process.argv.slice(2);
const { insert } = openBareDatabase(file);
const start = performance.now();
let rows = 0;
while (performance.now() - start < Number(milliseconds)) {
  insert();
  rows += 1;
}
process.stdout.write(`${rows} in ${performance.now() - start}\n`);
