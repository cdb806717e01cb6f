import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  configuration as schema,
  type Configuration,
  type HttpRecorderConfiguration,
  type OrganizationConfiguration,
  type PaymentConfiguration,
  type SecretName,
} from '@donation-form/core/schemas';
import {
  FundraisingClient,
  PaymentProviderType,
} from '@donation-form/platform-clients/fundraising';
import type { ApiQuota, Purpose } from '../platform/api-quota.ts';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { expectation, inWords, whereNoJson } from './configuration-messages.ts';
import { buildFormDefinition } from '../organizations/form-definitions.ts';
import { localizeAll } from '../organizations/localize.ts';
import { openGoal, type Goal } from '../organizations/goal.ts';
import { loadFunction } from '../lib/load-module.ts';
import type { LocalizedForm, Organization, PaymentOption } from '../organizations/organization.ts';
import type { CreateGateway, PaymentGateway } from '../payments/payment-gateway.ts';
import { offlineGateway } from '../payments/offline.ts';
import { checkPayments, checkStripeKeys } from '../payments/check.ts';
import { openPlatformWebhooks } from '../organizations/open-webhook-sources.ts';
import { providerName } from '../payments/payment-options.ts';
import { sandboxGateway } from '../payments/sandbox.ts';
import { createNoPlatform } from '../platform/no-platform.ts';
import { createHttpAdapter } from '../platform/http.ts';
import type { PlatformAdapter } from '../platform/platform-adapter.ts';
import { createSandboxAdapter } from '../platform/sandbox.ts';
import { CHANGE_NAMES, GIFT_NAMES, LIST_NAMES, unknownNames } from '../platform/body-template.ts';
import { openSiteAddresses } from '../organizations/webhook-endpoint.ts';

/** Where secrets come from: names to values, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A configuration, the file that it was read from, which errors name, and what stands in that file.
 */
export type LoadedConfiguration = Configuration & {
  readonly file?: string;
  readonly written?: unknown;
};

/**
 * A configuration; or what is wrong with its values, a line each: the place, what was found and
 * what was expected.
 */
export function readConfiguration(
  json: unknown,
): { readonly configuration: Configuration } | { readonly problems: readonly string[] } {
  const { data, error } = schema.safeParse(json, { reportInput: true, error: expectation });
  return error ? { problems: inWords(error.issues) } : { configuration: data };
}

/**
 * Reads and checks a configuration file.
 * @throws {ConfigurationError} with the file, the place in it, what was found and what was
 *   expected.
 */
export async function loadConfiguration(file: string): Promise<LoadedConfiguration> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(
      `${file}: cannot be read: found ${(cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (cause as NodeJS.ErrnoException).code}, expected the configuration. Name it with --config.`,
      { cause },
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(
      `${whereNoJson(text, cause as Error)}: is no JSON: found something else there, expected JSON: names and texts in double quotes, commas between entries and none after the last, no comments`,
      { cause },
    ).in(file);
  }
  const read = readConfiguration(json);
  if ('problems' in read) throw new ConfigurationError(read.problems.join(`\n${file}: `)).in(file);
  const data = read.configuration;
  const beside = (path: string): string => resolve(dirname(file), path);
  for (const payment of data.organizations.flatMap(({ payments }) => payments))
    if (payment.provider === 'module') payment.module = beside(payment.module);
  for (const webhook of data.organizations.flatMap(({ platformWebhooks }) => platformWebhooks))
    if (webhook.hook !== undefined) webhook.hook = beside(webhook.hook);
  return { ...data, store: beside(data.store), file, written: json };
}

export interface OpeningOptions {
  readonly environment: Environment;
  readonly budgetOf: (organization: OrganizationConfiguration) => ApiQuota;
}

/**
 * Makes the organisations of a configuration, with their secrets from the environment.
 * @throws {ConfigurationError}
 */
export async function openOrganizations(
  configuration: LoadedConfiguration,
  options: OpeningOptions,
): Promise<Organization[]> {
  formsOf(configuration);
  return Promise.all(
    configuration.organizations.map((_organization, index) =>
      openOrganizationAt(configuration, index, options),
    ),
  );
}

/**
 * Makes one of the organisations of a configuration.
 * @param index its place. @throws {ConfigurationError}
 */
export async function openOrganizationAt(
  configuration: LoadedConfiguration,
  index: number,
  { environment, budgetOf }: OpeningOptions,
): Promise<Organization> {
  const forms = formsOf(configuration)[index]!;
  const organization = configuration.organizations[index]!;
  try {
    return await openOrganization(organization, {
      forms,
      at: `organizations.${index}`,
      environment,
      budget: budgetOf(organization),
    });
  } catch (error) {
    throw inFile(error, configuration);
  }
}

