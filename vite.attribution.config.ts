import { defineConfig } from 'vite';

/** Builds the script that keeps a campaign while a visitor walks through a site: one small file that shares nothing with the form's. */
export default defineConfig({
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    emptyOutDir: false,
    lib: { entry: { attribution: 'src/attribution/script.ts' }, formats: ['es'] },
    rolldownOptions: { output: { entryFileNames: '[name].js', minify: true, comments: false } },
  },
});
