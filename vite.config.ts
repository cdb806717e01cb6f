import { defineConfig } from 'vite';

/** Builds what a browser loads from the endpoint: the script that pages embed with its late parts, and the sandbox's card frame. */
export default defineConfig({
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    emptyOutDir: false,
    lib: { entry: { 'donation-form': 'src/element/script.ts', 'card-frame': 'src/sandbox/card-frame/card-frame.ts' }, formats: ['es'] },
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'donation-form.[hash].js', minify: true, comments: false } },
  },
});
