import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { minifyHTMLLiterals } from 'minify-literals';
import { rolldown } from 'rolldown';
import { defineConfig, type Rolldown } from 'vite';

import { LANGUAGES } from './src/core/i18n/language.ts';

const SCRIPT = 'donation-form.js';
const target = ['chrome111', 'firefox113', 'safari16.4'];

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * Puts the script that pages embed into one file: the bundler leaves what its late parts share with
 * it in files beside it.
 * The late parts take that from the script that is running, and not by its address: sites rehost
 * it,
 * write `?ver=2` behind it, or have an older release of it in their caches, and would load a second
 * copy.
 */
const oneFile: Rolldown.Plugin = {
  name: 'one-file',
  async generateBundle(_options, bundle) {
    const chunkOf = (file: string): Rolldown.OutputChunk => bundle[file] as Rolldown.OutputChunk;
    const script = chunkOf(SCRIPT);
    const files = [SCRIPT, ...script.imports];
    const used = new Set<string>();
    const late = Object.values(bundle)
      .filter((chunk) => chunk.type === 'chunk')
      .filter((chunk) => !chunk.isEntry && !files.includes(chunk.fileName));
    const release = hashOf([...files.map(chunkOf), ...late].map(({ code }) => code).join(''));
    const shared = `globalThis[Symbol.for("donation-form ${release}")]`;
    for (const chunk of late) {
      chunk.code = chunk.code.replace(
        /import\s*\{([^}]*)\}\s*from\s*["'`]\.\/([^"'`]+)["'`];?/g,
        (all, names: string, file: string) => {
          const place = files.indexOf(file);
          if (place < 0) return all;
          const taken = names
            .split(',')
            .map((name) => name.trim().split(' as '))
            .map(([name = '', alias = name]) => `${name}${place}:${alias}`);
          for (const name of taken) used.add(name.split(':')[0]!);
          return `const{${taken.join()}}=${shared};`;
        },
      );
    }
    const imports = files.map(
      (file, place) =>
        `import {${[...used]
          .filter((name) => name.endsWith(String(place)))
          .map((name) => `${name.slice(0, -1)} as ${name}`)
          .join()}} from './${file}';`,
    );
    script.code = await inOneFile(
      `${imports.join('')}${shared} ??= {${[...used].sort().join()}};`,
      (file) => chunkOf(file).code,
    );
    script.imports = [];

    // A late part belongs to one release of the script, which is in its name: caches keep it for
    // good.
    const withRelease = (file: string): string => file.replace(/\.js$/, `-${release}.js`);
    const withNames = (text: string): string =>
      late.reduce(
        (all, { fileName }) => all.replaceAll(`./${fileName}`, `./${withRelease(fileName)}`),
        text,
      );
    script.code = withNames(script.code);
    for (const { fileName, code: text } of late)
      this.emitFile({ type: 'asset', fileName: withRelease(fileName), source: withNames(text) });
    for (const file of [...files.slice(1), ...late.map(({ fileName }) => fileName)])
      // oxlint-disable-next-line typescript/no-dynamic-delete -- a bundle is an object of files
      delete bundle[file];
  },
};

/** Bundles files that are not written yet. @param start the code that imports the first of them. */
async function inOneFile(start: string, codeOf: (file: string) => string): Promise<string> {
  const inMemory: Rolldown.Plugin = {
    name: 'in-memory',
    resolveId: (id, _importer, { kind }) =>
      kind === 'dynamic-import' ? { id, external: true } : `\0${id.replace('./', '')}`,
    load: (id) => (id === '\0start' ? start : codeOf(id.slice(1))),
  };
  const built = await rolldown({
    input: 'start',
    plugins: [inMemory],
    transform: { target },
    treeshake: true,
  });
  const {
    output: [chunk],
  } = await built.generate({ format: 'es', minify: true, comments: false, exports: 'none' });
  await built.close();
  return chunk.code;
}

const TEXTS = 'src/core/i18n/locales/';

const languages = LANGUAGES.filter((language) => language !== 'en');
const hashOfTexts = hashOf(
  languages.map((language) => readFileSync(`${TEXTS}${language}.ts`, 'utf8')).join(''),
);

/**
 * Gives each language's texts a file beside the script, `donation-form.<hash>-de.js`: one hash for
 * all, so that the script need not list them.
 */
const languageFiles: Rolldown.Plugin = {
  name: 'language-files',
  buildStart() {
    for (const language of languages)
      this.emitFile({
        type: 'chunk',
        id: `${TEXTS}${language}.ts`,
        fileName: `donation-form.${hashOfTexts}-${language}.js`,
      });
  },
  transform(_code, id) {
    return id.endsWith('/i18n/late.ts')
      ? `export const importTables = (language) => import(/* @vite-ignore */ \`./donation-form.${hashOfTexts}-\${language}.js\`);`
      : null;
  },
};

export const minifyTemplates: Rolldown.Plugin = {
  name: 'minify-templates',
  async transform(code, id) {
    return /\/src\/(donation-form|admin-ui)\//.test(id)
      ? await minifyHTMLLiterals(code, { fileName: id, html: { conservativeCollapse: true } })
      : null;
  },
};

/** Builds the script that pages embed, with its late parts. */
export default defineConfig({
  build: {
    target,
    outDir: 'dist/donation-form/scripts',
    emptyOutDir: false,
    lib: {
      entry: { 'donation-form': 'src/donation-form/embed.ts' },
      formats: ['es'],
    },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'donation-form.[name].js',
        minify: true,
        comments: false,
      },
      plugins: [languageFiles, minifyTemplates, oneFile],
    },
  },
});
