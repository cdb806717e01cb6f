import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';

const FOLDER = 'dist/donation-form';

/** The modules of the package, by the folders of their sources. */
const MODULES = { form: 'lib/element.js', button: 'lib/button.js', goal: 'lib/goal.js' };

/** The module of the package in which a source file ends up. */
const published = (path) =>
  path.endsWith('/form/define.ts')
    ? 'lib/index.js'
    : path.replace(/^\/?src\/donation-form\/(\w+)\/.*$/, (_all, folder) => MODULES[folder]);

function publishPaths(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if ((name === 'path' || name === 'module') && typeof inner === 'string')
      value[name] = published(inner);
    else publishPaths(inner);
  }
}

/**
 * Makes what editors complete in a page's tag: `custom-elements.json`, and the same for VS
 * Code and for JetBrains.
 */
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
        // What stands in the button's tag counts for its form.
        find('donation-button').attributes = find('donation-form').attributes.map(
          ({ name, type, description }) => ({ name, type, description }),
        );
        publishPaths(customElementsManifest);
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
