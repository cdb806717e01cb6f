/**
 * Generates `docs/evidence/platform-contract.md`, which counts the tests of the sentences of the two
 * specifications, and lists the sentences that are tested elsewhere. Run it to write the file.
 */
import { writeFileSync } from 'node:fs';
import { formatMarkdown } from '../../scripts/format-markdown.ts';
import { donationV1Contract } from './donation-v1.ts';
import { fundraisingContract } from './fundraising.ts';

export const TABLE_FILE = 'docs/evidence/platform-contract.md';

/** Sentences that the contracts do not cover: where they are tested instead, or why not. */
type TestedElsewhere = readonly (readonly [section: string, sentence: string, where: string])[];

const FUNDRAISING: TestedElsewhere = [
  ['What the service does', 'there is no test mode', 'nothing to test'],
  ['What the service does', 'obsolete endpoints are not called', 'the client has no such method'],
  ['Authentication', 'keys are static, and valid for 15 years', 'not observable'],
  [
    'Query request model',
    'operands are dates, numbers, strings, or enums',
    'test/sandbox/query.test.ts',
  ],
  [
    'Endpoints',
    'the options are requested before the query is sent',
    'test/platform/query.test.ts',
  ],
  ['Endpoints', 'methods, paths, inputs, and outputs', 'test/platform/openapi.test.ts'],
  ['States and transitions', 'transitions are not shown', 'the states are enumerations'],
  [
    'Query request model',
    'a request is first checked against the options',
    'test/platform/query.test.ts',
  ],
  [
    'Query request model',
    'the name of the conjunct field is not shown',
    'test/platform/query.test.ts',
  ],
  ['Embedded form settings', 'all of it', 'docs/reference/settings.md'],
  [
    'Events',
    'webhooks send EventType 10 to 52, in JSON or XML',
    'test/platform/webhooks.test.ts, test/sandbox/webhooks.test.ts',
  ],
  [
    'Errors',
    '5. other status codes and error fields are not shown',
    'the client reads any message',
  ],
  ['Limits', 'the maximum of take is not shown', 'iterators stop at an empty page'],
  ['Versioning', 'the paths carry no version', 'every call of the contract'],
];
const DONATION_V1: TestedElsewhere = [
  [
    'What the service does',
    'keys are revoked, also with their application',
    'test/sandbox/donation-v1.test.ts',
  ],
  [
    'What the service does',
    'names of applications and their keys are unique',
    'test/sandbox/donation-v1.test.ts',
  ],
  ['Endpoints', 'methods, paths, inputs, and outputs', 'test/platform/openapi.test.ts'],
  ['States and transitions', 'transitions are not shown', 'the states are enumerations'],
  ['Versioning', "a credit card's expiration is required", 'test/sandbox/donation-v1.test.ts'],
  [
    'Authentication',
    '5. how the license key is encoded is not shown',
    'raw or base64: test/platform/donation-v1.test.ts',
  ],
  [
    'Endpoints',
    '3. an (Empty) endpoint for each object type returns a skeleton',
    'test/sandbox/donation-v1.test.ts',
  ],
  ['Endpoints', '4. bodies of POST are raw JSON', 'test/sandbox/donation-v1.test.ts'],
  ['Events', 'webhook events 1 to 18 without 15', 'test/platform/webhooks.test.ts'],
  ['Errors', '3. the header Retry After, with a space', 'test/platform/donation-v1.test.ts'],
  ['Limits', 'a timeout of 60 seconds at most', 'test/platform/donation-v1.test.ts'],
  ['Limits', 'higher limits are obtained from support; 99.9 % uptime', 'not testable'],
];

export async function renderTable(): Promise<string> {
  return formatMarkdown(`# Contract tests of the two platform APIs

Every sentence of the specifications about a platform's behavior, every enumeration, and every limit is a test of the same name, which checks the sandbox and our client. This page counts them, and lists what is tested elsewhere. \`node test/contract/table.ts\` generates it.

To test a real platform, set \`CONTRACT_FUNDRAISING_URL\` and \`_KEY\`, or \`CONTRACT_V1_URL\`, \`_ORGANIZATION\`, and \`_KEY\`. The tests then only read, and skip what moves the clock, exhausts a limit, or depends on known data. \`npm run test:mutation\` finds behavior that no test covers.

${renderContract('Fundraising platform (bearer key)', 'fundraising.ts', fundraisingContract, FUNDRAISING)}

${renderContract('Donation platform v1 (basic key)', 'donation-v1.ts', donationV1Contract, DONATION_V1)}
`);
}

interface Sentence {
  readonly section: string;
  readonly sentence: string;
}

/** Renders the number of sentences in each section, and those that are tested elsewhere. */
function renderContract(
  title: string,
  file: string,
  contract: readonly Sentence[],
  elsewhere: TestedElsewhere,
): string {
  const sections = [...new Set(contract.map(({ section }) => section))];
  const counts = sections.map((name) => {
    const { length } = contract.filter(({ section }) => section === name);
    return `${name} ${length}`;
  });
  const rows = elsewhere.map((cells) => `| ${cells.join(' | ')} |`);
  return `## ${title}

${contract.length} tests in [\`${file}\`](../../test/contract/${file}): ${counts.join(', ')}.

| section | tested elsewhere | where, or why not |
|---|---|---|
${rows.join('\n')}`;
}

if (import.meta.main) writeFileSync(TABLE_FILE, await renderTable());
