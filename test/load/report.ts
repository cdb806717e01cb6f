import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';

/** What the figures were measured on. */
export function machine(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day}: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}.`;
}

/** A table of Markdown. @param rows the first is its head. */
export function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/**
 * Replaces what a page has between `<!-- name -->` and `<!-- /name -->`.
 * @throws where it has no such place.
 */
export async function writeBetween(file: string, name: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8');
  const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!place.test(before))
    throw new Error(`${file} has no place between <!-- ${name} --> and <!-- /${name} -->`);
  await writeFile(
    file,
    before.replace(place, (_whole, begin: string, end: string) => `${begin}${text}\n${end}`),
  );
}
