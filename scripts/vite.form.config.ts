import { createHash } from 'node:crypto';
import { minifyHTMLLiterals } from 'minify-literals';
import { rolldown } from 'rolldown';
import { defineConfig, type Rolldown } from 'vite';
import { completeTranslation, englishFallback, TRANSLATED_LANGUAGES } from './translations.ts';

const SCRIPT = 'donation-form.js';
/** Module of the script that imports chunks. */
const IMPORT_CHUNK = 'import-chunk.js';
const target = ['chrome111', 'firefox113', 'safari16.4'];

/** Refers readers of a script with third-party code to the license texts. */
const NOTICES_BANNER = '/*! Third-party licenses: THIRD-PARTY-NOTICES.txt */\n';

/**
 * Lets browsers compile the whole script in the background while it loads, instead of one function
 * at a time on the main thread. Must be at the script's start. Source:
 * https://v8.dev/blog/explicit-compile-hints
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Lazy chunks that some forms need before they appear. */
const CHUNKS_OF_FIRST_PAINT = /\.(optional-sections|address-fields|override-texts|url-reader)\.js$/;

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
 * lazy chunks into separate files; this plugin inlines those. It also copies code that only lazy
 * chunks share into each of them, because a separate file costs another round trip. Such code must
 * not have state.
 *
 * Lazy chunks then get the shared code from the running script through a global, not by URL. Sites
 * rehost the script, append `?ver=2` to its URL, or have an older release in a cache, and would
 * load a second copy. All chunks load through `importChunk`, also those that another chunk imports
 * statically, because a chunk that loads after a failure has another URL.
 */
const singleFile: Rolldown.Plugin = {
  name: 'single-file',
  buildStart() {
    this.emitFile({
      type: 'chunk',
      id: 'src/donation-form/page/import-chunk.ts',
      fileName: IMPORT_CHUNK,
    });
  },
  async generateBundle(_options, bundle) {
    const findChunk = (file: string): Rolldown.OutputChunk => bundle[file] as Rolldown.OutputChunk;
    const script = findChunk(SCRIPT);
    const inlinedFiles = [SCRIPT, ...script.imports, IMPORT_CHUNK];
    const chunks = Object.values(bundle)
      .filter((chunk) => chunk.type === 'chunk')
      .filter((chunk) => !chunk.isEntry && !inlinedFiles.includes(chunk.fileName));
    const lazyChunks = chunks.filter(({ isDynamicEntry }) => isDynamicEntry);
    const sharedFiles = chunks
      .filter(({ isDynamicEntry }) => !isDynamicEntry)
      .map(({ fileName }) => fileName);
    for (const chunk of lazyChunks)
      if (chunk.imports.some((file) => sharedFiles.includes(file)))
        chunk.code = await bundleInMemory(
          chunk.code,
          (file) => findChunk(file).code,
          (file) => !sharedFiles.includes(file),
        );
    for (const chunk of [...inlinedFiles.map(findChunk), ...lazyChunks])
      chunk.code = callImportChunk(
        chunk.code,
        lazyChunks.map(({ fileName }) => fileName),
      );
    const release = hashText(
      [...inlinedFiles.map(findChunk), ...lazyChunks].map(({ code }) => code).join(''),
    );
    const sharedList = `globalThis[Symbol.for("donation-form ${release}")]`;

    /** Exports of the inlined files that a lazy chunk imports, such as `a from donation-form.js`. */
    const sharedExports: string[] = [];
    for (const chunk of lazyChunks) {
      const bindings: string[] = [];
      const code = chunk.code.replace(
        IMPORT_STATEMENT,
        (statement, names: string | undefined, file: string) => {
          if (!inlinedFiles.includes(file)) return statement;
          for (const binding of names?.split(',') ?? []) {
            const [name = '', alias = name] = binding.trim().split(' as ');
            const shared = `${name} from ${file}`;
            if (!sharedExports.includes(shared)) sharedExports.push(shared);
            bindings.push(`${sharedExports.indexOf(shared)}:${alias}`);
          }
          return '';
        },
      );
      chunk.code = bindings.length > 0 ? `const{${bindings.join()}}=${sharedList};${code}` : code;
    }

    const imports = sharedExports.map((shared, index) => {
      const [name, file] = shared.split(' from ');
      return `import {${name} as shared${index}} from './${file}';`;
    });
    script.code = await bundleInMemory(
      `${imports.join('')}import './${SCRIPT}';
      ${sharedList} ??= [${sharedExports.map((_, index) => `shared${index}`).join()}];`,
      (file) => findChunk(file).code,
    );
    script.imports = [];

    // A lazy chunk belongs to one release of the script. The release is in the chunk's name, so
    // caches can keep the chunk forever.
    const addRelease = (file: string): string => file.replace(/\.js$/, `-${release}.js`);
    const renameLazyChunks = (code: string): string =>
      lazyChunks.reduce(
        (text, { fileName }) => text.replaceAll(fileName, addRelease(fileName)),
        code,
      );
    script.code = COMPILE_HINT + NOTICES_BANNER + renameLazyChunks(script.code);
    for (const chunk of lazyChunks) {
      const hint = CHUNKS_OF_FIRST_PAINT.test(chunk.fileName) ? COMPILE_HINT : '';
      const banner = hasThirdPartyCode(chunk) ? NOTICES_BANNER : '';
      this.emitFile({
        type: 'asset',
        fileName: addRelease(chunk.fileName),
        source: hint + banner + renameLazyChunks(chunk.code),
      });
    }
    for (const file of [...inlinedFiles.slice(1), ...chunks.map(({ fileName }) => fileName)])
      // oxlint-disable-next-line typescript/no-dynamic-delete -- a bundle is an object of files
      delete bundle[file];
  },
};

