import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Configuration, configuration as schema } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import {
  describeExpectation,
  formatIssues,
  locateJsonError,
} from '../lib/configuration-messages.ts';
import { describeReadError } from './read-secrets.ts';

/** A configuration, with the path and the unvalidated JSON of its file. */
export type LoadedConfiguration = Configuration & {
  readonly file?: string;
  readonly rawJson?: unknown;
};

/** Each problem is a line with the path, the value found, and the expected one. */
export function parseConfiguration(
  json: unknown,
): { readonly configuration: Configuration } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(json, {
    error: describeExpectation,
    // Compiling the schema takes longer than parsing once without it.
    jitless: true,
  });
  return error ? { problems: formatIssues(error.issues, json) } : { configuration: data };
}

/**
 * Reads and checks a configuration file.
 * @throws {ConfigurationError} if the file cannot be read or is invalid. The message contains the
 *   file, the path, the value found, and the expected value.
 *
 * @example
 * ```ts
 * import { loadConfiguration } from 'donation-form-server';
 *
 * const { organizations } = await loadConfiguration('donation-form.config.json');
 * console.log(organizations[0]?.id); // lanternwell
 * ```
 */
export async function loadConfiguration(file: string): Promise<LoadedConfiguration> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(
      `Cannot read ${file}: ${describeReadError(cause)}. ` +
        'Specify the configuration file with --config.',
      { cause },
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(
      `${locateJsonError(text, cause as Error)}: invalid JSON. Use double quotes, separate ` +
        'entries with commas, and remove trailing commas and comments.',
      { cause },
    ).withFile(file);
  }
  const result = parseConfiguration(json);
  if ('problems' in result)
    throw new ConfigurationError(result.problems.join(`\n${file}: `)).withFile(file);
  const data = result.configuration;
  const resolvePath = (path: string): string => resolve(dirname(file), path);
  for (const payment of data.organizations.flatMap(({ payments }) => payments))
    if (payment.provider === 'module') payment.module = resolvePath(payment.module);
  for (const webhook of data.organizations.flatMap(({ inboundWebhooks }) => inboundWebhooks))
    if (webhook.hook !== undefined) webhook.hook = resolvePath(webhook.hook);
  for (const { mail } of data.organizations)
    if (mail?.logo !== undefined) mail.logo = resolvePath(mail.logo);
  return { ...data, database: resolvePath(data.database), file, rawJson: json };
}
