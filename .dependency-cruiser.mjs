/**
 * What each package of `src/` may import: other packages, of which some for their types only, and
 * packages from npm (`node:` stands for all of the runtime's own modules). Everything else is
 * forbidden. docs/dev/architecture.md says why.
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
  // Written from the specifications alone, so that a misread wire shape fails a test.
  'sandbox/card-frame': { may: [], npm: [] },
  sandbox: { may: ['sandbox/card-frame'], npm: ['node:', 'hono'] },
  'server/cli': {
    may: ['server', 'core', 'core/schemas', 'sandbox'],
    npm: ['node:', 'csv-stringify'],
  },
  server: {
    may: ['core', 'core/schemas', 'platform-clients'],
    npm: [
      'node:',
      '@hono/node-server',
      'altcha-lib',
      'fastest-levenshtein',
      'hono',
      'ipaddr.js',
      'kysely',
      'pg',
      'pino',
      'prom-client',
      'rate-limiter-flexible',
      'standardwebhooks',
      'stripe',
      'temporal-polyfill',
      'zod',
    ],
  },
  'admin-ui': { may: ['core', 'donation-form'], types: ['core/schemas'], npm: ['lit', 'uqr'] },
};

/**
 * The layers of the server, from the top: a file imports from its own folder or from lower layers,
 * and folders of one layer don't import each other in a circle.
 */
const SERVER_LAYERS = [
  ['cli'],
  ['index.ts', 'serve.ts'],
  ['create-endpoint.ts'],
  ['admin', 'run-due-jobs.ts'],
  ['http', 'privacy', 'diagnostics'],
  ['reporting', 'webhooks', 'observability'],
  ['donations', 'config'],
  ['organizations'],
  ['payments', 'platform', 'jobs', 'fraud-protection'],
  ['database', 'lib'],
];

/** A pattern for the files of some packages, without those of a listed folder inside of them. */
function filesOf(names) {
  return names.map((name) => {
    const inside = Object.keys(PACKAGES)
      .filter((other) => other.startsWith(`${name}/`))
      .map((other) => `${other.slice(name.length + 1)}/`);
    return `^src/${name}/${inside.length > 0 ? `(?!${inside.join('|')})` : ''}`;
  });
}

/** What a package may import. */
function allowedIn([name, { may, types = [], npm, npmTypes = [] }]) {
  const from = { path: filesOf([name]) };
  const modulesOf = (modules) => modules.map((module) => `^node_modules/(@types/)?${module}/`);
  const modules = modulesOf(npm.filter((module) => module !== 'node:'));
  const rules = [{ from, to: { path: [...filesOf([name, ...may]), ...modules] } }];
  if (types.length > 0)
    rules.push({ from, to: { path: filesOf(types), dependencyTypes: ['type-only'] } });
  if (npmTypes.length > 0)
    rules.push({
      from,
      to: { path: modulesOf(npmTypes), dependencyTypes: ['type-only'] },
    });
  if (npm.includes('node:')) rules.push({ from, to: { dependencyTypes: ['core'] } });
  return rules;
}

const serverFiles = (names) => `^src/server/(${names.join('|').replaceAll('.', '\\.')})(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Circles over types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'packages-import-each-other-by-name',
      comment: "A relative path would get around the other package's exports.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'server-files-have-a-layer',
      severity: 'error',
      from: { path: '^src/server/', pathNot: serverFiles(SERVER_LAYERS.flat()) },
      to: {},
    },
    ...SERVER_LAYERS.slice(1).map((names, place) => ({
      name: `server-imports-point-down-from-${names[0]}`,
      severity: 'error',
      from: { path: serverFiles(names) },
      to: { path: serverFiles(SERVER_LAYERS.slice(0, place + 1).flat()) },
    })),
  ],
  allowed: Object.entries(PACKAGES).flatMap(allowedIn),
  allowedSeverity: 'error',
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import'] },
  },
};
