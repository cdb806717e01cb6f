import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { AUTHENTICATION_OPERATION, checkTokenRequest, checkTokenResponse } from './token-call.ts';

/** PayPal's OpenAPI files in this folder. */
export const SPECIFICATION_FILES = [
  'billing_subscriptions_v1',
  'catalogs_products_v1',
  'checkout_orders_v2',
  'customer_disputes_v1',
  'notifications_webhooks_v1',
  'payments_payment_v1',
  'payments_payment_v2',
  'reporting_transactions_v1',
] as const;

export type SpecificationFile = (typeof SPECIFICATION_FILES)[number];

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly readOnly?: boolean;
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Content {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  /** Method and path template, such as `GET /v2/checkout/orders/{id}`. */
  readonly name: string;
  readonly file: SpecificationFile;
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly object: OperationObject;
}

/** An example in the OpenAPI files. */
export interface Sample {
  readonly operation: string;
  /** Status of a response; `undefined` for a request. */
  readonly status?: number;
  readonly body: unknown;
}

export interface ApiRequest {
  readonly method: string;
  /** URL, or path and query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Fields of every webhook event, which the OpenAPI files do not mark as required. */
const EVENT_FIELDS = ['id', 'create_time', 'resource_type', 'event_type', 'summary', 'resource'];
/**
 * Schemas of the resources of webhook events by the beginning of the event type
 * (developer.paypal.com/api/rest/webhooks/event-names). Payments of a subscription are sales of the
 * first payments API.
 */
const EVENT_RESOURCES: readonly (readonly [string, SpecificationFile, string])[] = [
  ['CHECKOUT.ORDER.', 'checkout_orders_v2', 'order'],
  ['PAYMENT.CAPTURE.REFUNDED', 'payments_payment_v2', 'refund'],
  ['PAYMENT.CAPTURE.REVERSED', 'payments_payment_v2', 'refund'],
  ['PAYMENT.CAPTURE.', 'payments_payment_v2', 'capture-2'],
  ['PAYMENT.REFUND.', 'payments_payment_v2', 'refund'],
  ['PAYMENT.SALE.REFUNDED', 'payments_payment_v1', 'refund'],
  ['PAYMENT.SALE.REVERSED', 'payments_payment_v1', 'refund'],
  ['PAYMENT.SALE.', 'payments_payment_v1', 'sale'],
  ['CUSTOMER.DISPUTE.', 'customer_disputes_v1', 'dispute'],
  ['BILLING.SUBSCRIPTION.', 'billing_subscriptions_v1', 'subscription'],
  ['BILLING.PLAN.', 'billing_subscriptions_v1', 'plan'],
  ['CATALOG.PRODUCT.', 'catalogs_products_v1', 'product'],
];
/** Errors to ignore, because PayPal itself contradicts the files. */
const IGNORED_ERRORS = [
  // Payments of a subscription are sales, but have no parent.
  /must have required property 'parent_payment'$/,
  // Event IDs contain hyphens.
  /^path event_id is "WH-/,
];
/** Headers that begin with `PayPal-` and that no operation lists. */
const UNLISTED_HEADERS = ['paypal-mock-response'];

/**
 * Checks API calls and webhook events against PayPal's OpenAPI files. Stricter than JSON Schema,
 * it also reports names that the files do not contain.
 */
export class PayPalSpecification {
  readonly operations: readonly string[];
  readonly samples: readonly Sample[];
  readonly #operations: readonly Operation[];
  readonly #documents: Readonly<Record<SpecificationFile, Document>>;
  readonly #ajv: Ajv;
  readonly #validators = new Map<Schema, ValidateFunction>();

  constructor() {
    // The patterns and custom formats in the files are not valid with the default options.
    this.#ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, logger: false });
    formats.default(this.#ajv);
    this.#documents = Object.fromEntries(
      SPECIFICATION_FILES.map((file) => [file, readDocument(file)]),
    ) as Record<SpecificationFile, Document>;
    for (const file of SPECIFICATION_FILES) this.#ajv.addSchema(this.#documents[file], file);
    this.#operations = SPECIFICATION_FILES.flatMap((file) =>
      listOperations(file, this.#documents[file]),
    );
    this.operations = this.#operations.map(({ name }) => name);
    this.samples = this.#operations.flatMap((operation) => this.#listSamples(operation));
  }

