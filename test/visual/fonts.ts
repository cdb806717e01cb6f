import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'noto-sans': ['latin', 'latin-ext', 'cyrillic', 'devanagari'],
  'noto-sans-arabic': ['arabic'],
  'noto-sans-hebrew': ['hebrew'],
};

const fileOf = (name: string, file: string): string =>
  fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}/${file}`));

/** The fonts of the images, by their addresses. */
export const fonts: ReadonlyMap<string, Buffer> = new Map(
  Object.entries(PACKAGES).flatMap(([name, scripts]) =>
    scripts.map(
      (script) =>
        [
          `/fonts/${name}-${script}.woff2`,
          readFileSync(fileOf(name, `files/${name}-${script}-wght-normal.woff2`)),
        ] as const,
    ),
  ),
);

/**
 * One family of all of them, so that no image depends on what a machine has; Chinese and Japanese
 * are not in it, and in no image.
 */
export const fontFaces = Object.entries(PACKAGES)
  .flatMap(([name, scripts]) => {
    const own = readFileSync(fileOf(name, 'index.css'), 'utf8');
    return scripts.map((script) => {
      const range = new RegExp(
        `${name}-${script}-wght-normal\\.woff2[^}]*?unicode-range: ([^;]+);`,
      ).exec(own)?.[1];
      if (!range) throw new Error(`${name} has no ${script}`);
      return `@font-face { font-family: Pinned; font-weight: 100 900; font-display: block; src: url(/fonts/${name}-${script}.woff2); unicode-range: ${range} }`;
    });
  })
  .join('\n');
