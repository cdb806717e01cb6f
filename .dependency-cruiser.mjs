/**
 * The rooms of `src/`: which others each may import, of which it may import types only, and which
 * packages it may use (`node:` stands for all of the runtime's own modules). Everything else is
 * forbidden.
 */
const ROOMS = {
  model: { may: [] },
  contract: { may: ['model'], packages: ['zod'] },
  settings: { may: ['model'], types: ['contract'], packages: ['fastest-levenshtein', 'csv-parse'] },
  form: { may: ['model', 'settings'], types: ['contract'] },
  texts: { may: ['model'] },
  payment: { may: ['model'], types: ['contract'], packages: ['@stripe/stripe-js'] },
  element: {
    may: ['form', 'settings', 'model', 'texts', 'payment'],
    types: ['contract'],
    packages: ['altcha-lib', 'lit'],
  },
  attribution: { may: ['model', 'settings'] },
  // It knows the form by its events alone.
  analytics: { may: ['model', 'settings'], types: ['element'] },
  companions: { may: ['model'], types: ['contract'] },
  frameworks: {
    may: [],
    types: ['companions', 'element'],
    packages: ['lit', 'react', 'svelte', 'vue'],
  },
  'platform/common': { may: ['model'], packages: ['fast-xml-parser', 'fast-xml-validator'] },
  'platform/fundraising': { may: ['model', 'platform/common'] },
  'platform/donation-v1': { may: ['model', 'platform/common'] },
  pages: {
    may: ['settings', 'element', 'model', 'texts', 'payment'],
    types: ['contract'],
    packages: ['lit', 'uqr'],
  },
  // Webhooks alone name the event types of both platforms: nothing else of the server knows the
  // basic-key interface.
  'server/platform-webhooks': {
    may: ['server', 'model', 'contract', 'platform/fundraising', 'platform/donation-v1'],
    packages: ['node:', 'kysely', 'pino'],
  },
  'server/site-webhooks': {
    may: ['server', 'model', 'contract'],
    packages: ['kysely', 'pino', 'standardwebhooks'],
  },
  server: {
    may: [
      'server/platform-webhooks',
      'server/site-webhooks',
      'model',
      'contract',
      'texts',
      'platform/fundraising',
    ],
    packages: [
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
      'stripe',
      'temporal-polyfill',
      'zod',
    ],
  },
  sandbox: { may: [], packages: ['node:', 'hono'] },
  cli: {
    may: ['server', 'sandbox', 'settings', 'contract', 'model'],
    packages: ['node:', 'csv-stringify'],
  },
};

/** A pattern for the files of some rooms, without those of a room inside of them. */
function filesOf(rooms) {
  return rooms.map((room) => {
    const inside = Object.keys(ROOMS)
      .filter((name) => name.startsWith(`${room}/`))
      .map((name) => `${name.slice(room.length + 1)}/`);
    return `^src/${room}/${inside.length > 0 ? `(?!${inside.join('|')})` : ''}`;
  });
}

/** What a room may import. */
function allowedIn([room, { may, types = [], packages = [] }]) {
  const from = { path: filesOf([room]) };
  const npm = packages
    .filter((name) => name !== 'node:')
    .map((name) => `^node_modules/(@types/)?${name}/`);
  const rules = [{ from, to: { path: [...filesOf([room, ...may]), ...npm] } }];
  if (types.length > 0)
    rules.push({ from, to: { path: filesOf(types), dependencyTypes: ['type-only'] } });
  if (packages.includes('node:')) rules.push({ from, to: { dependencyTypes: ['core'] } });
  return rules;
}

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
  ],
  allowed: Object.entries(ROOMS).flatMap(allowedIn),
  allowedSeverity: 'error',
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import'] },
  },
};
