/**
 * OpenAPI documents of the server's own APIs, made from the routes, the schemas that check requests,
 * and the schemas with which the tests check responses.
 */
import { z } from 'zod';
import { donationRequest } from '../src/core/schemas/donation-request.ts';
import { type ProblemCode, PROBLEMS } from '../src/core/schemas/problem.ts';
import { settingsReport } from '../src/core/schemas/settings-report.ts';
import {
  ACTION_ROUTES,
  type ActionName,
  type ActionRoute,
} from '../src/server/admin/actions/action-routes.ts';
import { STAFF_ACTIONS } from '../src/server/admin/actions/staff-actions.ts';
import { mailEventSchema } from '../src/server/http/routes/mail-events.ts';
import { PERMISSION_DESCRIPTIONS } from '../src/server/staff/roles.ts';
import { ACTION_OUTPUT_SCHEMAS } from '../test/action-output-schemas.ts';
import {
  addressFormat,
  countryList,
  formDefinition,
  goalProgress,
  outcome,
  problemDetails,
} from '../test/response-schemas.ts';

type Json = Readonly<Record<string, unknown>>;
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

const createReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** @param io `input` for what a client sends, `output` for what the server sends. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Limits of JavaScript, which say nothing about the API.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete json.$schema;
  return json;
}

const createContent = (schema: Json, mediaType = 'application/json'): Json => ({
  content: { [mediaType]: { schema } },
});

const createParameter = (
  place: 'path' | 'query' | 'header',
  name: string,
  description: string,
  {
    schema = { type: 'string' },
    required = place === 'path',
  }: { schema?: Json; required?: boolean } = {},
): Json => ({ name, in: place, required, description, schema });

// The public API

const FORM_ID = createParameter('query', 'id', 'ID of the form. Default: the first form');
const LANGUAGE = createParameter('query', 'language', 'BCP 47 tag. Default: English');
const IDEMPOTENCY_KEY = createParameter(
  'header',
  'Idempotency-Key',
  '22 to 64 letters, digits, hyphens, and underscores, new for each donation',
  { schema: { type: 'string', minLength: 1 }, required: true },
);
const ORIGIN = createParameter('header', 'Origin', 'Origin of the page with the form');
const SOLUTION = createParameter(
  'header',
  'Challenge-Solution',
  'Challenge and its solution, as Base64-encoded JSON',
);
const CODE = createParameter('path', 'code', 'ISO 3166-1 alpha-2 code, in uppercase');
const ORGANIZATION = createParameter('path', 'organization', 'ID of the organization');

/** Problems of requests with a body. */
const BODY_PROBLEMS = [
  'payload-too-large',
  'content-type-unsupported',
  'malformed-json',
  'invalid-payload',
  'unknown-field',
  'invalid-field',
] as const satisfies readonly ProblemCode[];
const KEY_PROBLEMS = [
  'idempotency-key-missing',
  'idempotency-key-invalid',
  'donation-not-found',
] as const satisfies readonly ProblemCode[];
const RULE_PROBLEMS = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
  (code) => PROBLEMS[code] === 422,
);

interface PublicOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Json[];
  readonly body?: Json;
  readonly security?: readonly Json[];
  /** Responses other than problems, by status. */
  readonly responses: Readonly<Record<number, Json>>;
  readonly problems: readonly ProblemCode[];
}

const JSON_BODY = (schema: Json): Json => ({ required: true, ...createContent(schema) });
const NO_CONTENT = { 204: { description: 'Done.' } };
const OUTCOME_RESPONSES = Object.fromEntries(
  Object.entries({
    200: 'The donation succeeded.',
    202: 'The donation is unfinished.',
    402: 'The donation failed.',
  }).map(([status, description]) => [
    status,
    { description, ...createContent(createReference('DonationOutcome')) },
  ]),
);

function createJsonResponse(description: string, schema: Json): Readonly<Record<number, Json>> {
  return { 200: { description, ...createContent(schema) } };
}

const createContinuation = (operationId: string, summary: string): PublicOperation => ({
  operationId,
  summary,
  parameters: [IDEMPOTENCY_KEY, ORIGIN],
  responses: OUTCOME_RESPONSES,
  problems: [...KEY_PROBLEMS, 'origin-not-allowed', 'payload-too-large', 'too-many-requests'],
});

