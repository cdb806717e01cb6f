import { readFileSync } from 'node:fs';
import type { Configuration, SecretName } from '@donation-form/core/schemas';
import { addFileName, ConfigurationError } from '../lib/configuration-error.ts';
import type { IdentityProvider } from '../lib/discover-identity-provider.ts';

/** Environment variables, keyed by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Some tools keep a line break at the end of a PEM key, and env files have no line breaks, so `\n`
 * stands for them. No PEM key contains a backslash.
 */
function readVariable(value: string | undefined): string | undefined {
  return value?.startsWith('-----BEGIN ')
    ? value.replaceAll(String.raw`\n`, '\n').trimEnd()
    : value;
}

/** Private keys in PEM format have several lines (RFC 7468). */
const PEM_KEY = /^-----BEGIN [A-Z ]+-----\r?\n[\x20-\x7e\r\n]+-----END [A-Z ]+-----$/;

/** @throws {ConfigurationError} if the secret is missing or contains invalid characters. */
export function readSecret(name: SecretName, place: string, environment: Environment): string {
  const location = 'env' in name ? `the ${name.env} environment variable` : name.file;
  const value =
    'env' in name ? readVariable(environment[name.env]) : readSecretFile(name.file, place);
  if (!value)
    throw new ConfigurationError(
      `${place}: ${location} is ` +
        `${'env' in name && value === undefined ? 'not set' : 'empty'}; expected a key. ` +
        ('env' in name
          ? 'Set the variable before you start the server'
          : 'Write the key to this file'),
    );
  if (!/^[\x21-\x7e]+$/.test(value) && !PEM_KEY.test(value))
    throw new ConfigurationError(
      `${place}: found a space, a line break, or a non-ASCII character in ${location}; ` +
        'expected only the key. Remove all other characters',
    );
  return value;
}

/** Characters. A shorter key would be easier to guess. */
const MIN_ADMIN_KEY_LENGTH = 16;

/** @throws {ConfigurationError} if the configured key is missing or too short. */
export function readAdminKey(
  { admin, file }: Pick<Configuration, 'admin'> & { readonly file?: string },
  environment: Environment,
): string | undefined {
  try {
    const key = admin?.key && readSecret(admin.key, 'admin.key', environment);
    if (key !== undefined && key.length < MIN_ADMIN_KEY_LENGTH)
      throw new ConfigurationError(
        `admin.key: found a key of ${key.length} characters; expected at least ` +
          `${MIN_ADMIN_KEY_LENGTH}. Generate one with: openssl rand -base64 24`,
      );
    return key;
  } catch (error) {
    throw addFileName(error, file);
  }
}

/** @throws {ConfigurationError} if the provider's secret is missing. */
export function readIdentityProvider(
  { admin, file }: Pick<Configuration, 'admin'> & { readonly file?: string },
  environment: Environment,
): IdentityProvider | undefined {
  const provider = admin?.openIdConnect;
  if (!provider) return undefined;
  const place = 'admin.openIdConnect.clientSecret';
  try {
    return { ...provider, clientSecret: readSecret(provider.clientSecret, place, environment) };
  } catch (error) {
    throw addFileName(error, file);
  }
}

export function describeReadError(cause: unknown): string | undefined {
  const { code } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no such file' : code;
}

function readSecretFile(file: string, place: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (cause) {
    throw new ConfigurationError(
      `${place}: cannot read ${file} (${describeReadError(cause)}). ` +
        "Create a file that contains the key and that the server's user can read",
      { cause },
    );
  }
}
