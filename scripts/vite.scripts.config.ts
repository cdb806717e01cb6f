import { defineConfig } from 'vite';
import { noticesBanner } from './vite.form.config.ts';

/** The scripts that pages embed besides the form's. Each is one self-contained file. */
const EMBEDDED: Readonly<Record<string, string>> = {
  analytics: 'src/donation-form/analytics/embed.ts',
  attribution: 'src/donation-form/attribution/embed.ts',
  'donation-button': 'src/donation-form/button/embed.ts',
  'donation-goal': 'src/donation-form/goal/embed.ts',
  'flat-settings': 'src/donation-form/flat-settings/embed.ts',
};

/** The script of `donation-form verify`. */
const SERVER: Readonly<Record<string, string>> = {
  'page-inspector': 'src/donation-form/debug/page-inspector.ts',
};

/** The scripts of the emulated Stripe. */
const SANDBOX: Readonly<Record<string, string>> = {
  'stripe-stripe': 'src/sandbox/stripe/browser/stripe.ts',
  'stripe-elements': 'src/sandbox/stripe/browser/elements.ts',
  'stripe-authenticated': 'src/sandbox/stripe/browser/authenticated.ts',
  'stripe-wallet-buttons': 'src/sandbox/stripe/browser/wallet-buttons.ts',
  'stripe-wallet-sheet': 'src/sandbox/stripe/browser/wallet-sheet.ts',
};

/** Vite modes that build one embedded script each. */
export const EMBEDDED_SCRIPTS: readonly string[] = Object.keys(EMBEDDED);

/** Vite modes that build one of the server package's scripts each. */
export const SERVER_SCRIPTS: readonly string[] = Object.keys(SERVER);

/** Vite modes that build one of the sandbox package's scripts each. */
export const SANDBOX_SCRIPTS: readonly string[] = Object.keys(SANDBOX);

function getFolder(mode: string): string {
  if (mode in EMBEDDED) return 'dist/donation-form/scripts';
  return mode in SERVER ? 'dist/donation-form-server/assets' : 'dist/donation-form-sandbox/assets';
}

/** @param env.mode name of the script to build. */
export default defineConfig(({ mode }) => ({
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    outDir: getFolder(mode),
    emptyOutDir: false,
    lib: { entry: { [mode]: { ...EMBEDDED, ...SERVER, ...SANDBOX }[mode]! }, formats: ['es'] },
    rolldownOptions: {
      output: { entryFileNames: '[name].js', minify: true, comments: false },
      plugins: [noticesBanner],
    },
  },
}));