/** Operations by path and method. */
const PUBLIC_OPERATIONS: Readonly<Record<string, Readonly<Record<string, PublicOperation>>>> = {
  '/healthz': {
    get: {
      operationId: 'getHealth',
      summary: 'Check that the server runs',
      responses: {
        200: {
          description: 'The server runs.',
          ...createContent({ const: 'ok' }, 'text/plain'),
        },
      },
      problems: [],
    },
  },
  '/embed.json': {
    get: {
      operationId: 'getEmbedValues',
      summary: 'Get the values for pinning the script',
      responses: createJsonResponse('Name of the script, and its integrity value.', {
        type: 'object',
        properties: { script: { type: 'string' }, integrity: { type: 'string' } },
        required: ['script', 'integrity'],
      }),
      problems: ['not-found'],
    },
  },
  '/form': {
    get: {
      operationId: 'getForm',
      summary: 'Get the definition of a form',
      parameters: [FORM_ID, LANGUAGE, ORIGIN],
      responses: createJsonResponse(
        'The definition in one language. The `ETag` header identifies it.',
        createReference('FormDefinition'),
      ),
      problems: ['origin-not-allowed', 'form-not-found', 'paused'],
    },
  },
  '/goal': {
    get: {
      operationId: 'getGoal',
      summary: 'Get the progress of a goal',
      parameters: [
        createParameter('query', 'id', 'ID of the goal. Default: the first goal'),
        LANGUAGE,
        ORIGIN,
      ],
      responses: createJsonResponse('The progress.', createReference('GoalProgress')),
      problems: ['origin-not-allowed', 'not-found'],
    },
  },
  '/countries': {
    get: {
      operationId: 'listCountries',
      summary: 'List countries',
      responses: createJsonResponse('ISO 3166-1 codes.', createReference('CountryList')),
      problems: [],
    },
  },
  '/countries/{code}': {
    get: {
      operationId: 'getAddressFormat',
      summary: 'Get the address format of a country',
      parameters: [CODE],
      responses: createJsonResponse('The format.', createReference('AddressFormat')),
      problems: ['not-found'],
    },
  },
  '/challenge': {
    get: {
      operationId: 'getChallenge',
      summary: 'Get a proof-of-work challenge',
      parameters: [
        createParameter('query', 'form', 'ID of the form. Default: the first form'),
        createParameter('query', 'required', 'Present if the server has asked for a solution'),
      ],
      responses: {
        ...createJsonResponse('A challenge of the ALTCHA library.', {
          type: 'object',
          properties: { parameters: { type: 'object' }, signature: { type: 'string' } },
          required: ['parameters', 'signature'],
        }),
        204: { description: 'No solution is required.' },
      },
      problems: ['form-not-found', 'too-many-requests'],
    },
  },
  '/donations': {
    post: {
      operationId: 'createDonation',
      summary: 'Create a donation',
      description:
        'Repeating the request with the same key and content returns the outcome without ' +
        'charging again.',
      parameters: [IDEMPOTENCY_KEY, { ...ORIGIN, required: true }, SOLUTION],
      body: JSON_BODY(createReference('DonationRequest')),
      responses: OUTCOME_RESPONSES,
      problems: [
        ...BODY_PROBLEMS,
        ...RULE_PROBLEMS,
        'idempotency-key-missing',
        'idempotency-key-invalid',
        'origin-not-allowed',
        'challenge-required',
        'form-not-found',
        'form-outdated',
        'too-many-requests',
        'paused',
      ],
    },
    get: {
      operationId: 'getDonation',
      summary: 'Get the outcome of a donation',
      parameters: [IDEMPOTENCY_KEY],
      responses: OUTCOME_RESPONSES,
      problems: KEY_PROBLEMS,
    },
  },
  '/donations/confirm': {
    post: createContinuation('confirmDonation', 'Continue a payment that requires an action'),
  },
  '/donations/cancel': {
    post: createContinuation('cancelDonation', 'Cancel a payment that requires an action'),
  },
  '/settings-report': {
    post: {
      operationId: 'reportSettings',
      summary: 'Count settings that a form ignored',
      parameters: [ORIGIN],
      body: JSON_BODY(createReference('SettingsReport')),
      responses: NO_CONTENT,
      problems: [...BODY_PROBLEMS, 'origin-not-allowed', 'form-not-found', 'too-many-requests'],
    },
  },
  '/mail-events/{organization}': {
    post: {
      operationId: 'receiveMailEvent',
      summary: 'Receive a report of bounced mail',
      parameters: [ORGANIZATION],
      body: JSON_BODY(createReference('MailEvent')),
      security: [{ mailEventSecret: [] }],
      responses: NO_CONTENT,
      problems: [...BODY_PROBLEMS, 'unauthorized', 'not-found'],
    },
  },
  '/webhooks/{provider}/{organization}': {
    post: {
      operationId: 'receivePaymentWebhook',
      summary: "Receive a payment provider's webhook",
      description: 'The payment provider defines the body and its signature.',
      parameters: [createParameter('path', 'provider', 'Name of the provider'), ORGANIZATION],
      body: { required: true, ...createContent({}, '*/*') },
      responses: NO_CONTENT,
      problems: ['invalid-signature', 'invalid-payload', 'not-found', 'payload-too-large'],
    },
  },
  '/platform-webhooks/{organization}/{secret}': {
    post: {
      operationId: 'receivePlatformWebhook',
      summary: "Receive a platform's webhook",
      description: 'The platform defines the body, in JSON or XML.',
      parameters: [
        ORGANIZATION,
        createParameter('path', 'secret', 'Secret in the configuration of the organization'),
      ],
      body: { required: true, ...createContent({}, '*/*') },
      responses: NO_CONTENT,
      problems: ['invalid-payload', 'not-found', 'payload-too-large', 'content-type-unsupported'],
    },
  },
};

