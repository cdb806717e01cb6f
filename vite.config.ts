import { createHash } from 'node:crypto';
import { minifyHTMLLiterals } from 'minify-literals';
import { defineConfig, type Rolldown } from 'vite';

/**
 * The script's late parts take what they share with it from the script that is running, and not by its address: sites rehost it,
 * write `?ver=2` behind it, or have an older release of it in their caches, and would load a second copy.
 */
const shareByMemory: Rolldown.Plugin = {
  name: 'share-by-memory',
  generateBundle(_options, bundle) {
    const script = bundle['donation-form.js'] as Rolldown.OutputChunk;
    const shared = `globalThis[Symbol.for("donation-form ${createHash('sha256').update(script.code).digest('base64url').slice(0, 12)}")]`;
    const [, names = ''] = /export\s*\{([^}]*)\};?\s*$/.exec(script.code) ?? [];
    script.code += `${shared}??={${names.replace(/(\w+|\$+\w*) as (\w+)/g, '$2:$1')}};`;
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || chunk === script) continue;
      chunk.code = chunk.code.replace(/import\s*\{([^}]*)\}\s*from\s*["'`]\.\/donation-form\.js["'`];?/g, (_all, used: string) => `const{${used.replaceAll(' as ', ':')}}=${shared};`);
    }
  },
};

export const minifyTemplates: Rolldown.Plugin = {
  name: 'minify-templates',
  async transform(code, id) {
    return /\/src\/(element|pages)\//.test(id) ? await minifyHTMLLiterals(code, { fileName: id, html: { conservativeCollapse: true } }) : null;
  },
};

/** Builds what a browser loads from the endpoint: the script that pages embed with its late parts, and the sandbox's card frame. */
export default defineConfig({
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    emptyOutDir: false,
    lib: { entry: { 'donation-form': 'src/element/script.ts', 'card-frame': 'src/sandbox/card-frame/card-frame.ts' }, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: { entryFileNames: '[name].js', chunkFileNames: 'donation-form.[hash].js', minify: true, comments: false },
      plugins: [minifyTemplates, shareByMemory],
    },
  },
});
