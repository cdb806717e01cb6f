/**
 * What each package in `src/` may import: other packages of ours (`types`: types only) and packages
 * from npm (`npmTypes`: types only; `node:` stands for all built-in modules). Everything else is
 * forbidden. docs/contributing/architecture.md describes the packages.
 */
const PACKAGES = {
  'core/schemas': { may: ['core'], npm: ['zod'] },
  core: { may: [], types: ['core/schemas'], npm: ['csv-parse', 'fastest-levenshtein'] },
  'donation-form': {
    may: ['core'],
    types: ['core/schemas'],
    npm: ['@stripe/stripe-js', 'altcha-lib', 'lit'],
    npmTypes: ['react', 'svelte', 'vue'],
  },
  'platform-clients': { may: ['core'], npm: ['fast-xml-parser', 'fast-xml-validator'] },
  // Imports nothing of ours, so that a misread wire format fails a test.
  'sandbox/stripe/browser': { may: [], npm: [], npmTypes: ['@stripe/stripe-js'] },
  sandbox: {
    may: ['sandbox/stripe/browser'],
    npm: ['node:', 'hono', 'postal-mime', 'smtp-server', 'stripe', 'zod'],
  },
  'server/cli': {
    may: ['server', 'core', 'core/schemas', 'sandbox'],
    npm: ['node:', '@commander-js/extra-typings'],
  },
  server: {
    may: ['core', 'core/schemas', 'platform-clients'],
    npm: [
      'node:',
      '@hono/node-server',
      '@simplewebauthn/server',
      'altcha-lib',
      'csv-stringify',
      'fastest-levenshtein',
      'hono',
      'ipaddr.js',
      'kysely',
      'nodemailer',
      'openid-client',
      'parse5',
      'pg',
      'pino',
      'playwright-core',
      'prom-client',
      'rate-limiter-flexible',
      'standardwebhooks',
      'stripe',
      'temporal-polyfill',
      'yazl',
      'zod',
    ],
  },
  'admin-ui': {
    may: ['core', 'donation-form'],
    types: ['core/schemas'],
    npm: ['@simplewebauthn/browser', 'lit', 'uqr'],
  },
};

/**
 * The layers of the server, from the top. A file may import from its own layer and from lower ones,
 * but never in a circle.
 */
const SERVER_LAYERS = [
  ['cli'],
  ['index.ts', 'serve.ts'],
  ['create-endpoint.ts', 'assemble-server.ts', 'endpoint.ts'],
  ['admin', 'background-jobs.ts'],
  ['http', 'privacy', 'diagnostics', 'alerts'],
  ['mail'],
  ['reporting', 'webhooks', 'receipts', 'observability'],
  ['donations', 'config'],
  ['organizations'],
  ['payments', 'platform', 'jobs', 'fraud-protection', 'staff'],
  ['database', 'lib'],
];

/** Creates patterns for the files of packages, except the subfolders listed as packages. */
function matchFilesOf(names) {
  return names.map((name) => {
    const inside = Object.keys(PACKAGES)
      .filter((other) => other.startsWith(`${name}/`))
      .map((other) => `${other.slice(name.length + 1)}/`);
    return `^src/${name}/${inside.length > 0 ? `(?!${inside.join('|')})` : ''}`;
  });
}

/** Creates the rules for what a package may import. */
function createAllowedRules([name, { may, types = [], npm, npmTypes = [] }]) {
  const from = { path: matchFilesOf([name]) };
  const matchModules = (names) => names.map((name) => `^node_modules/(@types/)?${name}/`);
  const modules = matchModules(npm.filter((module) => module !== 'node:'));
  const rules = [{ from, to: { path: [...matchFilesOf([name, ...may]), ...modules] } }];
  if (types.length > 0)
    rules.push({ from, to: { path: matchFilesOf(types), dependencyTypes: ['type-only'] } });
  if (npmTypes.length > 0)
    rules.push({
      from,
      to: { path: matchModules(npmTypes), dependencyTypes: ['type-only'] },
    });
  if (npm.includes('node:')) rules.push({ from, to: { dependencyTypes: ['core'] } });
  return rules;
}

const matchServerFiles = (names) => `^src/server/(${names.join('|').replaceAll('.', '\\.')})(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Circular imports of types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'packages-import-each-other-by-name',
      comment: "A relative path would bypass the other package's exports.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'server-files-have-a-layer',
      severity: 'error',
      from: { path: '^src/server/', pathNot: matchServerFiles(SERVER_LAYERS.flat()) },
      to: {},
    },
    ...SERVER_LAYERS.slice(1).map((names, place) => ({
      name: `server-imports-point-down-from-${names[0]}`,
      severity: 'error',
      from: { path: matchServerFiles(names) },
      to: { path: matchServerFiles(SERVER_LAYERS.slice(0, place + 1).flat()) },
    })),
  ],
  allowed: Object.entries(PACKAGES).flatMap(createAllowedRules),
  allowedSeverity: 'error',
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/[^/]+/test/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import'] },
  },
};
