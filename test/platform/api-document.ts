import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchema, type Options } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { OpenAPIBackend, SetMatchType, type AjvCustomizer } from 'openapi-backend';

/** The parts of a document that are read here; `$ref`s are resolved. */
interface Definition {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Schema {
  readonly enum?: readonly unknown[];
  readonly 'x-enum-varnames'?: readonly string[];
}

interface Documented {
  readonly headers?: Readonly<
    Record<
      string,
      { readonly content?: { readonly 'application/json': { readonly schema: AnySchema } } }
    >
  >;
}

/** An answer that the document allows. */
export interface Held {
  readonly operation: string;
  /** The status as the document has it: `200`, `4XX` or `default`. */
  readonly as: string;
  readonly response: Response;
  readonly body: unknown;
  /** What the document forbids in the request. */
  readonly refused: readonly string[];
}

/** OpenAPI 3.1 speaks JSON Schema 2020-12; left alone, the validator takes draft 7. */
function validatorOf(options: Options): unknown {
  const ajv = new Ajv2020(options);
  formats.default(ajv);
  return ajv;
}

const ajv = validatorOf({ strict: false, allErrors: true }) as Ajv2020;

/** An OpenAPI document that requests and answers are held against. */
export class ApiDocument {
  readonly #api: OpenAPIBackend;

  private constructor(api: OpenAPIBackend) {
    this.#api = api;
  }

  /** @param name of a file in `docs/openapi`. @throws where it cannot be read. */
  static async open(name: string): Promise<ApiDocument> {
    const definition = fileURLToPath(new URL(`../../docs/openapi/${name}.yaml`, import.meta.url));
    // `quick` leaves out a check of the whole document that knows OpenAPI 3.0 only, whatever
    // version the document names.
    const api = new OpenAPIBackend({
      definition,
      strict: true,
      quick: true,
      customizeAjv: (_, options) => validatorOf(options) as ReturnType<AjvCustomizer>,
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

  /** @throws where a value is not what a schema of the document says. */
  holdValue(schema: string, value: unknown): void {
    assert.ok(ajv.validate(this.schemas[schema]!, value), `${schema}: ${ajv.errorsText()}`);
  }

  /**
   * Sends a request.
   * @throws where the document does not allow the answer: its status, its headers or its body.
   */
  async hold(
    request: Request,
    send: (request: Request) => Response | Promise<Response>,
  ): Promise<Held> {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const sent = await request.clone().text();
    const asked = {
      method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(sent && { body: JSON.parse(sent) as object }),
    };
    const operation = this.#api.matchOperation(asked);
    assert.ok(operation?.operationId, `${method} ${pathname} is no operation of the document`);
    const { responses = {} } = operation;
    const response = await send(request);
    const { status, headers } = response;
    const at = `${method} ${pathname}${search} → ${status}`;
    const as = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) =>
      Object.hasOwn(responses, key),
    );
    assert.ok(as, `${at}: the document has no such status`);
    assert.match(headers.get('Content-Type') ?? '', /^application\/json(;|$)/, at);
    const body: unknown = await response.clone().json();
    assert.deepEqual(
      messages(this.#api.validator.validateResponse(body, operation, status)),
      [],
      `${at}: body`,
    );
    assert.deepEqual(
      messages(
        this.#api.validator.validateResponseHeaders(Object.fromEntries(headers), operation, {
          statusCode: status,
          setMatchType: SetMatchType.Superset,
        }),
      ),
      [],
      `${at}: headers`,
    );
    for (const [name, { content }] of Object.entries((responses[as] as Documented).headers ?? {})) {
      if (content)
        assert.ok(
          ajv.validate(content['application/json'].schema, JSON.parse(headers.get(name) ?? 'null')),
          `${at}: ${name}: ${ajv.errorsText()}`,
        );
    }
    return {
      operation: operation.operationId,
      as,
      response,
      body,
      refused: messages(this.#api.validateRequest(asked, operation)),
    };
  }
}

function messages({
  errors,
}: {
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}): string[] {
  return (errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
