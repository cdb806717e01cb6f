import { defineConfig } from 'vite';

/**
 * The small scripts that pages embed beside the form's. Each is one file that shares nothing with
 * another.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  analytics: 'src/donation-form/analytics/embed.ts',
  attribution: 'src/donation-form/attribution/embed.ts',
  'donation-button': 'src/donation-form/button/embed.ts',
  'donation-goal': 'src/donation-form/goal/embed.ts',
};

/** Of the sandbox, and so in the server's package. */
const SANDBOX_SCRIPTS: Readonly<Record<string, string>> = {
  'card-frame': 'src/sandbox/card-frame/card-frame.ts',
};

/** The modes in which this configuration builds, one for each script. */
export const PAGE_SCRIPTS: readonly string[] = [
  ...Object.keys(SCRIPTS),
  ...Object.keys(SANDBOX_SCRIPTS),
];

/** @param env.mode which of them is built. */
export default defineConfig(({ mode }) => ({
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    outDir: mode in SCRIPTS ? 'dist/donation-form/scripts' : 'dist/donation-form-server/assets',
    emptyOutDir: false,
    lib: { entry: { [mode]: { ...SCRIPTS, ...SANDBOX_SCRIPTS }[mode]! }, formats: ['es'] },
    rolldownOptions: { output: { entryFileNames: '[name].js', minify: true, comments: false } },
  },
}));
