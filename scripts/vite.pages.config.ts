import { defineConfig } from 'vite';
import { minifyTemplates, noticesBanner } from './vite.form.config.ts';

/**
 * Builds the scripts of the server's own pages. They share chunks with each other, and nothing with
 * the form's script.
 */
export default defineConfig({
  publicDir: 'src/admin-ui/styles',
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist/donation-form-server/assets/pages',
    emptyOutDir: false,
    lib: {
      entry: {
        'campaign-links': 'src/admin-ui/campaign-links/define.ts',
        endpoint: 'src/admin-ui/endpoint.ts',
        preview: 'src/admin-ui/preview.ts',
        'fit-frames': 'src/admin-ui/fit-frames.ts',
        'form-builder': 'src/admin-ui/form-builder/define.ts',
        passkeys: 'src/admin-ui/passkeys.ts',
        'builder-preview': 'src/admin-ui/form-builder/preview.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared-[name].js',
        minify: true,
        comments: false,
      },
      plugins: [minifyTemplates, noticesBanner],
    },
  },
});
