import { Stripe } from 'stripe';
import { parseFormData } from '../../../src/sandbox/stripe/form-data.ts';
import type { Operation, TypeNode, TypeTable } from './type-table.ts';

export interface ApiRequest {
  readonly method: string;
  /** URL, or path and query. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

type Fields = Readonly<Record<string, unknown>>;
/** How values are written: as JSON, or as form data, in which everything is text. */
type Encoding = 'json' | 'form';

const MAX_CHOICES = 8;

/**
 * Checks API calls and webhook events against the types of the `stripe` package. It is stricter
 * than TypeScript: it also reports unknown fields and unknown values of open enumerations.
 */
export class StripeSpecification {
  readonly #table: TypeTable;
  readonly #patterns: readonly { readonly operation: Operation; readonly pattern: RegExp }[];

  constructor(table: TypeTable) {
    this.#table = table;
    this.#patterns = table.operations
      // Fixed paths such as /v1/payment_intents/search before those with an ID.
      .toSorted((a, b) => countPlaceholders(a) - countPlaceholders(b))
      .map((operation) => ({
        operation,
        pattern: new RegExp(`^${operation.path.replaceAll('{}', '[^/]+')}$`),
      }));
  }

  /** Returns the operation of a request, such as `GET /v1/payment_intents/{}`. */
  findOperation(method: string, url: string): string | undefined {
    const operation = this.#findOperation(method, url);
    return operation && `${operation.method} ${operation.path}`;
  }

  /** Returns the errors of a request; each names the wrong part. */
  checkRequest({ method, url, headers, body }: ApiRequest): string[] {
    const operation = this.#findOperation(method, url);
    if (!operation) return ['is not an operation of the stripe package'];
    const params = parseFormData([parseUrl(url).search.slice(1), body].filter(Boolean).join('&'));
    return [
      ...checkHeaders(method, headers),
      ...(operation.params === undefined
        ? Object.keys(params).map((name) => `${name} is unknown`)
        : this.#check(operation.params, params, { encoding: 'form', path: '' })),
    ];
  }

  /** Returns the errors of a response; each names the wrong part. */
  checkResponse(
    { method, url }: Pick<ApiRequest, 'method' | 'url'>,
    { status, body }: ApiResponse,
  ): string[] {
    const value = parseJson(body);
    if (value === undefined) return ['is not JSON'];
    if (status >= 400) {
      const { error } = value as { error?: unknown };
      return this.#check(this.#table.error, error, { encoding: 'json', path: 'error' });
    }
    const operation = this.#findOperation(method, url);
    return operation ? this.#check(operation.result, value, { encoding: 'json', path: '' }) : [];
  }

  /** Returns the errors of a webhook event; each names the wrong part. */
  checkEvent(event: unknown): string[] {
    const { type } = event as { type: string };
    const index = this.#table.events[type];
    return index === undefined
      ? [`type is ${JSON.stringify(type)}, which is no event of the stripe package`]
      : this.#check(index, event, { encoding: 'json', path: '' });
  }

  #findOperation(method: string, url: string): Operation | undefined {
    const { pathname } = parseUrl(url);
    return this.#patterns.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
    )?.operation;
  }

