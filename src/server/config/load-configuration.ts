import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  configuration as schema,
  type Configuration,
  type HttpPlatformConfiguration,
  type OrganizationConfiguration,
  type PaymentConfiguration,
  type SecretName,
} from '@donation-form/core/schemas';
import {
  FundraisingClient,
  PaymentProviderType,
} from '@donation-form/platform-clients/fundraising';
import type { ApiQuota, CallPurpose } from '../platform/api-quota.ts';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { checkGateway } from './check-gateway.ts';
import { describeExpectation, formatIssues, locateJsonError } from './configuration-messages.ts';
import { buildLocalizedForm } from '../organizations/form-definitions.ts';
import { localizeInEachLanguage } from '../organizations/localize.ts';
import { createGoal, type Goal } from '../organizations/goal.ts';
import { loadExportedFunction } from '../lib/load-module.ts';
import type { LocalizedForm, Organization, PaymentOption } from '../organizations/organization.ts';
import type { CreateGateway, PaymentGateway } from '../payments/payment-gateway.ts';
import { createPayPalGateway } from '../payments/paypal/paypal-gateway.ts';
import { createOfflineGateway } from '../payments/offline.ts';
import {
  assertPaymentsAreValid,
  assertStripeKeysMatch,
} from '../payments/assert-payments-are-valid.ts';
import { createWebhookSources } from '../organizations/create-webhook-sources.ts';
import { getProviderName } from '../payments/payment-configuration.ts';
import { createNoPlatformAdapter } from '../platform/no-platform.ts';
import { createHttpAdapter } from '../platform/http.ts';
import type { PlatformAdapter } from '../platform/platform-adapter.ts';
import { createSandboxAdapter } from '../platform/sandbox.ts';
import {
  createVirtuousRaise,
  type VirtuousRaise,
} from '../payments/virtuous-raise/virtuous-raise.ts';
import { createVirtuousCrmAdapter } from '../platform/virtuous-crm.ts';
import { assertPlatformIsValid } from '../platform/assert-platform-is-valid.ts';
import {
  CHANGE_NAMES,
  GIFT_NAMES,
  LIST_NAMES,
  findUnknownPlaceholders,
} from '../platform/body-template.ts';
import { createWebhookEndpoints } from '../organizations/outbound-webhook-endpoint.ts';

/** Environment variables, keyed by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration, with the path and the unvalidated JSON of its file. */
export type LoadedConfiguration = Configuration & {
  readonly file?: string;
  readonly rawJson?: unknown;
};

/**
 * Validates a configuration.
 * @returns the configuration, or one line per problem. Each line contains the path, the value
 *   found, and the expected value.
 */
export function parseConfiguration(
  json: unknown,
): { readonly configuration: Configuration } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(json, {
    reportInput: true,
    error: describeExpectation,
    // Compiling the schema takes longer than parsing one configuration without it.
    jitless: true,
  });
  return error ? { problems: formatIssues(error.issues) } : { configuration: data };
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
  return { ...data, database: resolvePath(data.database), file, rawJson: json };
}