  /** Returns the operation of a request, such as `GET /v2/checkout/orders/{id}`. */
  findOperation(method: string, url: string): string | undefined {
    return this.#findOperation(method, url)?.name;
  }

  /** Returns the errors of a request; each names the wrong part. */
  checkRequest(request: ApiRequest): string[] {
    const { pathname } = parseUrl(request.url);
    if (`${request.method} ${pathname}` === AUTHENTICATION_OPERATION)
      return checkTokenRequest(request);
    const operation = this.#findOperation(request.method, request.url);
    if (!operation) return [`${request.method} ${pathname} is not an operation of the files`];
    return [
      ...this.#checkParameters(operation, request),
      ...this.#checkRequestBody(operation, request),
    ];
  }

  /** Returns the errors of a response; each names the wrong part. */
  checkResponse(request: Pick<ApiRequest, 'method' | 'url'>, response: ApiResponse): string[] {
    const { status, headers, body } = response;
    const { pathname } = parseUrl(request.url);
    if (`${request.method} ${pathname}` === AUTHENTICATION_OPERATION)
      return checkTokenResponse(response);
    const operation = this.#findOperation(request.method, request.url);
    if (!operation) return [`${request.method} ${pathname} is not an operation of the files`];
    if (status === 429) return checkRateLimitResponse(response);
    const { responses } = operation.object;
    const documented = responses[String(status)] ?? responses.default;
    if (!documented)
      return [
        `response status ${status} is not documented; expected ${Object.keys(responses).join(', ')}`,
      ];
    const { content } = this.#resolveReference(
      operation.file,
      // Some files describe an error's body only once, as the default.
      status >= 400 && !documented.content && responses.default ? responses.default : documented,
    );
    if (!content)
      return body === '' ? [] : [`response body is ${truncate(body)}; expected no body`];
    if (!/^application\/json(;|$)/.test(headers.get('Content-Type') ?? ''))
      return [`response Content-Type is ${headers.get('Content-Type')}; expected application/json`];
    const json = parseJson(body);
    if (json === undefined) return [`response body is not JSON: ${truncate(body)}`];
    return this.#checkValue(
      operation.file,
      content['application/json']!.schema!,
      json,
      'response body',
    );
  }

  /** Returns the errors of a webhook event and of its resource. */
  checkEvent(event: unknown): string[] {
    const errors = this.#checkValue(
      'notifications_webhooks_v1',
      { $ref: '#/components/schemas/event' },
      event,
      'event',
    );
    if (typeof event !== 'object' || event === null) return errors;
    const { event_type: type, resource } = event as Readonly<Record<string, unknown>>;
    const missing = EVENT_FIELDS.filter((name) => !(name in event)).map(
      (name) => `event/${name} is missing`,
    );
    const known = EVENT_RESOURCES.find(([prefix]) => String(type).startsWith(prefix));
    if (!known) return [...errors, ...missing, `event/event_type ${String(type)} is unknown`];
    const [, file, schema] = known;
    return [...errors, ...missing, ...this.checkResource(file, schema, resource)];
  }

  /** Returns the errors of a value according to a named schema. */
  checkResource(file: SpecificationFile, schema: string, value: unknown): string[] {
    return this.#checkValue(file, { $ref: `#/components/schemas/${schema}` }, value, schema);
  }

  #findOperation(method: string, url: string): Operation | undefined {
    const { pathname } = parseUrl(url);
    return this.#operations.find(
      (operation) => operation.method === method && operation.pattern.test(pathname),
    );
  }

  #checkParameters({ file, object, pattern }: Operation, request: ApiRequest): string[] {
    const { pathname, searchParams } = parseUrl(request.url);
    const segments = pattern.exec(pathname)!.groups ?? {};
    const parameters = (object.parameters ?? []).map((parameter) =>
      this.#resolveReference(file, parameter),
    );
    const errors: string[] = [];
    for (const parameter of parameters) {
      const { name } = parameter;
      const label = `${parameter.in} ${name}`;
      const value = {
        path: segments[name],
        query: searchParams.get(name) ?? undefined,
        header: request.headers.get(name) ?? undefined,
      }[parameter.in];
      if (value !== undefined)
        errors.push(...this.#checkParameterValue(file, parameter.schema, value, label));
      else if (parameter.required) errors.push(`${label} is missing`);
    }
    const isListed = (place: Parameter['in'], name: string): boolean =>
      parameters.some((parameter) => parameter.in === place && isSameName(parameter.name, name));
    for (const name of searchParams.keys())
      if (!isListed('query', name)) errors.push(`query ${name} is not documented`);
    for (const name of request.headers.keys())
      if (
        (name.startsWith('paypal-') || name === 'prefer') &&
        !isListed('header', name) &&
        !UNLISTED_HEADERS.includes(name)
      )
        errors.push(`header ${name} is not documented for this operation`);
    if (!request.headers.get('Authorization')?.startsWith('Bearer '))
      errors.push('header Authorization is missing; expected Bearer and an access token');
    return errors;
  }

  /** Checks a parameter as text and, if the schema wants it, as a number or boolean. */
  #checkParameterValue(
    file: SpecificationFile,
    schema: Schema,
    value: string,
    label: string,
  ): string[] {
    const errors = this.#checkValue(file, schema, value, label);
    const parsed = parseJson(value);
    return errors.length > 0 && parsed !== undefined && typeof parsed !== 'object'
      ? this.#checkValue(file, schema, parsed, label)
      : errors;
  }

  #checkRequestBody({ file, object }: Operation, { headers, body }: ApiRequest): string[] {
    const documented = object.requestBody && this.#resolveReference(file, object.requestBody);
    const media = documented?.content?.['application/json'];
    if (body === '')
      return documented?.required ? ['request body is missing; expected application/json'] : [];
    if (!documented) return [`request body is ${truncate(body)}; expected no body`];
    if (!media)
      return [`request body must be ${Object.keys(documented.content ?? {}).join(' or ')}`];
    const type = headers.get('Content-Type') ?? 'missing';
    if (!/^application\/json(;|$)/.test(type))
      return [`request Content-Type is ${type}; expected application/json`];
    const json = parseJson(body);
    if (json === undefined) return [`request body is not JSON: ${truncate(body)}`];
    return this.#checkValue(file, media.schema!, json, 'request body');
  }

  #checkValue(file: SpecificationFile, schema: Schema, value: unknown, label: string): string[] {
    const validate = this.#compileSchema(file, schema);
    const errors = validate(value)
      ? []
      : describeErrors(validate.errors ?? [], value, label).filter(
          (error) => !IGNORED_ERRORS.some((ignored) => ignored.test(error)),
        );
    return [...errors, ...this.#findUnknownNames(file, [schema], value, label)];
  }

  #compileSchema(file: SpecificationFile, schema: Schema): ValidateFunction {
    const known = this.#validators.get(schema);
    if (known) return known;
    const validate = this.#ajv.compile(makeReferencesAbsolute(schema, file));
    this.#validators.set(schema, validate);
    return validate;
  }

  /**
   * Finds names that no schema of an object declares, and names in requests that only PayPal may
   * set. An object whose schemas declare no name at all may contain any.
   */
  #findUnknownNames(
    file: SpecificationFile,
    schemas: readonly Schema[],
    value: unknown,
    label: string,
  ): string[] {
    const parts = schemas.flatMap((schema) => this.#listSubschemas(file, schema));
    if (Array.isArray(value)) {
      const items = parts.flatMap((part) => part.items ?? []);
      return value.flatMap((item, index) =>
        this.#findUnknownNames(file, items, item, `${label}/${index}`),
      );
    }
    if (typeof value !== 'object' || value === null) return [];
    const declaring = parts.filter(({ properties }) => properties);
    if (declaring.length === 0 || parts.some((part) => part.additionalProperties)) return [];
    return Object.entries(value).flatMap(([name, child]) => {
      const declared = declaring.flatMap(({ properties }) =>
        Object.hasOwn(properties!, name) ? [properties![name]!] : [],
      );
      const path = `${label}/${name}`;
      if (declared.length === 0) return [`${path} is not documented`];
      // The call that verifies a webhook sends back an event, which only PayPal may set.
      if (
        label.startsWith('request body') &&
        !path.startsWith('request body/webhook_event/') &&
        declared.some((schema) =>
          this.#listSubschemas(file, schema).some(({ readOnly }) => readOnly),
        )
      )
        return [`${path} is read-only`];
      return this.#findUnknownNames(file, declared, child, path);
    });
  }

  /** Returns a schema with everything that it refers to and is composed of. */
  #listSubschemas(file: SpecificationFile, schema: Schema): Schema[] {
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
    return [
      schema,
      ...($ref === undefined ? [] : [this.#resolveReference(file, schema)]).flatMap((target) =>
        this.#listSubschemas(file, target),
      ),
      ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => this.#listSubschemas(file, part)),
    ];
  }

  #resolveReference<Target extends { readonly $ref?: string }>(
    file: SpecificationFile,
    target: Target,
  ): Target {
    if (target.$ref === undefined) return target;
    let found: unknown = this.#documents[file];
    for (const name of target.$ref.slice(2).split('/'))
      found = (found as Readonly<Record<string, unknown>>)[name];
    return found as Target;
  }

  #listSamples({ name, file, object }: Operation): Sample[] {
    const request = object.requestBody && this.#resolveReference(file, object.requestBody);
    return [
      ...listExamples(request?.content).map((body) => ({ operation: name, body })),
      ...Object.entries(object.responses).flatMap(([status, response]) =>
        listExamples(this.#resolveReference(file, response).content).map((body) => ({
          operation: name,
          status: Number(status),
          body,
        })),
      ),
    ];
  }
}

