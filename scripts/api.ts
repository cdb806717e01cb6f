/**
 * Writes `docs/reference/server-package.md`: the packages' entries with their functions and classes,
 * from their sources.
 */
import { writeFileSync } from 'node:fs';
import { formatMarkdown } from './format-markdown.ts';
import { PUBLISHED_PACKAGES, type PublishedPackage } from './packages.ts';
import { listPublicExports, type PublicExport } from './public-api.ts';

/** Purpose of each entry, by import specifier. */
const PURPOSES: Readonly<Record<string, string>> = {
  'donation-form':
    'registered `<donation-form>` element, and types for [settings](settings.md) and [events](events.md)',
  'donation-form/element': 'class of the element, for you to register',
  'donation-form/button': 'registered `<donation-button>` element',
  'donation-form/goal': 'registered `<donation-goal>` element',
  'donation-form/link': 'functions for [campaign links](../campaigns/links.md)',
  'donation-form/attribution':
    'function that remembers [a campaign across pages](settings.md#remember-a-campaign-across-pages)',
  'donation-form/analytics':
    'function that reports to [Google Analytics 4 and Meta](../campaigns/analytics.md)',
  'donation-form/payment':
    'functions for [fields of your own payment providers](payment-providers.md)',
  'donation-form/react': 'types for JSX in [React](../install/react.md)',
  'donation-form/vue': 'types for templates in [Vue](../install/vue.md)',
  'donation-form/svelte': 'types for templates in [Svelte](../install/svelte.md)',
  'donation-form-server':
    'functions for [running the server inside your own](../server/embedding.md), and types for payment gateways',
  'donation-form-sandbox': '[sandbox](sandbox.md)',
  'donation-platform-clients/fundraising':
    '[client for the Fundraising Platform API](platform-clients.md)',
  'donation-platform-clients/donation-v1':
    '[client for the Donation Platform API v1](platform-clients.md)',
};

/** Purpose of the entries that are files, by import specifiers. */
const FILES: readonly (readonly [specifiers: readonly string[], purpose: string])[] = [
  [
    [
      'donation-form',
      'donation-button',
      'donation-goal',
      'attribution',
      'analytics',
      'flat-settings',
    ].map((name) => `donation-form/${name}.js`),
    'scripts that the server also serves, for pages without a bundler',
  ],
  [['donation-form/themes/*.css'], '[ready-made themes](theming.md#ready-themes)'],
  [
    ['donation-form/settings.schema.json'],
    'JSON Schema for [page settings](settings.md#page-settings)',
  ],
  [
    ['custom-elements', 'html-custom-data', 'web-types'].map(
      (name) => `donation-form/${name}.json`,
    ),
    'element descriptions for editors',
  ],
  [
    ['donation-form-server/donation-form.config.schema.json'],
    'JSON Schema for [the configuration](configuration.md)',
  ],
];

/** Lists the exports to name on the page. Editors show the types and constants. */
function listNamedExports(module: string, exports: readonly PublicExport[]): PublicExport[] {
  return exports.filter(
    (symbol) =>
      symbol.module === module &&
      (symbol.kind === 'function' ||
        (symbol.kind === 'class' && !/(Event|Error)$/.test(symbol.name))),
  );
}

function renderPackage({ manifest }: PublishedPackage, exports: readonly PublicExport[]): string {
  const specifiers = Object.keys(manifest.exports)
    .map((path) => path.replace('.', manifest.name))
    .filter((specifier) => !specifier.endsWith('/package.json'));
  const files = FILES.filter(([names]) => names.some((name) => specifiers.includes(name)));
  const fileNames = files.flatMap(([names]) => names);
  const modules = specifiers.filter((specifier) => !fileNames.includes(specifier));
  const rows = [
    ...modules.map((module) => [
      formatNames([module]),
      getPurpose(module),
      formatNames(listNamedExports(module, exports).map(({ name }) => name)),
    ]),
    ...files.map(([names, purpose]) => [formatNames(names), purpose, '']),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `## ${manifest.name}`,
    ['| import | content | functions and classes |', '| --- | --- | --- |', ...rows].join('\n'),
    ...('bin' in manifest
      ? ['This package also includes [the `donation-form` command](command.md).']
      : []),
  ].join('\n\n');
}

const formatNames = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(', ');

function getPurpose(module: string): string {
  const purpose = PURPOSES[module];
  if (purpose === undefined) throw new Error(`Describe the entry ${module} in scripts/api.ts.`);
  return purpose;
}

export async function renderPackagesPage(): Promise<string> {
  const exports = listPublicExports();
  return formatMarkdown(
    [
      '# The npm packages',
      "Your editor shows each export's documentation.",
      ...PUBLISHED_PACKAGES.map((published) => renderPackage(published, exports)),
    ].join('\n\n'),
  );
}

if (import.meta.main) writeFileSync('docs/reference/server-package.md', await renderPackagesPage());
