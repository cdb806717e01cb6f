import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSandbox, parseFault, type V1Application } from '../sandbox/index.ts';
import { formsOf, listen, loadConfiguration, serve, type Listening } from '../server/index.ts';
import { checkLinks } from './links.ts';
import { listByHand } from './by-hand.ts';
import { reportIgnored } from './report.ts';

const HELP = `donation-form: an embeddable donation form, and the small server behind it.

Usage
  donation-form serve [--config FILE] [--port N]
      Serves the donation endpoint. FILE is donation-form.config.json unless given;
      the keys come from the environment variables that it names.
  donation-form sandbox [--port N] [--data FILE] [--empty] [--fault KIND …] [--processor-webhook URL]
      Serves two fundraising interfaces and a card processor to try things against, and a page that shows what they hold.
      It accepts the keys in SANDBOX_PLATFORM_KEY, SANDBOX_SECRET_KEY, SANDBOX_ORGANIZATION_KEY, SANDBOX_LICENSE_KEY
      and SANDBOX_READ_KEY, or makes and prints new ones. With --data, what it remembers is kept in an SQLite file.
      It begins with two years of an invented organisation's gifts, or with --empty without any.
      --fault lets something go wrong, such as: slow,ms=2000,times=3,on=platform. docs/sandbox.md names the kinds.
      With --processor-webhook, the card processor tells URL what happens, signed with SANDBOX_WEBHOOK_SECRET.
  donation-form links check FILE [--config FILE] [--form ID]
      Says of each campaign link in a CSV file what a form would open with, what would be ignored, and why.
      Exits with 1 where something would be.
  donation-form links report [--config FILE] [--days N]
      Says what forms ignored of links and settings in the last N days, 30 unless given, by name, reason and segment.
      It asks the server that runs with FILE, on the address that FILE names under "operator".
  donation-form gifts by-hand [--config FILE]
      Lists what a person has to do: changes that the platform takes no call for, and gifts of which it is not known
      whether they were paid or recorded.
  donation-form --help | --version
`;