  #check(index: number, value: unknown, place: Place): string[] {
    const node = this.#table.types[index]!;
    if (isScalar(node)) return this.#checkScalar(node, value, place);
    if ('union' in node) return this.#checkUnion(node.union, value, place);
    if ('array' in node) {
      return Array.isArray(value)
        ? value.flatMap((item, at) =>
            this.#check(node.array, item, appendToPath(place, String(at))),
          )
        : [describeMismatch(value, place, 'a list')];
    }
    return this.#checkFields(node, value, place);
  }

  #checkScalar(node: Scalar, value: unknown, place: Place): string[] {
    return matchesScalar(node, value, place.encoding)
      ? []
      : [describeMismatch(value, place, describeScalar(node))];
  }

  /** Returns no errors if one alternative matches, or else those of the most similar alternative. */
  #checkUnion(indexes: readonly number[], value: unknown, place: Place): string[] {
    if (indexes.length === 1) return this.#check(indexes[0]!, value, place);
    if (!isFields(value) && !Array.isArray(value)) {
      const alternatives = indexes.map((index) => this.#table.types[index]!);
      if (indexes.some((index) => this.#check(index, value, place).length === 0)) return [];
      return [describeMismatch(value, place, describeAlternatives(alternatives))];
    }
    const results = indexes
      .filter((index) => !isScalar(this.#table.types[index]!))
      .map((index) => this.#check(index, value, place))
      .toSorted((a, b) => a.length - b.length);
    return results[0] ?? [describeMismatch(value, place, 'text')];
  }

  #checkFields({ fields, index }: FieldsNode, value: unknown, place: Place): string[] {
    if (!isFields(value)) return [describeMismatch(value, place, 'an object')];
    const errors = Object.entries(fields).flatMap(([key, type]) => {
      const name = key.replace(/\?$/, '');
      if (name in value) return this.#check(type, value[name], appendToPath(place, name));
      return key === name ? [`${appendToPath(place, name).path} is missing`] : [];
    });
    for (const name of Object.keys(value)) {
      if (name in fields || `${name}?` in fields) continue;
      errors.push(
        ...(index === undefined
          ? [`${appendToPath(place, name).path} is unknown`]
          : this.#check(index, value[name], appendToPath(place, name))),
      );
    }
    return errors;
  }
}

interface Place {
  readonly encoding: Encoding;
  /** Path of the value, such as `items.0.price`. */
  readonly path: string;
}

type Scalar = Extract<TypeNode, string | { readonly literal: unknown }>;
type FieldsNode = Extract<TypeNode, { readonly fields: unknown }>;

function checkHeaders(method: string, headers: Headers): string[] {
  const version = headers.get('Stripe-Version');
  return [
    ...(version === Stripe.API_VERSION
      ? []
      : [`Stripe-Version is ${version}, expected ${Stripe.API_VERSION}`]),
    ...(method === 'POST' && !headers.get('Idempotency-Key') ? ['Idempotency-Key is missing'] : []),
  ];
}

const countPlaceholders = ({ path }: Operation): number => path.split('{}').length;

const parseUrl = (url: string): URL => new URL(url, 'https://api.stripe.com');

const appendToPath = ({ encoding, path }: Place, name: string): Place => ({
  encoding,
  path: path === '' ? name : `${path}.${name}`,
});

const isScalar = (node: TypeNode): node is Scalar => typeof node === 'string' || 'literal' in node;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In form data, an empty value unsets a field, so it does not count as text. */
function matchesScalar(node: Scalar, value: unknown, encoding: Encoding): boolean {
  if (node === 'any') return true;
  if (encoding === 'json') {
    if (typeof node === 'object') return value === node.literal;
    return node === 'null' ? value === null : typeof value === node;
  }
  if (typeof node === 'object') return value === String(node.literal);
  if (node === 'null') return value === '';
  if (node === 'boolean') return value === 'true' || value === 'false';
  if (typeof value !== 'string' || value === '') return false;
  return node === 'string' || /^-?\d+(\.\d+)?$/.test(value);
}

const describeScalar = (node: Scalar): string =>
  typeof node === 'object' ? JSON.stringify(node.literal) : node;

function describeAlternatives(nodes: readonly TypeNode[]): string {
  const names = nodes
    .map((node) => {
      if (isScalar(node)) return describeScalar(node);
      return 'array' in node ? 'a list' : 'an object';
    })
    .toSorted();
  const shown = names.slice(0, MAX_CHOICES).join(', ');
  return `one of ${shown}${names.length > MAX_CHOICES ? ', …' : ''}`;
}

const describeMismatch = (value: unknown, { path }: Place, expected: string): string =>
  `${path === '' ? 'value' : path} is ${describeValue(value)}, expected ${expected}`;

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isFields(value) ? 'an object' : JSON.stringify(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