export interface OrganizationOptions {
  /** Forms that {@link validateAndBuildForms} returned. */
  readonly forms: readonly (readonly LocalizedForm[])[];
  readonly environment: Environment;
  readonly quotaFor: (organization: OrganizationConfiguration) => ApiQuota;
  /** Makes the calls to the platforms. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Creates the configured organizations and reads their secrets.
 * @throws {ConfigurationError} if the configuration or a secret is invalid.
 */
export async function createOrganizations(
  configuration: LoadedConfiguration,
  options: OrganizationOptions,
): Promise<Organization[]> {
  return Promise.all(
    configuration.organizations.map((_organization, index) =>
      createOrganizationAt(configuration, index, options),
    ),
  );
}

/**
 * Creates the configured organization at `index`.
 * @throws {ConfigurationError} if the configuration or a secret is invalid.
 */
export async function createOrganizationAt(
  configuration: LoadedConfiguration,
  index: number,
  { forms, environment, quotaFor, fetch }: OrganizationOptions,
): Promise<Organization> {
  const organization = configuration.organizations[index]!;
  try {
    return await createOrganization(organization, {
      forms: forms[index]!,
      at: `organizations.${index}`,
      environment,
      quota: quotaFor(organization),
      fetch,
    });
  } catch (error) {
    throw addFileNameToError(error, configuration);
  }
}

/**
 * Validates payments, templates, IDs, and ports, and builds each organization's forms, in
 * configuration order.
 * @throws {ConfigurationError} if a value is invalid or an ID is not unique.
 */
export function validateAndBuildForms(configuration: LoadedConfiguration): LocalizedForm[][] {
  const { organizations } = configuration;
  try {
    organizations.forEach((organization, at) => {
      assertPaymentsAreValid(organization, `organizations.${at}`);
      assertPlatformIsValid(organization, `organizations.${at}`);
      if (organization.platform.adapter === 'http')
        assertPlaceholdersAreKnown(organization.platform, `organizations.${at}.platform`);
    });
    assertIdsAreUnique(configuration, 'forms');
    assertIdsAreUnique(configuration, 'goals');
    assertPortsDiffer(configuration);
    return organizations.map((organization, at) =>
      organization.forms.map((form, index) =>
        buildLocalizedForm(organization, form, `organizations.${at}.forms.${index}`),
      ),
    );
  } catch (error) {
    throw addFileNameToError(error, configuration);
  }
}

/** Minimum length of the admin key, in characters. A shorter key would be easier to guess. */
const MIN_ADMIN_KEY_LENGTH = 16;

/**
 * Returns the admin key, or `undefined` if none is configured.
 * @throws {ConfigurationError} if the key is missing or too short.
 */
export function readAdminKey(
  configuration: LoadedConfiguration,
  environment: Environment,
): string | undefined {
  try {
    const key =
      configuration.admin?.key && readSecret(configuration.admin.key, 'admin.key', environment);
    if (key !== undefined && key.length < MIN_ADMIN_KEY_LENGTH)
      throw new ConfigurationError(
        `admin.key: found a key of ${key.length} characters; expected at least ` +
          `${MIN_ADMIN_KEY_LENGTH}. Generate one with: openssl rand -base64 24`,
      );
    return key;
  } catch (error) {
    throw addFileNameToError(error, configuration);
  }
}

/** Adds the file name to a configuration error. Returns any other error unchanged. */
function addFileNameToError(error: unknown, { file }: LoadedConfiguration): unknown {
  return error instanceof ConfigurationError && file !== undefined ? error.withFile(file) : error;
}

/**
 * Creates an organization's fundraising goals.
 * @param at the organization's path in the configuration.
 * @throws {ConfigurationError} if a goal is invalid.
 */
export function createGoals(organization: OrganizationConfiguration, at: string): Goal[] {
  return organization.goals.map((goal, index) =>
    createGoal(goal, organization, `${at}.goals.${index}`),
  );
}

/**
 * Checks that no two forms or goals have the same ID.
 * @throws {ConfigurationError} with all paths of the first duplicate ID.
 */
function assertIdsAreUnique({ organizations }: Configuration, kind: 'forms' | 'goals'): void {
  const entries = organizations.flatMap((organization, at) =>
    organization[kind].map(({ id }, index) => ({
      id,
      path: `organizations.${at}.${kind}.${index}.id`,
    })),
  );
  for (const { id } of entries) {
    const paths = entries.filter((entry) => entry.id === id).map(({ path }) => path);
    if (paths.length > 1)
      throw new ConfigurationError(
        `${paths[1]}: found the ID ${JSON.stringify(id)} at ${paths.join(' and ')}; ` +
          `expected an ID that is unique across the ${kind} of all organizations`,
        { paths },
      );
  }
}

/** @throws {ConfigurationError} if both listeners have the same port. */
function assertPortsDiffer({ listen, admin }: Configuration): void {
  if (admin && admin.port === listen.port && listen.port !== 0)
    throw new ConfigurationError(
      `admin.port: found ${admin.port}, which is also listen.port; expected another port`,
      { paths: ['admin.port'] },
    );
}

interface OrganizationContext {
  readonly forms: readonly LocalizedForm[];
  /** The organization's path in the configuration, such as `organizations.0`. */
  readonly at: string;
  readonly environment: Environment;
  readonly quota: ApiQuota;
  readonly fetch: typeof globalThis.fetch | undefined;
}

async function createOrganization(
  organization: OrganizationConfiguration,
  { forms, at, environment, quota, fetch }: OrganizationContext,
): Promise<Organization> {
  const secret: SecretReader = (name, place) => readSecret(name, `${at}.${place}`, environment);
  const { id, origins, payments, inboundWebhooks, webhooks, timeZone, retention } = organization;
  const { gateway: platformGateway, ...adapters } = createPlatformAdapters(organization, {
    secret,
    quota,
    fetch,
  });
  return {
    id,
    origins: new Set(origins),
    forms,
    goals: createGoals(organization, at),
    timeZone,
    donorDataDays: retention?.donorDataDays,
    payments: new Map(
      await Promise.all(
        payments.map(
          async (payment, index) =>
            [
              getProviderName(payment),
              payment.provider === 'platform'
                ? { gateway: platformGateway! }
                : await createPaymentOption(payment, secret, at, `payments.${index}`),
            ] as const,
        ),
      ),
    ),
    quota,
    ...adapters,
    giftUrl: organization.platform.adapter === 'none' ? undefined : organization.platform.giftUrl,
    webhookSources: await createWebhookSources(inboundWebhooks, secret, at),
    webhookEndpoints: createWebhookEndpoints(webhooks, secret, at),
  };
}

function createPlatformAdapters(
  { platform, timeZone }: OrganizationConfiguration,
  {
    secret,
    quota,
    fetch,
  }: { readonly secret: SecretReader } & Pick<OrganizationContext, 'quota' | 'fetch'>,
): Pick<Organization, 'platform' | 'reader'> & Partial<Pick<VirtuousRaise, 'gateway'>> {
  if (platform.adapter === 'none')
    return { platform: createNoPlatformAdapter(), reader: createNoPlatformAdapter() };
  const apiKey = secret(platform.apiKey, 'platform.apiKey');
  const createClient = (purpose: CallPurpose): FundraisingClient =>
    new FundraisingClient({
      baseUrl: platform.baseUrl,
      apiKey,
      fetch: quota.createCountingFetch(purpose, fetch),
    });
  if (platform.adapter === 'virtuous-raise') {
    const charges = createClient('charges');
    const gifts = createVirtuousRaise({ charges, searches: createClient('gifts') }, platform);
    const reading = createVirtuousRaise({ charges, searches: createClient('reading') }, platform);
    return { ...gifts, reader: reading.platform };
  }
  const open = (purpose: CallPurpose): PlatformAdapter => {
    const client = createClient(purpose);
    switch (platform.adapter) {
      case 'http':
        return createHttpAdapter(client, platform);
      case 'virtuous-crm':
        return createVirtuousCrmAdapter(client, { ...platform, timeZone });
      case 'sandbox':
        return createSandboxAdapter(client);
    }
  };
  return { platform: open('gifts'), reader: open('reading') };
}

/**
 * Reads the current value of a secret.
 * @param place the secret's path in the configuration.
 * @throws {ConfigurationError} if the secret is missing or contains invalid characters.
 */
export function readSecret(name: SecretName, place: string, environment: Environment): string {
  const location = 'env' in name ? `the ${name.env} environment variable` : name.file;
  const value = 'env' in name ? environment[name.env] : readSecretFile(name.file, place);
  if (!value)
    throw new ConfigurationError(
      `${place}: ${location} is ` +
        `${'env' in name && value === undefined ? 'not set' : 'empty'}; expected a key. ` +
        ('env' in name
          ? 'Set the variable before you start the server'
          : 'Write the key to this file'),
    );
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new ConfigurationError(
      `${place}: found a space, a line break, or a non-ASCII character in ${location}; ` +
        'expected only the key. Remove all other characters',
    );
  return value;
}

function describeReadError(cause: unknown): string | undefined {
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

/** Checks the templates' placeholders. @throws {ConfigurationError} if a placeholder is unknown. */
function assertPlaceholdersAreKnown(
  { record, find, update, list }: HttpPlatformConfiguration,
  at: string,
): void {
  for (const [template, names] of [
    [record, GIFT_NAMES],
    [[find?.path, find?.body], ['reference']],
    [update ?? '', CHANGE_NAMES],
    [[list?.path, list?.body], LIST_NAMES],
  ] as const) {
    const [unknown] = findUnknownPlaceholders(template, names);
    if (unknown !== undefined)
      throw new ConfigurationError(
        `${at}: found {${unknown}}; expected placeholders that start with one of these names: ` +
          names.join(', '),
      );
  }
}

/** Reads a secret. @param place the secret's path within the organization. */
type SecretReader = (name: SecretName, place: string) => string;

async function createPaymentOption(
  payment: Exclude<PaymentConfiguration, { provider: 'platform' }>,
  secret: SecretReader,
  organization: string,
  place: string,
): Promise<PaymentOption> {
  const at = `${organization}.${place}`;
  switch (payment.provider) {
    case 'offline':
      return {
        gateway: createOfflineGateway(),
        isPledge: true,
        providerType: PaymentProviderType.None,
        instructions: localizeInEachLanguage(payment.instructions),
      };
    case 'module':
      return {
        gateway: await loadAndCreateGateway(payment, secret, organization, place),
        ...toProviderTypeField(payment),
      };
    case 'paypal':
      return {
        gateway: createPayPalGateway({
          ...payment,
          clientSecret: secret(payment.clientSecret, `${place}.clientSecret`),
        }),
        ...toProviderTypeField(payment),
      };
    case 'stripe': {
      const keys = {
        secretKey: secret(payment.secretKey, `${place}.secretKey`),
        webhookSecret:
          payment.webhookSecret && secret(payment.webhookSecret, `${place}.webhookSecret`),
      };
      assertStripeKeysMatch(payment, keys, at);
      // The Stripe gateway is loaded on demand, because Stripe's library is slow to load.
      const { createStripeGateway } = await import('../payments/stripe/stripe-gateway.ts');
      return {
        gateway: createStripeGateway({ ...payment, ...keys }),
        ...toProviderTypeField(payment),
      };
    }
  }
}

function toProviderTypeField({
  platformProviderType,
}: {
  readonly platformProviderType?: keyof typeof PaymentProviderType | undefined;
}): Pick<PaymentOption, 'providerType'> {
  return platformProviderType === undefined
    ? {}
    : { providerType: PaymentProviderType[platformProviderType] };
}

/**
 * Creates a payment gateway from a configured module.
 * @throws {ConfigurationError} if the module does not export `createGateway`, or the gateway lacks a
 *   method.
 */
async function loadAndCreateGateway(
  { module, options, secrets }: Extract<PaymentConfiguration, { provider: 'module' }>,
  secret: SecretReader,
  organization: string,
  place: string,
): Promise<PaymentGateway> {
  const at = `${organization}.${place}`;
  const values = Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      secret(value, `${place}.secrets.${name}`),
    ]),
  );
  const createGateway = await loadExportedFunction<CreateGateway>(module, 'createGateway', {
    settingPath: `${at}.module`,
    docsPage: 'docs/reference/payment-providers.md',
  });
  return checkGateway(await createGateway({ options, secrets: values }), module, `${at}.module`);
}
