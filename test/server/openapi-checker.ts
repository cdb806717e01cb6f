import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Escapes a key for a JSON pointer in a URL. */
const escapeKey = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Validates requests and responses against an OpenAPI document. */
export class OpenApiChecker {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #checked = new Set<string>();

  /** @param name of a file in `docs/reference/openapi`, without `.yaml`. */
  constructor(name: string) {
    this.#document = parse(readFileSync(`docs/reference/openapi/${name}.yaml`, 'utf8')) as Document;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ ...this.#document, $id: 'document' });
  }

  get document(): Document {
    return this.#document;
  }

  /** Such as `GET /countries/{code}`. */
  get operations(): readonly string[] {
    return Object.entries(this.#document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** Operations of which no response was checked. */
  get uncheckedOperations(): readonly string[] {
    return this.operations.filter((operation) => !this.#checked.has(operation));
  }

  /** Sends a request, checks the response, and returns it with the errors of the request. */
  async send(
    request: Request,
    handle: (request: Request) => Response | Promise<Response>,
  ): Promise<{ readonly response: Response; readonly requestErrors: readonly string[] }> {
    const { pathname } = new URL(request.url);
    const method = request.method.toLowerCase();
    const path = Object.keys(this.#document.paths).find(
      (template) =>
        new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname) &&
        this.#document.paths[template]![method],
    );
    assert.ok(path, `${request.method} ${pathname} is not in the document`);
    const requestErrors = await this.#validateRequest(request.clone(), path, method);
    const response = await handle(request);
    await this.#assertIsDocumented(response.clone(), path, method);
    return { response, requestErrors };
  }

  async #validateRequest(request: Request, path: string, method: string): Promise<string[]> {
    const { parameters = [], requestBody } = this.#document.paths[path]![method]!;
    const { searchParams } = new URL(request.url);
    const errors: string[] = [];
    for (const [index, { name, in: place, required = false }] of parameters.entries()) {
      if (place === 'path') continue;
      const value = place === 'query' ? searchParams.get(name) : request.headers.get(name);
      if (value === null) {
        if (required) errors.push(`${name} is missing`);
        continue;
      }
      errors.push(
        ...this.#validate(['paths', path, method, 'parameters', String(index), 'schema'], value),
      );
    }
    const text = await request.text();
    if (!requestBody) return errors;
    if (text === '') return requestBody.required ? [...errors, 'the body is missing'] : errors;
    if (!requestBody.content?.['application/json']) return errors;
    const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
    return [...errors, ...this.#validate(pointer, parseJson(text))];
  }

  async #assertIsDocumented(response: Response, path: string, method: string): Promise<void> {
    const { status, headers } = response;
    const operation = `${method.toUpperCase()} ${path}`;
    const documented = this.#document.paths[path]![method]!.responses[status];
    const text = await response.text();
    assert.ok(documented, `${operation}: ${status} is not in the document: ${text}`);
    this.#checked.add(operation);
    const [base, content] =
      '$ref' in documented
        ? [documented.$ref.slice(2).split('/'), this.#find(documented.$ref)]
        : [['paths', path, method, 'responses', String(status)], documented];
    const mediaType = (headers.get('Content-Type') ?? '').split(';')[0]!;
    if (!content.content) {
      assert.equal(text, '', operation);
      return;
    }
    assert.ok(content.content[mediaType], `${operation} ${status}: ${mediaType}`);
    const values =
      mediaType === 'application/x-ndjson'
        ? text.trim().split('\n').map(parseJson)
        : [mediaType.endsWith('json') ? parseJson(text) : text];
    for (const value of values)
      assert.deepEqual(
        this.#validate([...base, 'content', mediaType, 'schema'], value),
        [],
        `${operation} ${status}: ${JSON.stringify(value)}`,
      );
  }

  #find(reference: string): Content {
    return reference
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, key) => (value as Record<string, unknown>)[key],
        this.#document,
      ) as Content;
  }

  #validate(pointer: readonly string[], value: unknown): string[] {
    const reference = `document#/${pointer.map(escapeKey).join('/')}`;
    const validate = this.#ajv.getSchema(reference);
    assert.ok(validate, reference);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
