import { createHash } from 'node:crypto';
import { minifyHTMLLiterals } from 'minify-literals';
import { rolldown } from 'rolldown';
import { defineConfig, type Rolldown } from 'vite';

import {
  completeTranslation,
  englishFallback,
  TRANSLATED_LANGUAGES,
} from './scripts/translations.ts';

const SCRIPT = 'donation-form.js';
const target = ['chrome111', 'firefox113', 'safari16.4'];

/** Refers readers of a script with third-party code to the license texts. */
const NOTICES_BANNER = '/*! Third-party licenses: THIRD-PARTY-NOTICES.txt */\n';

function hasThirdPartyCode({ moduleIds }: Rolldown.OutputChunk): boolean {
  return moduleIds.some((id) => id.includes('/node_modules/'));
}

/** Adds the banner to every chunk that has third-party code. */
export const noticesBanner: Rolldown.Plugin = {
  name: 'notices-banner',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && hasThirdPartyCode(file)) file.code = NOTICES_BANNER + file.code;
    }
  },
};

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * Puts the script that pages embed into one file. The bundler puts code that it shares with its
 * lazy chunks into separate files; this plugin inlines those.
 *
 * Lazy chunks then get the shared code from the running script through a global, not by URL. Sites
 * rehost the script, append `?ver=2` to its URL, or have an older release in a cache, and would
 * load a second copy.
 */
const singleFile: Rolldown.Plugin = {
  name: 'single-file',
  async generateBundle(_options, bundle) {
    const findChunk = (file: string): Rolldown.OutputChunk => bundle[file] as Rolldown.OutputChunk;
    const script = findChunk(SCRIPT);
    const inlinedFiles = [SCRIPT, ...script.imports];
    const lazyChunks = Object.values(bundle)
      .filter((chunk) => chunk.type === 'chunk')
      .filter((chunk) => !chunk.isEntry && !inlinedFiles.includes(chunk.fileName));
    const release = hashText(
      [...inlinedFiles.map(findChunk), ...lazyChunks].map(({ code }) => code).join(''),
    );
    const sharedObject = `globalThis[Symbol.for("donation-form ${release}")]`;

    const sharedNames = new Set<string>();
    for (const chunk of lazyChunks) {
      chunk.code = chunk.code.replace(
        /import\s*\{([^}]*)\}\s*from\s*["'`]\.\/([^"'`]+)["'`];?/g,
        (statement, names: string, file: string) => {
          const index = inlinedFiles.indexOf(file);
          if (index < 0) return statement;
          const bindings = names
            .split(',')
            .map((name) => name.trim().split(' as '))
            .map(([name = '', alias = name]) => ({ shared: `${name}${index}`, alias }));
          for (const { shared } of bindings) sharedNames.add(shared);
          const pattern = bindings.map(({ shared, alias }) => `${shared}:${alias}`).join();
          return `const{${pattern}}=${sharedObject};`;
        },
      );
    }

    const imports = inlinedFiles.map((file, index) => {
      const names = [...sharedNames]
        .filter((name) => name.endsWith(String(index)))
        .map((name) => `${name.slice(0, -1)} as ${name}`);
      return `import {${names.join()}} from './${file}';`;
    });
    script.code = await bundleInMemory(
      `${imports.join('')}${sharedObject} ??= {${[...sharedNames].sort().join()}};`,
      (file) => findChunk(file).code,
    );
    script.imports = [];

    // A lazy chunk belongs to one release of the script. The release is in the chunk's name, so
    // caches can keep the chunk forever.
    const addRelease = (file: string): string => file.replace(/\.js$/, `-${release}.js`);
    const renameLazyChunks = (code: string): string =>
      lazyChunks.reduce(
        (text, { fileName }) => text.replaceAll(`./${fileName}`, `./${addRelease(fileName)}`),
        code,
      );
    script.code = NOTICES_BANNER + renameLazyChunks(script.code);
    for (const chunk of lazyChunks) {
      const banner = hasThirdPartyCode(chunk) ? NOTICES_BANNER : '';
      this.emitFile({
        type: 'asset',
        fileName: addRelease(chunk.fileName),
        source: banner + renameLazyChunks(chunk.code),
      });
    }
    for (const file of [...inlinedFiles.slice(1), ...lazyChunks.map(({ fileName }) => fileName)])
      // oxlint-disable-next-line typescript/no-dynamic-delete -- a bundle is an object of files
      delete bundle[file];
  },
};

/**
 * Bundles files that exist only in memory.
 * @param entry code that imports the first of them.
 */
async function bundleInMemory(entry: string, readCode: (file: string) => string): Promise<string> {
  const inMemory: Rolldown.Plugin = {
    name: 'in-memory',
    resolveId: (id, _importer, { kind }) =>
      kind === 'dynamic-import' ? { id, external: true } : `\0${id.replace('./', '')}`,
    load: (id) => (id === '\0entry' ? entry : readCode(id.slice(1))),
  };
  const bundle = await rolldown({
    input: 'entry',
    plugins: [inMemory],
    transform: { target },
    treeshake: true,
  });
  const {
    output: [chunk],
  } = await bundle.generate({ format: 'es', minify: true, comments: false, exports: 'none' });
  await bundle.close();
  return chunk.code;
}

const LOCALES = 'src/core/i18n/locales';

const translationsHash = hashText(TRANSLATED_LANGUAGES.map(completeTranslation).join(''));

/**
 * Compiles each translation into a file beside the script, `donation-form.<hash>-de.js`. All share
 * one hash, so that the script doesn't need to list them.
 */
const languageFiles: Rolldown.Plugin = {
  name: 'language-files',
  buildStart() {
    for (const language of TRANSLATED_LANGUAGES)
      this.emitFile({
        type: 'chunk',
        id: `${LOCALES}/${language}.json`,
        fileName: `donation-form.${translationsHash}-${language}.js`,
      });
  },
  transform(_code, id) {
    if (!id.endsWith('/i18n/import-translation.ts')) return null;
    const file = `./donation-form.${translationsHash}-\${language}.js`;
    return (
      'export const importTranslation = async (language) => ' +
      `(await import(/* @vite-ignore */ \`${file}\`)).default;`
    );
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

/** Builds the form's script and its lazy chunks. */
export default defineConfig({
  // A language file exports its translation once, as the default.
  json: { namedExports: false, stringify: false },
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
      plugins: [languageFiles, englishFallback, minifyTemplates, singleFile],
    },
  },
});
