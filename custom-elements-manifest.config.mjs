/** Makes `dist/custom-elements.json`: what editors complete in a page's tag. */
export default {
  globs: ['src/element/donation-form.ts', 'src/element/tag.ts', 'src/element/define.ts', 'src/companions/*.ts'],
  outdir: 'dist',
  litelement: true,
  plugins: [{
    name: 'public-only',
    packageLinkPhase({ customElementsManifest: { modules } }) {
      for (const { declarations = [] } of modules) {
        for (const declaration of declarations) {
          declaration.members = declaration.members?.filter(({ privacy }) => privacy !== 'private');
          declaration.events = declaration.events?.filter(({ name }) => name);
        }
      }
    },
  }],
};
