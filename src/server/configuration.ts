import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { configuration, type Configuration, type OrganizationConfiguration } from '../contract/configuration.ts';
import { FundraisingClient } from '../platform/fundraising/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { offer } from './definition.ts';
import type { Organization } from './organization.ts';
import { sandboxGateway } from './payment/sandbox.ts';
import { sandboxRecorder } from './recorder/sandbox.ts';

/** Where secrets come from: names to values, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks a configuration file.
 * @throws {ConfigurationError} with the file, the place in it, what was found and what was expected.
 */
export async function loadConfiguration(file: string): Promise<Configuration> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${file}: cannot be read. Name the configuration file with --config.`, { cause });
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file}: is no JSON: ${(cause as Error).message}`, { cause });
  }
  const { data, error } = configuration.safeParse(json, { reportInput: true });
  if (error) {
    const problems = error.issues.map(({ path, message, input }) => `${file}: ${path.join('.') || 'the whole file'}: ${message}${finding(path, input)}`);
    throw new ConfigurationError(problems.join('\n'));
  }
  return { ...data, store: resolve(dirname(file), data.store) };
}

/**
 * Makes the organisations of a configuration, with their secrets from the environment.
 * @throws {ConfigurationError}
 */
export function openOrganizations({ organizations }: Configuration, environment: Environment): Organization[] {
  const forms = organizations.flatMap(({ forms }) => forms.map(({ id }) => id));
  const double = forms.find((id, index) => forms.indexOf(id) !== index);
  if (double !== undefined) throw new ConfigurationError(`two forms have the id ${JSON.stringify(double)}; expected each id once, over all organisations`);
  return organizations.map((organization, index) => openOrganization(organization, `organizations.${index}`, environment));
}

function openOrganization(organization: OrganizationConfiguration, at: string, environment: Environment): Organization {
  const secret = ({ env }: { readonly env: string }, place: string): string => {
    const value = environment[env];
    if (!value) throw new ConfigurationError(`${at}.${place}: the environment variable ${env} is not set; it must hold the key`);
    if (!/^[\x21-\x7e]+$/.test(value)) throw new ConfigurationError(`${at}.${place}: the environment variable ${env} holds a space, a line break or a character that no key has`);
    return value;
  };
  const { id, origins, payment, recorder } = organization;
  const client = new FundraisingClient({ baseUrl: recorder.baseUrl, apiKey: secret(recorder.apiKey, 'recorder.apiKey') });
  return {
    id, origins,
    forms: organization.forms.map((form, index) => offer(organization, form, `${at}.forms.${index}`)),
    gateway: sandboxGateway({ baseUrl: payment.baseUrl, secretKey: secret(payment.secretKey, 'payment.secretKey') }),
    recorder: sandboxRecorder(client),
  };
}

/** What was found at a place, where it may be shown: never where a secret may have been written by mistake. */
function finding(path: readonly PropertyKey[], input: unknown): string {
  const mayBeSecret = path.some((step) => /key|secret|url/i.test(String(step)));
  return mayBeSecret || input === undefined || typeof input === 'object' ? '' : `; found ${JSON.stringify(input)}`;
}
