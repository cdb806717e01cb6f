import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';

/** Describes the machine and the date of a measurement. */
export function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}.`;
}

/** Renders a Markdown table. @param rows the first one is the header. */
export function renderTable([header = [], ...rows]: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/**
 * Replaces the text between the markers `<!-- name -->` and `<!-- /name -->`.
 * @throws if the file lacks the markers.
 */
export async function replaceBetweenMarkers(
  file: string,
  name: string,
  text: string,
): Promise<void> {
  const before = await readFile(file, 'utf8');
  const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!section.test(before))
    throw new Error(`${file} lacks the markers <!-- ${name} --> and <!-- /${name} -->`);
  await writeFile(
    file,
    before.replace(section, (_match, begin: string, end: string) => `${begin}\n${text}\n\n${end}`),
  );
}
