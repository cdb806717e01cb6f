import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the npm packages that modules are from. @param modules paths of files. */
export function packageFolders(modules: Iterable<string>): string[] {
  const folders = Array.from(
    modules,
    (module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

/**
 * The licenses of the packages whose code is part of ours, in Markdown.
 * @throws {Error} if a package has neither a license file nor names its license.
 */
export function describeLicenses(folders: readonly string[]): string {
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as { readonly name: string; readonly version: string; readonly license?: string };
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (texts.length === 0 && !license) throw new Error(`${name} does not say its license`);
    return [
      `## ${name} ${version}`,
      license ?? '',
      ...texts.map((text) => `\`\`\`text\n${text}\n\`\`\``),
    ]
      .filter(Boolean)
      .join('\n\n');
  });
  const introduction = 'Code of these packages is part of this one.';
  return `# Third-party licenses\n\n${introduction}\n\n${sections.sort().join('\n\n')}\n`;
}
