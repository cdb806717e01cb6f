import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';

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
        // The button passes its attributes on to the form that it opens.
        find('donation-button').attributes = find('donation-form').attributes.map(
          ({ name, type, description }) => ({ name, type, description }),
        );
        replacePaths(customElementsManifest);
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
