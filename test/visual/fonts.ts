import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'noto-sans': ['latin', 'latin-ext', 'cyrillic', 'devanagari'],
  'noto-sans-arabic': ['arabic'],
  'noto-sans-hebrew': ['hebrew'],
};

const resolveFontFile = (name: string, file: string): string =>
  fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}/${file}`));

/** Font files by URL path. */
export const fontFiles: ReadonlyMap<string, Buffer> = new Map(
  Object.entries(PACKAGES).flatMap(([name, scripts]) =>
    scripts.map(
      (script) =>
        [
          `/fonts/${name}-${script}.woff2`,
          readFileSync(resolveFontFile(name, `files/${name}-${script}-wght-normal.woff2`)),
        ] as const,
    ),
  ),
);

/**
 * Font faces with one family name, so that screenshots do not depend on installed fonts. Chinese
 * and Japanese come from a font that `scripts/setup.mjs` installs, since no baseline contains them.
 */
export const fontFaceCss = Object.entries(PACKAGES)
  .flatMap(([name, scripts]) => {
    const css = readFileSync(resolveFontFile(name, 'index.css'), 'utf8');
    return scripts.map((script) => {
      const range = new RegExp(
        `${name}-${script}-wght-normal\\.woff2[^}]*?unicode-range: ([^;]+);`,
      ).exec(css)?.[1];
      if (!range) throw new Error(`${name} has no ${script} font`);
      return (
        '@font-face { font-family: Pinned; font-weight: 100 900; font-display: block; src: ' +
        `url(/fonts/${name}-${script}.woff2); unicode-range: ${range} }`
      );
    });
  })
  .join('\n');