/** Problems of every operation. */
const COMMON_PROBLEMS = ['internal-error', 'unavailable'] as const satisfies readonly ProblemCode[];

function createProblemResponses(codes: readonly ProblemCode[]): Readonly<Record<string, Json>> {
  const byStatus = Map.groupBy(new Set([...codes, ...COMMON_PROBLEMS]), (code) => PROBLEMS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      status,
      {
        description: `Problem: ${sameStatus.map((code) => `\`${code}\``).join(', ')}.`,
        ...createContent(
          {
            allOf: [createReference('ProblemDetails')],
            type: 'object',
            properties: { code: { enum: sameStatus } },
          },
          'application/problem+json',
        ),
      },
    ]),
  );
}

export function createPublicDocument(): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(PUBLIC_OPERATIONS).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => {
          const { body, responses, problems, ...rest } = operation;
          return [
            method,
            {
              ...rest,
              ...(body && { requestBody: body }),
              responses: { ...responses, ...createProblemResponses(problems) },
            },
          ];
        }),
      ),
    ]),
  );
  return {
    ...createHeader(
      'Donation server',
      'Endpoints of the public listener for forms and services. Pages and scripts are in ' +
        '`http.md`. The endpoints for forms can change in any release.',
      'https://give.example.org',
    ),
    security: [],
    paths,
    components: {
      securitySchemes: {
        mailEventSecret: {
          type: 'http',
          scheme: 'bearer',
          description: '`mail.eventSecret` in the configuration.',
        },
      },
      schemas: {
        DonationRequest: toJsonSchema(donationRequest, 'input'),
        SettingsReport: toJsonSchema(settingsReport, 'input'),
        MailEvent: toJsonSchema(mailEventSchema, 'input'),
        FormDefinition: toJsonSchema(formDefinition, 'output'),
        GoalProgress: toJsonSchema(goalProgress, 'output'),
        CountryList: toJsonSchema(countryList, 'output'),
        AddressFormat: toJsonSchema(addressFormat, 'output'),
        DonationOutcome: toJsonSchema(outcome, 'output'),
        ProblemDetails: toJsonSchema(problemDetails, 'output'),
      },
    },
  } as OpenApiDocument;
}

// The admin API

/** Actions whose response is a stream of lines. */
const STREAMED_ACTIONS: ReadonlySet<ActionName> = new Set([
  'donations.export',
  'receipts.export',
  'reconcile',
]);

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The input is invalid, or the action is not possible.',
  401: 'The key or token is missing or wrong.',
  403: 'The token does not have the permission.',
  404: 'Nothing that the token may read has this reference, ID, or email.',
  409: 'The action is not possible in the current state.',
  429: 'There were too many attempts. The `Retry-After` header says how long to wait.',
  500: 'An unexpected error occurred.',
  503: 'The database is not responding.',
};

const ERROR_RESPONSES = Object.fromEntries(
  Object.keys(ERRORS).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
);

/** Converts `donations.list` to `donationsList`, and `gift-aid.claim` to `giftAidClaim`. */
const toOperationId = (name: string): string =>
  name.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());

function createActionOperation(name: ActionName, { method, path, permission }: ActionRoute): Json {
  const pathFields = Array.from(path.matchAll(/:(\w+)/g), ([, field]) => field!);
  const input = toJsonSchema(STAFF_ACTIONS[name].schema, 'input');
  const properties = Object.entries((input.properties ?? {}) as Readonly<Record<string, Json>>);
  const required = (input.required ?? []) as readonly string[];
  const others = properties.filter(([field]) => !pathFields.includes(field));
  const requiredOthers = required.filter((field) => !pathFields.includes(field));
  const parameters = [
    ...pathFields.map((field) => createParameter('path', field, 'Of the record or organization')),
    ...(method === 'GET'
      ? others.map(([field, schema]) => ({
          name: field,
          in: 'query',
          required: required.includes(field),
          schema,
        }))
      : []),
  ];
  const body = { ...input, properties: Object.fromEntries(others), required: requiredOthers };
  const output = ACTION_OUTPUT_SCHEMAS[name];
  const schema = output ? toJsonSchema(output, 'output') : { type: 'object' };
  const isStreamed = STREAMED_ACTIONS.has(name);
  return {
    operationId: toOperationId(name),
    summary: name,
    description: `Requires \`${permission}\`: ${PERMISSION_DESCRIPTIONS[permission]}.`,
    security: [{ bearer: [permission] }],
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' &&
      others.length > 0 && {
        requestBody: { required: requiredOthers.length > 0, ...createContent(body) },
      }),
    responses: {
      200: isStreamed
        ? {
            description:
              'One JSON object per line. The last line has the kind `end`, or `aborted` after an error.',
            ...createContent(
              {
                anyOf: [
                  schema,
                  {
                    type: 'object',
                    properties: { kind: { const: 'aborted' } },
                    required: ['kind'],
                    additionalProperties: false,
                  },
                ],
              },
              'application/x-ndjson',
            ),
          }
        : { description: 'Done.', ...createContent(schema) },
      ...ERROR_RESPONSES,
    },
  };
}