/**
 * The forms of each organisation, as they are offered.
 * @throws {ConfigurationError}
 */
export function formsOf(configuration: LoadedConfiguration): LocalizedForm[][] {
  const { organizations } = configuration;
  try {
    organizations.forEach((organization, at) => {
      checkPayments(organization, `organizations.${at}`);
      if (organization.recorder.kind === 'http')
        checkTemplates(organization.recorder, `organizations.${at}.recorder`);
    });
    checkIds(configuration, 'forms');
    checkIds(configuration, 'goals');
    return organizations.map((organization, at) =>
      organization.forms.map((form, index) =>
        buildFormDefinition(organization, form, `organizations.${at}.forms.${index}`),
      ),
    );
  } catch (error) {
    throw inFile(error, configuration);
  }
}

/** Characters: a shorter key of the operator can be guessed. */
const SHORTEST_OPERATOR_KEY = 16;

/**
 * The secret that the operator shows; `undefined` where the configuration names none.
 * @throws {ConfigurationError} where there is none where it says, or it can be guessed.
 */
export function operatorKey(
  configuration: LoadedConfiguration,
  environment: Environment,
): string | undefined {
  try {
    const key =
      configuration.operator?.key &&
      readSecret(configuration.operator.key, 'operator.key', environment);
    if (key !== undefined && key.length < SHORTEST_OPERATOR_KEY)
      throw new ConfigurationError(
        `operator.key: found a key of ${key.length} characters, which can be guessed, expected ${SHORTEST_OPERATOR_KEY} or more. Make one: openssl rand -base64 24`,
      );
    return key;
  } catch (error) {
    throw inFile(error, configuration);
  }
}

/** An error of the configuration with the file that it was read from. */
function inFile(error: unknown, { file }: LoadedConfiguration): unknown {
  return error instanceof ConfigurationError && file !== undefined ? error.in(file) : error;
}

/**
 * What an organisation wants to raise.
 * @param at its place in the configuration.
 * @throws {ConfigurationError}
 */
export function goalsOf(organization: OrganizationConfiguration, at: string): Goal[] {
  return organization.goals.map((goal, index) =>
    openGoal(goal, organization, `${at}.goals.${index}`),
  );
}

/**
 * @throws {ConfigurationError} where two forms, or two goals, have one id: it can be mended at
 *   each of them.
 */
function checkIds({ organizations }: Configuration, kind: 'forms' | 'goals'): void {
  const named = organizations.flatMap((organization, at) =>
    organization[kind].map(({ id }, index) => ({
      id,
      place: `organizations.${at}.${kind}.${index}.id`,
    })),
  );
  for (const { id } of named) {
    const places = named.filter((one) => one.id === id).map(({ place }) => place);
    if (places.length > 1)
      throw new ConfigurationError(
        `${places[1]}: found the id ${JSON.stringify(id)} at ${places.join(' and ')}, expected each id once, over the ${kind} of all organisations`,
        { places },
      );
  }
}

interface Opening {
  readonly forms: readonly LocalizedForm[];
  /** The organisation's place in the configuration. */
  readonly at: string;
  readonly environment: Environment;
  readonly budget: ApiQuota;
}

async function openOrganization(
  organization: OrganizationConfiguration,
  { forms, at, environment, budget }: Opening,
): Promise<Organization> {
  const secret: Secrets = (name, place) => readSecret(name, `${at}.${place}`, environment);
  const { id, origins, payments, platformWebhooks, webhooks, timeZone, retention } = organization;
  const recorders = openRecorders(organization, { secret, budget });
  return {
    id,
    origins: new Set(origins),
    forms,
    goals: goalsOf(organization, at),
    timeZone,
    donorDataDays: retention?.donorDataDays,
    payments: new Map(
      await Promise.all(
        payments.map(
          async (payment, index) =>
            [
              providerName(payment),
              await openPayment(payment, secret, at, `payments.${index}`),
            ] as const,
        ),
      ),
    ),
    budget,
    ...recorders,
    platformWebhooks: await openPlatformWebhooks(platformWebhooks, secret, at),
    webhooks: openSiteAddresses(webhooks, secret, at),
  };
}

