import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { configuration as schema, type Configuration, type OrganizationConfiguration } from '../contract/configuration.ts';
import { FundraisingClient } from '../platform/fundraising/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { offer } from './definition.ts';
import type { OfferedForm, Organization } from './organization.ts';
import { sandboxGateway } from './payment/sandbox.ts';
import { httpRecorder } from './recorder/http.ts';
import { sandboxRecorder } from './recorder/sandbox.ts';
import { GIFT_NAMES, unknownNames } from './recorder/template.ts';

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
  const { data, error } = schema.safeParse(json, { reportInput: true });
  if (error) {
    const problems = error.issues.map(innermost).map(({ path, message, input }) => `${file}: ${path.join('.') || 'the whole file'}: ${message}${finding(path, input)}`);
    throw new ConfigurationError(problems.join('\n'));
  }
  return { ...data, store: resolve(dirname(file), data.store) };
}

/**
 * Makes the organisations of a configuration, with their secrets from the environment.
 * @throws {ConfigurationError}
 */
export function openOrganizations(configuration: Configuration, environment: Environment): Organization[] {
  const forms = formsOf(configuration);
  return configuration.organizations.map((organization, index) => openOrganization(organization, forms[index]!, `organizations.${index}`, environment));
}

/**
 * The forms of each organisation, as they are offered.
 * @throws {ConfigurationError}
 */
export function formsOf({ organizations }: Configuration): OfferedForm[][] {
  const ids = organizations.flatMap(({ forms }) => forms.map(({ id }) => id));
  const double = ids.find((id, index) => ids.indexOf(id) !== index);
  if (double !== undefined) throw new ConfigurationError(`two forms have the id ${JSON.stringify(double)}; expected each id once, over all organisations`);
  return organizations.map((organization, at) => organization.forms.map((form, index) => offer(organization, form, `organizations.${at}.forms.${index}`)));
}

function openOrganization(organization: OrganizationConfiguration, forms: readonly OfferedForm[], at: string, environment: Environment): Organization {
  const secret = ({ env }: { readonly env: string }, place: string): string => {
    const value = environment[env];
    if (!value) throw new ConfigurationError(`${at}.${place}: the environment variable ${env} is not set; it must hold the key`);
    if (!/^[\x21-\x7e]+$/.test(value)) throw new ConfigurationError(`${at}.${place}: the environment variable ${env} holds a space, a line break or a character that no key has`);
    return value;
  };
  const { id, origins, payment, recorder } = organization;
  const unknown = recorder.kind === 'http' ? unknownNames([recorder.record, recorder.find?.path.replaceAll('{reference}', '') ?? '']) : [];
  if (unknown.length > 0) throw new ConfigurationError(`${at}.recorder: found {${unknown[0]}}, expected names that begin with ${GIFT_NAMES.join(', ')}`);
  const client = new FundraisingClient({ baseUrl: recorder.baseUrl, apiKey: secret(recorder.apiKey, 'recorder.apiKey') });
  return {
    id, origins, forms,
    gateway: sandboxGateway({ baseUrl: payment.baseUrl, secretKey: secret(payment.secretKey, 'payment.secretKey') }),
    recorder: recorder.kind === 'http' ? httpRecorder(client, recorder) : sandboxRecorder(client),
  };
}

/** Of a value that fits none of several shapes: what is wrong inside the shape that it fits best, where that is known. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inside = issue.errors.flat().map(innermost).find(({ path }) => path.length > 0);
  return inside ? { ...inside, path: [...issue.path, ...inside.path] } : issue;
}

/** What was found at a place, where it may be shown: never where a secret may have been written by mistake. */
function finding(path: readonly PropertyKey[], input: unknown): string {
  const mayBeSecret = path.some((step) => /key|secret|url/i.test(String(step)));
  return mayBeSecret || input === undefined || typeof input === 'object' ? '' : `; found ${JSON.stringify(input)}`;
}
