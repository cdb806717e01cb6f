import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { moveClock } from '../control/control-api.ts';
import { parseFaultFields, parseFaultKind } from '../lib/faults.ts';
import {
  createRequestError,
  isLocalRequest,
  isSameOriginRequest,
  type JsonObject,
  parseNonNegativeInteger,
} from '../lib/request-parsing.ts';
import type { ConsoleOptions } from './options.ts';
import { applyPaymentAction } from './payments.ts';
import { consoleStyles } from './styles.ts';
import { renderConsole } from './view.ts';

type Fields = Readonly<Record<string, string>>;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Creates the console, a page on which developers inspect and modify the sandbox's state. The page
 * accepts requests only from the machine that runs the sandbox, and uses no scripts.
 */
export function createConsole(options: ConsoleOptions): Hono {
  const { store, webhooks, faults, clock, stripe } = options;
  const app = new Hono();
  const respondWithConsole = async (problem?: string, awaitedEmail?: string): Promise<Response> =>
    new Response(String(await renderConsole(options, { problem, awaitedEmail })), {
      status: problem === undefined ? 200 : 400,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'X-Sandbox-Extension': 'not in the specification',
      },
    });

  app.get('/', async (c) =>
    isLocalRequest(c.req.raw)
      ? respondWithConsole(undefined, c.req.query('email'))
      : c.json(
          {
            message:
              'The sandbox console accepts requests only from the machine that runs the sandbox.',
          },
          403,
        ),
  );
  app.get('/sandbox.css', (c) =>
    c.body(consoleStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  app.get('/favicon.ico', (c) => c.body(null, 204));

  // Without an origin, and without scripts, because anybody's mail may be shown here.
  app.get('/emails/:id/:attachment?', (c) => {
    if (!isLocalRequest(c.req.raw))
      return c.text('Open this page on the sandbox\u2019s machine.', 403);
    const { id, attachment } = c.req.param();
    const content = options.mailbox.findContent(Number(id), attachment);
    if (!content) return c.text('The sandbox keeps only the last 50 emails.', 404);
    const isDocument = content.mediaType === 'text/html';
    return c.body(content.bytes, 200, {
      'Content-Type': isDocument ? 'text/html; charset=utf-8' : content.mediaType,
      // Browsers show no PDF in a sandbox.
      ...(!isDocument && { 'Content-Disposition': 'attachment' }),
      'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  /**
   * Adds a route that applies a submitted form and redirects to the form's section of the console.
   * If a value is invalid, responds with the console and an error message.
   */
  const handleForm = (section: string, applyChange: (fields: Fields) => void): void => {
    app.post(`/page/${section}`, async (c) => {
      if (!isLocalRequest(c.req.raw) || !isSameOriginRequest(c.req.raw))
        return c.json(
          {
            message:
              'This form was not submitted from the sandbox console. ' +
              'Open the console on the machine that runs the sandbox, and submit the form there.',
          },
          403,
        );
      try {
        applyChange(getNonEmptyFields(await c.req.parseBody()));
      } catch (error) {
        if (error instanceof HTTPException) return respondWithConsole(error.message);
        throw error;
      }
      return c.redirect(`/#${section}`, 303);
    });
  };

  handleForm('faults', ({ off, ...fields }) => {
    if (off === undefined) faults.enableFault(parseFaultFields(fields));
    else faults.disableFault(parseFaultKind(off));
  });

  handleForm('clock', ({ advanceSeconds }) => {
    if (advanceSeconds === undefined) clock.resetToSystemTime();
    else
      moveClock(clock, {
        advanceSeconds: parseNonNegativeInteger('advanceSeconds', advanceSeconds),
      });
  });

  handleForm('payments', (fields) => applyPaymentAction(stripe, fields));

  handleForm('webhooks', ({ id, status, url, format }) => {
    if (id === undefined)
      return void store.insertWebhook(webhooks.parseWebhook({ url, format: Number(format) }));
    const webhookId = parseNonNegativeInteger('id', id);
    const webhook = store.listWebhooks().find(({ id: candidateId }) => candidateId === webhookId);
    if (!webhook) throw createRequestError(`Webhook ${webhookId} does not exist.`);
    if (status === undefined) store.deleteWebhook(webhookId);
    else
      store.replaceWebhook({
        ...webhooks.parseWebhook({ status: Number(status) }, webhook),
        id: webhookId,
      });
  });

  return app;
}

/** Returns all form fields with nonempty text. */
function getNonEmptyFields(fields: JsonObject): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
    ),
  );
}