export function createAdminDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {
    '/readyz': {
      get: {
        operationId: 'getReadiness',
        summary: 'Check whether the server can accept donations',
        description: 'Requires a token only if the URL has a public host name.',
        security: [{}, { bearer: ['server:monitor'] }],
        responses: {
          ...ERROR_RESPONSES,
          200: { description: 'The server is ready.', ...createContent(READINESS) },
          503: { description: 'The server is not ready.', ...createContent(READINESS) },
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'getMetrics',
        summary: 'Get metrics for Prometheus',
        description: 'Requires a token only if the URL has a public host name.',
        security: [{}, { bearer: ['server:monitor'] }],
        responses: {
          200: {
            description: 'Metrics.',
            ...createContent({ type: 'string' }, 'text/plain'),
          },
          ...ERROR_RESPONSES,
        },
      },
    },
  };
  for (const [name, route] of Object.entries<ActionRoute>(ACTION_ROUTES)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: createActionOperation(name as ActionName, route),
    };
  }
  return {
    ...createHeader(
      'Donation server: admin API',
      'Actions of the staff on the admin listener, which must not be reachable from the internet.',
      'http://127.0.0.1:4103',
    ),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, with the permissions that the operations name.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          `Error${status}`,
          { description, ...createContent(createReference('Error')) },
        ]),
      ),
      schemas: {
        Error: {
          type: 'object',
          properties: { message: { type: 'string', description: 'Error message for people.' } },
          required: ['message'],
          additionalProperties: false,
        },
      },
    },
  } as OpenApiDocument;
}

const READINESS: Json = {
  type: 'object',
  properties: { ready: { type: 'boolean' }, checks: { type: 'object' } },
  required: ['ready', 'checks'],
};

function createHeader(title: string, description: string, url: string): Json {
  return { openapi: '3.1.1', info: { title, version: '1', description }, servers: [{ url }] };
}
