import { defineConfig } from 'vite';
import { minifyTemplates } from './vite.config.ts';

/** Builds what the endpoint's own pages load. Each script is one file: they share nothing with the script that other pages embed. */
export default defineConfig({
  publicDir: 'src/pages/styles',
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist/pages',
    emptyOutDir: false,
    lib: { entry: { 'campaign-links': 'src/pages/campaign-links/define.ts', preview: 'src/pages/preview.ts' }, formats: ['es'] },
    rolldownOptions: { output: { entryFileNames: '[name].js', minify: true, comments: false }, plugins: [minifyTemplates] },
  },
});
