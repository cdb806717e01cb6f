import { defineConfig } from 'vite';
import { noticesBanner } from './vite.config.ts';

/** The scripts that pages embed besides the form's. Each is one self-contained file. */
const EMBEDDED: Readonly<Record<string, string>> = {
  analytics: 'src/donation-form/analytics/embed.ts',
  attribution: 'src/donation-form/attribution/embed.ts',
  'donation-button': 'src/donation-form/button/embed.ts',
  'donation-goal': 'src/donation-form/goal/embed.ts',
  'flat-settings': 'src/donation-form/flat-settings/embed.ts',
};

/** The scripts of the sandbox and of `donation-form verify`, which the server package contains. */
const SERVER: Readonly<Record<string, string>> = {
  'page-inspector': 'src/donation-form/debug/page-inspector.ts',
  'sandbox-stripe-stripe': 'src/sandbox/stripe/browser/stripe.ts',
  'sandbox-stripe-elements': 'src/sandbox/stripe/browser/elements.ts',
  'sandbox-stripe-authenticated': 'src/sandbox/stripe/browser/authenticated.ts',
  'sandbox-stripe-wallet-buttons': 'src/sandbox/stripe/browser/wallet-buttons.ts',
  'sandbox-stripe-wallet-sheet': 'src/sandbox/stripe/browser/wallet-sheet.ts',
};

/** Vite modes that build one embedded script each. */
export const EMBEDDED_SCRIPTS: readonly string[] = Object.keys(EMBEDDED);

/** Vite modes that build one of the server package's scripts each. */
export const SERVER_SCRIPTS: readonly string[] = Object.keys(SERVER);

/** @param env.mode name of the script to build. */
export default defineConfig(({ mode }) => ({
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    outDir: mode in EMBEDDED ? 'dist/donation-form/scripts' : 'dist/donation-form-server/assets',
    emptyOutDir: false,
    lib: { entry: { [mode]: { ...EMBEDDED, ...SERVER }[mode]! }, formats: ['es'] },
    rolldownOptions: {
      output: { entryFileNames: '[name].js', minify: true, comments: false },
      plugins: [noticesBanner],
    },
  },
}));
