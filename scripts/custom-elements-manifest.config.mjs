import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';
import { DONATION_FREQUENCIES } from '../src/core/donation/frequency.ts';
import { LANGUAGES } from '../src/core/i18n/languages.ts';

const FOLDER = 'dist/donation-form';

/** The package's modules, by source folder. */
const MODULES = { form: 'lib/element.js', button: 'lib/button.js', goal: 'lib/goal.js' };

/** Finds the package's module that contains a source file. */
const findModule = (path) =>
  path.endsWith('/form/define.ts')
    ? 'lib/index.js'
    : path.replace(/^\/?src\/donation-form\/(\w+)\/.*$/, (_all, folder) => MODULES[folder]);

/** Replaces the paths of source files with those of the package's modules. */
function replacePaths(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if ((name === 'path' || name === 'module') && typeof child === 'string')
      value[name] = findModule(child);
    else replacePaths(child);
  }
}

/** Values that editors complete. */
const ATTRIBUTE_VALUES = {
  frequency: DONATION_FREQUENCIES,
  language: LANGUAGES,
  'url-params': ['off'],
};

/** Joins the source files of each module, without variables and functions, which are private. */
function mergeModules(modules) {
  const isClass = ({ kind }) => kind === 'class';
  return Object.entries(Object.groupBy(modules, ({ path }) => path)).map(([path, files]) => {
    const declarations = files.flatMap((file) => file.declarations ?? []).filter(isClass);
    const elements = declarations.filter(({ tagName }) => tagName).map(({ name }) => name);
    const exports = files
      .flatMap((file) => file.exports ?? [])
      .filter(({ kind, name }) => kind === 'custom-element-definition' || elements.includes(name));
    return { kind: 'javascript-module', path, declarations, exports };
  });
}

/** Generates the custom elements manifest, and from it custom data for VS Code and JetBrains. */
export default {
  globs: [
    'src/donation-form/form/donation-form.ts',
    'src/donation-form/form/attributes.ts',
    'src/donation-form/form/define.ts',
    'src/donation-form/{button,goal}/*.ts',
  ],
  exclude: ['src/donation-form/{button,goal}/embed.ts'],
  outdir: FOLDER,
  litelement: true,
  packagejson: false,
  plugins: [
    {
      name: 'public-only',
      packageLinkPhase({ customElementsManifest }) {
        const declarations = customElementsManifest.modules.flatMap(
          (module) => module.declarations ?? [],
        );
        const find = (tag) => declarations.find(({ tagName }) => tagName === tag);
        for (const declaration of declarations) {
          declaration.members = declaration.members?.filter(({ privacy }) => privacy !== 'private');
          declaration.events = declaration.events?.filter(({ name }) => name);
        }
        for (const attribute of declarations.flatMap(({ attributes = [] }) => attributes)) {
          const values = ATTRIBUTE_VALUES[attribute.name];
          if (values) attribute.type = { text: values.map((value) => `'${value}'`).join(' | ') };
        }
        // The button passes its attributes on to the form that it opens.
        find('donation-button').attributes = find('donation-form').attributes.map(
          ({ name, type, description }) => ({ name, type, description }),
        );
        replacePaths(customElementsManifest);
        customElementsManifest.modules = mergeModules(customElementsManifest.modules);
      },
    },
    customElementVsCodePlugin({
      outdir: FOLDER,
      htmlFileName: 'html-custom-data.json',
      cssFileName: null,
    }),
    customElementJetBrainsPlugin({
      outdir: FOLDER,
      webTypesFileName: 'web-types.json',
      packageJson: false,
    }),
  ],
};