const options = {
  config: { type: 'string', default: 'donation-form.config.json' },
  port: { type: 'string' },
  data: { type: 'string' },
  empty: { type: 'boolean' },
  fault: { type: 'string', multiple: true },
  'processor-webhook': { type: 'string' },
  form: { type: 'string' },
  days: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Which options each command takes. */
const COMMANDS: Readonly<Record<string, readonly (keyof typeof options)[]>> = { serve: ['config', 'port'], sandbox: ['port', 'data', 'empty', 'fault', 'processor-webhook'], links: ['config', 'form', 'days'], gifts: ['config'] };

/** Runs the command until it ends or is told to by a signal. @returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    const { values, positionals, tokens } = parseArgs({ args: [...words], options, allowPositionals: true, tokens: true });
    if (values.help) return say(HELP);
    if (values.version) return say(`${await version()}\n`);
    const [command, ...others] = positionals;
    if (command === undefined) return complain(HELP);
    const allowed = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!allowed) return complain(`Unknown command '${command}'; expected ${Object.keys(COMMANDS).join(' or ')}. See donation-form --help.\n`);
    if (others.length > 0 && !['links', 'gifts'].includes(command)) return complain(`'${others[0]}' is one word too many for donation-form ${command}. See donation-form --help.\n`);
    const foreign = tokens.find((token) => token.kind === 'option' && !allowed.some((name) => name === token.name));
    if (foreign?.kind === 'option') return complain(`${foreign.rawName} is no option of donation-form ${command}. See donation-form --help.\n`);
    if (command === 'links') return await links(others, values);
    if (command === 'gifts') return others.join(' ') === 'by-hand' ? say(await listByHand((await loadConfiguration(values.config)).operator)) : complain('Expected: donation-form gifts by-hand. See donation-form --help.\n');
    await untilSignal(command === 'serve' ? await serveEndpoint(values.config, readPort(values.port)) : await serveSandbox(values, readPort(values.port)));
    return 0;
  } catch (error) {
    return complain(`${(error as Error).message}\n`);
  }
}

interface LinksOptions {
  readonly config: string;
  readonly form?: string | undefined;
  readonly days?: string | undefined;
}

async function links([action, file, ...others]: readonly string[], { config, form: formId, days }: LinksOptions): Promise<number> {
  if (action === 'report' && file === undefined && formId === undefined) return say(await reportIgnored((await loadConfiguration(config)).operator, days));
  if (action !== 'check' || file === undefined || others.length > 0 || days !== undefined) return complain('Expected: donation-form links check FILE, or donation-form links report. See donation-form --help.\n');
  const forms = formsOf(await loadConfiguration(config)).flat().map(({ en }) => en.definition);
  const form = formId === undefined ? forms[0] : forms.find(({ id }) => id === formId);
  if (!form) return complain(`--form is '${formId}'; expected one of ${forms.map(({ id }) => id).join(', ')}.\n`);
  const { report, faulty } = await checkLinks(file, form);
  say(report);
  return faulty > 0 ? 1 : 0;
}

async function serveEndpoint(file: string, port: number | undefined): Promise<Listening> {
  const configuration = await loadConfiguration(file);
  const listening = await serve({
    configuration: port === undefined ? configuration : { ...configuration, listen: { ...configuration.listen, port } },
    environment: process.env,
  });
  say(`donation endpoint  ${listening.address}\n`);
  return listening;
}

interface SandboxChoices {
  readonly data?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly fault?: readonly string[] | undefined;
  readonly 'processor-webhook'?: string | undefined;
}

async function serveSandbox({ data, empty = false, fault = [], 'processor-webhook': url }: SandboxChoices, port = 4102): Promise<Listening> {
  const keyOf = (name: string, kind: 'KEY' | 'SECRET' = 'KEY'): string => {
    const given = process.env[`SANDBOX_${name}_${kind}`];
    return given === undefined || given === '' ? newKey() : given;
  };
  const platformKey = keyOf('PLATFORM'), secretKey = keyOf('SECRET'), organizationKey = keyOf('ORGANIZATION'), licenseKey = keyOf('LICENSE'), readKey = keyOf('READ');
  const applications: readonly V1Application[] = [{ name: 'sandbox', active: true, keys: [{ name: 'write', key: licenseKey, access: 'read/write' }, { name: 'read', key: readKey, access: 'read-only' }] }];
  const webhook = url === undefined ? undefined : { url, secret: keyOf('WEBHOOK', 'SECRET') };
  const sandbox = createSandbox({ platformKey, secretKey, v1: { organizationKey, applications }, seed: !empty, faults: fault.map(parseFault), ...(data !== undefined && { file: data }), ...(webhook && { processorWebhook: webhook }) });
  const listening = await listen(sandbox.fetch, { host: '127.0.0.1', port }).catch((error: unknown) => {
    sandbox.close();
    throw error;
  });
  say(`sandbox            ${listening.address}
platform key       ${platformKey}   (FUNDRAISING_API_KEY of the example configuration)
secret key         ${secretKey}   (PAYMENT_SECRET_KEY)
organization key   ${organizationKey}   (v1, X-OrganizationKey)
license key        ${licenseKey}   (v1, read/write)
read key           ${readKey}   (v1, read-only)
${webhook ? `webhook secret     ${webhook.secret}   (signs what ${webhook.url} is told)\n` : ''}`);
  return { address: listening.address, close: async () => { await listening.close(); sandbox.close(); } };
}

function newKey(): string {
  return `sandbox_${randomBytes(18).toString('base64url')}`;
}

function readPort(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535) throw new Error(`--port is '${written}'; expected a number from 0 to 65535.`);
  return Number(written);
}

async function untilSignal(listening: Listening): Promise<void> {
  await new Promise((resolve) => { process.once('SIGINT', resolve).once('SIGTERM', resolve); });
  await listening.close();
}

async function version(): Promise<string> {
  const file = fileURLToPath(import.meta.resolve('donation-form/package.json'));
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function complain(text: string): 1 {
  process.stderr.write(text);
  return 1;
}
