import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchema, type Options } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type AjvCustomizer, OpenAPIBackend, SetMatchType } from 'openapi-backend';

/** The parts of an OpenAPI document that the tests read, with resolved `$ref`s. */
interface Definition {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Schema {
  readonly enum?: readonly unknown[];
  readonly 'x-enum-varnames'?: readonly string[];
}

interface DocumentedResponse {
  readonly headers?: Readonly<
    Record<
      string,
      { readonly content?: { readonly 'application/json': { readonly schema: AnySchema } } }
    >
  >;
}

/** A response that the document allows. */
export interface CheckedResponse {
  readonly operation: string;
  /** The status in the document: `200`, `4XX`, or `default`. */
  readonly documentedStatus: string;
  readonly response: Response;
  readonly body: unknown;
  /** Errors of the request according to the document. */
  readonly requestErrors: readonly string[];
}

/** OpenAPI 3.1 uses JSON Schema 2020-12; the default validator is for draft 7. */
function createValidator(options: Options): unknown {
  const ajv = new Ajv2020(options);
  formats.default(ajv);
  return ajv;
}

const ajv = createValidator({ strict: false, allErrors: true }) as Ajv2020;

/** An OpenAPI document that validates requests and responses. */
export class ApiDocument {
  readonly #api: OpenAPIBackend;

  private constructor(api: OpenAPIBackend) {
    this.#api = api;
  }

  /** @param name of a file in `docs/reference/openapi`, without `.yaml`. */
  static async load(name: string): Promise<ApiDocument> {
    const definition = fileURLToPath(
      new URL(`../../../docs/reference/openapi/${name}.yaml`, import.meta.url),
    );
    // `quick` skips a check of the whole document, which supports only OpenAPI 3.0.
    const api = new OpenAPIBackend({
      definition,
      strict: true,
      quick: true,
      customizeAjv: (_, options) => createValidator(options) as ReturnType<AjvCustomizer>,
    });
    await api.init();
    return new ApiDocument(api);
  }

  get operations(): readonly string[] {
    return this.#api.router.getOperations().map(({ operationId = '' }) => operationId);
  }

  get schemas(): Readonly<Record<string, Schema>> {
    return (this.#api.definition as unknown as Definition).components.schemas;
  }

  /** @throws {AssertionError} if a value does not match a schema of the document. */
  assertMatches(schema: string, value: unknown): void {
    assert.ok(ajv.validate(this.schemas[schema]!, value), `${schema}: ${ajv.errorsText()}`);
  }

  /**
   * Sends a request.
   * @throws {AssertionError} if the document does not allow the response's status, headers, or body.
   */
  async sendChecked(
    request: Request,
    send: (request: Request) => Response | Promise<Response>,
  ): Promise<CheckedResponse> {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const sent = await request.clone().text();
    const details = {
      method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(sent && { body: JSON.parse(sent) as object }),
    };
    const operation = this.#api.matchOperation(details);
    assert.ok(operation?.operationId, `${method} ${pathname} is not an operation of the document`);
    const { responses = {} } = operation;
    const response = await send(request);
    const { status, headers } = response;
    const call = `${method} ${pathname}${search} → ${status}`;
    const documentedStatus = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find(
      (key) => Object.hasOwn(responses, key),
    );
    assert.ok(documentedStatus, `${call}: the document does not have this status`);
    assert.match(headers.get('Content-Type') ?? '', /^application\/json(;|$)/, call);
    const body: unknown = await response.clone().json();
    assert.deepEqual(
      getMessages(this.#api.validator.validateResponse(body, operation, status)),
      [],
      `${call}: body`,
    );
    assert.deepEqual(
      getMessages(
        this.#api.validator.validateResponseHeaders(Object.fromEntries(headers), operation, {
          statusCode: status,
          setMatchType: SetMatchType.Superset,
        }),
      ),
      [],
      `${call}: headers`,
    );
    for (const [name, { content }] of Object.entries(
      (responses[documentedStatus] as DocumentedResponse).headers ?? {},
    )) {
      if (content)
        assert.ok(
          ajv.validate(content['application/json'].schema, JSON.parse(headers.get(name) ?? 'null')),
          `${call}: ${name}: ${ajv.errorsText()}`,
        );
    }
    return {
      operation: operation.operationId,
      documentedStatus,
      response,
      body,
      requestErrors: getMessages(this.#api.validateRequest(details, operation)),
    };
  }
}

function getMessages({
  errors,
}: {
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}): string[] {
  return (errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