const IMPORT_STATEMENT = /import\s*(?:\{([^}]*)\}\s*from\s*)?["'`]\.\/([^"'`]+)["'`];?/g;

/** Replaces all imports of lazy chunks with calls of `importChunk`. */
function callImportChunk(code: string, lazyFiles: readonly string[]): string {
  const replaced = code
    .replace(IMPORT_STATEMENT, (statement, names: string | undefined, file: string) =>
      names !== undefined && lazyFiles.includes(file)
        ? `const{${names.replaceAll(' as ', ':')}}=await import("./${file}");`
        : statement,
    )
    .replaceAll(/\bimport\((["'`])\.\/(?=donation-form\.)/g, 'importChunk($1');
  return replaced === code ? code : `import{importChunk}from"./${IMPORT_CHUNK}";${replaced}`;
}

/**
 * Bundles files that exist only in memory.
 * @param entry code that imports the first of them.
 * @param isExternal function that returns true for files that remain imports. Dynamic imports always
 *   remain.
 */
async function bundleInMemory(
  entry: string,
  readCode: (file: string) => string,
  isExternal: (file: string) => boolean = () => false,
): Promise<string> {
  const inMemory: Rolldown.Plugin = {
    name: 'in-memory',
    resolveId: (id, importer, { kind }) => {
      const file = id.replace('./', '');
      return importer && (kind === 'dynamic-import' || isExternal(file))
        ? { id, external: true }
        : `\0${file}`;
    },
    load: (id) => (id === '\0entry' ? entry : readCode(id.slice(1))),
  };
  const bundle = await rolldown({
    input: 'entry',
    plugins: [inMemory],
    transform: { target },
    treeshake: { propertyReadSideEffects: false },
  });
  const {
    output: [chunk],
  } = await bundle.generate({ format: 'es', minify: true, comments: false });
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

/**
 * Removes what the form does not use from Lit: code for browsers without constructable style sheets,
 * which {@link target} excludes, values in styles, polyfills, hydration, warnings about several
 * versions, decorators, reflected properties, converters, MathML, compiled templates, asynchronous
 * directives, directives of elements and in attributes with several values, values in comments,
 * iterables other than arrays, listeners with options, and unused lifecycle methods. Copies a node
 * list without its iterator, as the form does.
 */
const UNUSED_LIT_CODE: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\w+\.ShadowRoot&&.*?"replace"in CSSStyleSheet\.prototype/, 'true'],
  [/1===(\w)\.length\?\1\[0\]:\w\.reduce\(.*?,\1\[0\]\)/, '$1[0]'],
  [
    /if\(this\._\$cssResult\$=!0,.*?throw Error\("CSSResult.*?"\);(this\.cssText=t),this\.t=e/,
    '$1',
  ],
  [
    /get styleSheet\(\)\{.*?toString\(\)\{.*?\}/,
    'get styleSheet(){return this.o||(this.o=new CSSStyleSheet).replaceSync(this.cssText),this.o}',
  ],
  [/t instanceof CSSStyleSheet\?t:(t\.styleSheet\))/, '$1'],
  [/(\w\.replaceWith)\(\.\.\.(\w\.childNodes)\)/, '$1(...[].slice.call($2))'],
  [/\w+\.\w+(Polyfill|Hydrate)Support\b/g, 'undefined'],
  [/\(\w+\.\w+Versions\?\?=\[\]\)\.push\("[\d.]+"\)/, '0'],
  [/toAttribute\(t,s\)\{.*?return t\},(?=fromAttribute)/, ''],
  [/case Number:i=.*?\}(?=\}return i\})/, ''],
  [/c=a\.trustedTypes,l=c\?c\.emptyScript:"",/, ''],
  [/\[\.\.\.r\(t\),\.\.\.o\(t\)\]/, 'r(t)'],
  [/this\.finalizeStyles\(this\.styles\)/, 'this.styles'],
  [/static finalizeStyles\(s\)\{.*?return i\}/, ''],
  [
    /(static getPropertyDescriptor\(t,s,i\)\{).*?this\.requestUpdate\(t,h,i\)/,
    '$1return{get(){return this[s]},set(e){const h=this[s];this[s]=e,this.requestUpdate(t,h,i)',
  ],
  [/void 0!==h&&(e\(this\.prototype,t,h\))/, '$1'],
  [/&&this\._\$Em!==e/, ''],
  [/this\._\$Em=e;/, ''],
  [/,this\._\$Em=null/g, ''],
  [/(requestUpdate\(t,s,i),e=!1,h\)(.*?)!1===e&&\((h=this\[t\])\)/, '$1,h)$2$3'],
  [/Symbol\.metadata\?\?=.*?new WeakMap;/, ''],
  [/const t=this\[Symbol\.metadata\].*?set\(t,i\)\}/, ''],
  [/_\$ET\(t,s\)\{.*?(?=_\$AK\(t,s\)\{)/, ''],
  [/this\._\$Eq&&=.*?\),(?=this\._\$EM)/, ''],
  [
    /C\(t,s,\{useDefault.*?(?=async _\$EP)/,
    'C(t,s){this._$AL.has(t)||this._$AL.set(t,this.hasUpdated?s:void 0)}',
  ],
  [/\|\|i\.useDefault&&.*?_\$Eu\(t,i\)\)/, ''],
  [/const t=this\.constructor\.elementProperties;if\(t\.size>0\).*?,i,e\)\}/, ''],
  [/"function"==typeof t\.converter\?.*?:u(?=;)/, 'u'],
  [/r\?\?this\._\$Ej\?\.get\(e\)\?\?r/, 'r'],
  [/static addInitializer\(t\)\{.*?\}(?=static)/, ''],
  [/,this\.constructor\.l\?\.forEach\(t=>t\(this\)\)/, ''],
  [/,void 0!==t\.l&&\(this\.l=\[\.\.\.t\.l\]\)/, ''],
  [/if\(s\.state&&.*?,!s\.noAccessor\)/, 'this._$Ei(),this.elementProperties.set(t,s);'],
  [/\{attribute:!0,type:String,.*?hasChanged:f\}/, '{}'],
  [/:3===i\?"<\/?math>"/g, ''],
  [/2===i\|\|3===i/, '2===i'],
  [/else t\.startsWith\(o\)&&\(.*?,r\.removeAttribute\(t\)\)/, ''],
  [/:6===r\.type&&\(i=new \w\(h,this,t\)\)/, ':0'],
  [/\{M:h,.*?(I:\w+),.*?\}/, '{$1}'],
  [/get _\$AU\(\)\{return this\._\$AM(\._\$AU|\?\._\$AU\?\?this\._\$Cv)\}/g, ''],
  [/,this\._\$Cv=e\?\.isConnected\?\?!0/, ''],
  [/this\._\$AN=void 0,/g, ''],
  [/this\._\$AP\?\.\(!1,!0,s\)/, ''],
  [/setConnected\(t\)\{.*?\(t\)\)\}/, ''],
  [/connectedCallback\(\)\{super\..*?setConnected\(!1\)\}/, ''],
  [/this\.hasUpdated\|\|\(this\.renderOptions\.isConnected=this\.isConnected\),/, ''],
  [/h\?\._\$AO\?\.\(!1\),/, ''],
  [/void 0!==e\?s\._\$Co\?\.\[e\]:/, ''],
  [/void 0!==e\?\(s\._\$Co\?\?=\[\]\)\[e\]=h:/, ''],
  [/get (tagName|startNode|endNode|parentNode)\(\)\{(return .*?|let t=.*?,t)\}/g, ''],
  [/constructor\([^)]*\)\{super\([^)]*\),this\.type=[345]\}/g, ''],
  [/\|\|"function"==typeof t\?\.\[Symbol\.iterator\]/, ''],
  [/\(t\?\.creationScope\?\?l\)/, 'l'],
  [/"number"==typeof s\?(this\._\$AC\(t\)):\(.*?,s\)/, '$1'],
  [/else\{let t=-1;for\(.*?length-1\}/, ''],
  [/\|\|t\.capture!==.*?s\.passive/, ''],
  [/"function"==typeof (this\._\$AH)\?(.*?):\1\.handleEvent\(t\)/, '$2'],
  [/const s=i\(t\)\.nextSibling;i\(t\)/, 'const s=t.nextSibling;t'],
  [/\bd\(("\w+")\)/g, '$1'],
  [/this\._\$EO\?\.forEach\(t=>t\.hostUpdated?\?\.\(\)\),/g, ''],
  [/this\.hasUpdated\|\|\((this\.hasUpdated=!0),.*?\),this\.updated\(t\)/, '$1'],
  [/updated\(t\)\{\}firstUpdated\(t\)\{\}/, ''],
  [
    /let t=!1;(const s=this\._\$AL;try\{)t=this\.shouldUpdate\(s\),t\?\((.*?)\):this\._\$EM\(\)/,
    '$1$2',
  ],
  [/throw t=!1,(.*?\})t&&/, 'throw $1'],
  [/shouldUpdate\(t\)\{return!0\}/, ''],
  [
    /const t=i\.getPropertyOptions\(e\),h=u;.*?this\[e\]=r/,
    'this[e]=i.getPropertyOptions(e).type===Boolean?null!==s:s',
  ],
  [/render\(r,t\)\{return t\(\)\}/, ''],
  [
    /if\(Array\.isArray\(s\)\)\{.*?this\.render\(s,e\)/,
    'if(s.every((r,t)=>r===this.ot[t]))return r;return this.ot=s,e()',
  ],
];

const shortenLit: Rolldown.Plugin = {
  name: 'shorten-lit',
  transform(code, id) {
    return /\/node_modules\/(@lit|lit)/.test(id)
      ? UNUSED_LIT_CODE.reduce(
          (text, [pattern, replacement]) => text.replace(pattern, replacement),
          code,
        )
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
      plugins: [languageFiles, englishFallback, minifyTemplates, shortenLit, singleFile],
    },
  },
});