/** Reads a file, unpacked but otherwise unchanged. */
export function readSpecificationFile(file: SpecificationFile): Buffer {
  return gunzipSync(readFileSync(new URL(`${file}.json.gz`, import.meta.url)));
}

function readDocument(file: SpecificationFile): Document {
  return JSON.parse(readSpecificationFile(file).toString()) as Document;
}

function listOperations(file: SpecificationFile, { paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => Object.hasOwn(methods, method)).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      file,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      object: methods[method]!,
    })),
  );
}

function listExamples(content: Content['content']): unknown[] {
  const { example, examples = {} } = content?.['application/json'] ?? {};
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ];
}

/** Copies a schema with references that name the file, so that it can be compiled on its own. */
function makeReferencesAbsolute(schema: Schema, file: SpecificationFile): object {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === '$ref' && typeof value === 'string' ? `${file}${value}` : value,
    ),
  ) as object;
}

/**
 * Describes validation errors. If none of several alternatives matches, reports that instead of the
 * errors of each alternative.
 */
function describeErrors(errors: readonly ErrorObject[], value: unknown, label: string): string[] {
  const unmatched = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors
    .filter(
      (error) =>
        !unmatched.some(
          (alternatives) =>
            alternatives !== error &&
            (error.instancePath === alternatives.instancePath ||
              error.instancePath.startsWith(`${alternatives.instancePath}/`)),
        ),
    )
    .map(({ instancePath, keyword, message, params }) => {
      const actual = truncate(JSON.stringify(readPointer(value, instancePath)));
      if (keyword === 'enum')
        return `${label}${instancePath} is ${actual}; expected one of ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}`;
      if (keyword === 'anyOf' || keyword === 'oneOf')
        return `${label}${instancePath} is ${actual}; expected one of the documented alternatives`;
      if (keyword === 'required') return `${label}${instancePath} ${message}`;
      return `${label}${instancePath} is ${actual}; it ${message}`;
    });
}

/**
 * Checks a rate limit response, which the files lack
 * (developer.paypal.com/api/rest/responses, "HTTP status codes").
 */
function checkRateLimitResponse({ body }: ApiResponse): string[] {
  const { name, message } = (parseJson(body) ?? {}) as { name?: unknown; message?: unknown };
  return name === 'RATE_LIMIT_REACHED' && typeof message === 'string'
    ? []
    : [`response body is ${truncate(body)}; expected the name RATE_LIMIT_REACHED and a message`];
}

function readPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (parent, name) =>
        (parent as Readonly<Record<string, unknown>> | undefined)?.[
          name.replaceAll('~1', '/').replaceAll('~0', '~')
        ],
      value,
    );
}

const parseUrl = (url: string): URL => new URL(url, 'https://api-m.sandbox.paypal.com');

const isSameName = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

const truncate = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
