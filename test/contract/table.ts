/**
 * Makes the table of `docs/platform-contract.md`: every sentence of the two specifications that
 * says what a platform does, and its test. Run it to write the file.
 */
import { writeFileSync } from 'node:fs';
import { formatMarkdown } from '../../scripts/format-markdown.ts';
import { donationV1Contract } from './donation-v1.ts';
import { fundraisingContract } from './fundraising.ts';

export const TABLE_FILE = 'docs/platform-contract.md';

/** What the contracts cannot ask of a platform: where it is tested instead, or why not. */
type Elsewhere = readonly (readonly [section: string, sentence: string, where: string])[];

const FUNDRAISING: Elsewhere = [
  [
    'What the service does',
    'there is no test mode',
    'nothing to test: the sandbox stands in for one',
  ],
  [
    'What the service does',
    'obsolete endpoints are not called',
    'the client has no method for one',
  ],
  ['Authentication', 'keys are static, and valid for 15 years', 'not to be seen from outside'],
  [
    'Query request model',
    'operands are dates, numbers, strings or enums',
    'test/sandbox/query.test.ts',
  ],
  [
    'Endpoints',
    'first the options are asked, then the query is sent',
    'the client takes a query only with its options: test/platform/query.test.ts',
  ],
  ['Endpoints', 'methods, paths, inputs and outputs', 'test/platform/openapi.test.ts'],
  [
    'States and transitions',
    'transitions are not shown',
    'nothing to test; the states are enumerations',
  ],
  [
    'Query request model',
    'a request is checked against the options before it is sent',
    'test/platform/query.test.ts',
  ],
  ['Query request model', 'the field of the conjunct is not shown', 'test/platform/query.test.ts'],
  ['Embedded form settings', 'all of it', 'docs/settings.md and its tests'],
  [
    'Events',
    'webhooks tell of EventType 10 to 52, in JSON or XML',
    'test/platform/webhooks.test.ts, test/sandbox/webhooks.test.ts',
  ],
  [
    'Errors',
    '5. other status codes and the fields of the error body are not shown',
    'the client reads message where there is one',
  ],
  [
    'Limits',
    'the maximum of take is not shown',
    'the walk goes on until a page is empty: test/contract/fundraising.ts',
  ],
  ['Versioning', 'the paths carry no version', 'every call of the contract'],
];
const DONATION_V1: Elsewhere = [
  [
    'What the service does',
    'a key can be revoked, and is when its application is deleted',
    'test/sandbox/donation-v1.test.ts',
  ],
  [
    'What the service does',
    'names of applications and of their keys are unique',
    'test/sandbox/donation-v1.test.ts',
  ],
  ['Endpoints', 'methods, paths, inputs and outputs', 'test/platform/openapi.test.ts'],
  [
    'States and transitions',
    'transitions are not shown',
    'nothing to test; the states are enumerations',
  ],
  ['Versioning', "a credit card's expiration is required", 'test/sandbox/donation-v1.test.ts'],
  [
    'Authentication',
    '5. how the license key is encoded is not shown',
    'raw or base64: test/platform/donation-v1.test.ts',
  ],
  [
    'Endpoints',
    '3. an (Empty) endpoint for each object type returns a skeleton',
    "test/sandbox/donation-v1.test.ts; its path is the sandbox's own",
  ],
  ['Endpoints', '4. bodies of POST are raw JSON', 'test/sandbox/donation-v1.test.ts'],
  ['Events', 'webhook events 1 to 18 without 15', 'test/platform/webhooks.test.ts'],
  [
    'Errors',
    '3. the header Retry After, with a space',
    'no HTTP parser here reads it: test/platform/donation-v1.test.ts',
  ],
  ['Limits', 'a timeout of 60 seconds at most', 'test/platform/donation-v1.test.ts'],
  ['Limits', 'higher limits are obtained from support; 99.9 % uptime', 'not to be tested'],
];

export async function contractTable(): Promise<string> {
  const rows = (
    file: string,
    checks: readonly { readonly section: string; readonly sentence: string }[],
    elsewhere: Elsewhere,
  ): string =>
    [...checks.map(({ section, sentence }) => [section, sentence, file] as const), ...elsewhere]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n');
  const head = '| section | what it says | its test |\n|---|---|---|';
  return formatMarkdown(`# What is checked of the two platform interfaces

Each sentence of the specifications that says what a platform does, each enumeration and each limit, with the test that holds the sandbox and our client to it. \`test/contract/table.ts\` writes this file, and a test compares them.

The contracts run against the sandbox, or against a real platform where \`CONTRACT_FUNDRAISING_URL\` and \`_KEY\`, or \`CONTRACT_V1_URL\`, \`_ORGANIZATION\` and \`_KEY\` name one; there they leave out what needs a clock that can be moved, a limit used up or a known history, and they only read. \`npm run test:mutation\` puts single faults into sandbox and clients (Stryker), to find what no contract catches.

## Fundraising platform (bearer key)

${head}
${rows('test/contract/fundraising.ts', fundraisingContract, FUNDRAISING)}

## Donation platform v1 (basic key)

${head}
${rows('test/contract/donation-v1.ts', donationV1Contract, DONATION_V1)}
`);
}

if (import.meta.main) writeFileSync(TABLE_FILE, await contractTable());