function openRecorders(
  { recorder }: OrganizationConfiguration,
  { secret, budget }: { readonly secret: Secrets; readonly budget: ApiQuota },
): Pick<Organization, 'recorder' | 'reader'> {
  if (recorder.kind === 'export')
    return { recorder: createNoPlatform(), reader: createNoPlatform() };
  const apiKey = secret(recorder.apiKey, 'recorder.apiKey');
  const open = (purpose: Purpose): PlatformAdapter => {
    const client = new FundraisingClient({
      baseUrl: recorder.baseUrl,
      apiKey,
      fetch: budget.fetch(purpose),
    });
    return recorder.kind === 'http'
      ? createHttpAdapter(client, recorder)
      : createSandboxAdapter(client);
  };
  return { recorder: open('gifts'), reader: open('reading') };
}

/**
 * The value of a secret, as it is now.
 * @param place in the configuration.
 * @throws {ConfigurationError} where there is none, or it cannot be a key.
 */
export function readSecret(name: SecretName, place: string, environment: Environment): string {
  const holder = 'env' in name ? `the environment variable ${name.env}` : name.file;
  const value = 'env' in name ? environment[name.env] : readSecretFile(name.file, place);
  if (!value)
    throw new ConfigurationError(
      `${place}: ${holder} is ${'env' in name && value === undefined ? 'not set' : 'empty'}: found nothing, expected the key in it. ${'env' in name ? 'Set it where this is started' : 'Write the key into it'}`,
    );
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new ConfigurationError(
      `${place}: found a space, a line break or a character that no key has in ${holder}, expected the key alone. Take out what does not belong to it`,
    );
  return value;
}

function readSecretFile(file: string, place: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (cause) {
    throw new ConfigurationError(
      `${place}: ${file} cannot be read: found ${(cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (cause as NodeJS.ErrnoException).code}, expected a file that holds the key and that this user may read`,
      { cause },
    );
  }
}

/** @throws {ConfigurationError} where a template names what nothing has. */
function checkTemplates(
  { record, find, update, list }: HttpRecorderConfiguration,
  at: string,
): void {
  for (const [template, names] of [
    [record, GIFT_NAMES],
    [find?.path ?? '', ['reference']],
    [update ?? '', CHANGE_NAMES],
    [list?.path ?? '', LIST_NAMES],
  ] as const) {
    const [unknown] = unknownNames(template, names);
    if (unknown !== undefined)
      throw new ConfigurationError(
        `${at}: found {${unknown}}, expected names that begin with ${names.join(', ')}`,
      );
  }
}

/** The value of a secret that the configuration names. @param place in the organisation. */
type Secrets = (name: SecretName, place: string) => string;

async function openPayment(
  payment: PaymentConfiguration,
  secret: Secrets,
  organization: string,
  place: string,
): Promise<PaymentOption> {
  const at = `${organization}.${place}`;
  switch (payment.provider) {
    case 'offline':
      return {
        gateway: offlineGateway(),
        isPledge: true,
        providerType: PaymentProviderType.None,
        instructions: localizeAll(payment.instructions),
      };
    case 'module':
      return {
        gateway: await openModule(payment, secret, organization, place),
        ...platformNameOf(payment),
      };
    default: {
      const keys = {
        secretKey: secret(payment.secretKey, `${place}.secretKey`),
        webhookSecret:
          payment.webhookSecret && secret(payment.webhookSecret, `${place}.webhookSecret`),
      };
      if (payment.provider === 'stripe') checkStripeKeys(payment, keys, at);
      // Stripe's library takes longest of all to load.
      const gateway =
        payment.provider === 'stripe'
          ? (await import('../payments/stripe/stripe-gateway.ts')).stripeGateway({
              ...payment,
              ...keys,
            })
          : sandboxGateway({ ...payment, ...keys });
      return { gateway, ...platformNameOf(payment) };
    }
  }
}

function platformNameOf({
  platformProviderType,
}: {
  readonly platformProviderType?: keyof typeof PaymentProviderType | undefined;
}): Pick<PaymentOption, 'providerType'> {
  return platformProviderType === undefined
    ? {}
    : { providerType: PaymentProviderType[platformProviderType] };
}

/** @throws {ConfigurationError} where the file makes no gateway. */
async function openModule(
  { module, options, secrets }: Extract<PaymentConfiguration, { provider: 'module' }>,
  secret: Secrets,
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
  const createGateway = await loadFunction<CreateGateway>(module, 'createGateway', {
    at: `${at}.module`,
    shownIn: 'docs/payment-providers.md',
  });
  return createGateway({ options, secrets: values });
}
