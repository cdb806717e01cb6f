/**
 * Keeps rows, one transaction each, as fast as it can: a line of output says how many in how many
 * milliseconds. `FILE MILLISECONDS`
 */
import { openBareDatabase } from './bare-insert.ts';

const [file = '', milliseconds = '0'] = process.argv.slice(2);
const insert = openBareDatabase(file);
const began = performance.now();
let kept = 0;
while (performance.now() - began < Number(milliseconds)) {
  insert();
  kept += 1;
}
process.stdout.write(`${kept} in ${performance.now() - began}\n`);
