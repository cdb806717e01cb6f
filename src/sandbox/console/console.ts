import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { moveClock } from '../control/control-api.ts';
import { readFault, readKind } from '../lib/faults.ts';
import { pageStyles } from './styles.ts';
import { changePayment } from './payments.ts';
import type { PageOptions } from './options.ts';
import { renderPage } from './view.ts';
import {
  isFromOwnPage,
  isLocal,
  readDigits,
  refusal,
  type JsonObject,
} from '../lib/request-parsing.ts';

type Fields = Readonly<Record<string, string>>;

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * A page for a person on this machine: what the sandbox holds and does, and what can be changed.
 * Nothing of it needs a script.
 */
export function page(options: PageOptions): Hono {
  const { store, webhooks, faults, clock, till } = options;
  const app = new Hono();
  const show = async (problem?: string): Promise<Response> =>
    new Response(String(await renderPage(options, problem)), {
      status: problem === undefined ? 200 : 400,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'X-Sandbox-Own': 'not in the specification',
      },
    });

  app.get('/', async (c) =>
    isLocal(c.req.raw)
      ? show()
      : c.json({ message: 'A sandbox. Its page is for its own machine only.' }, 403),
  );
  app.get('/sandbox.css', (c) =>
    c.body(pageStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  app.get('/favicon.ico', (c) => c.body(null, 204));

  /**
   * Does what a form asks for, and leads back to its part of the page; a refusal is shown on the
   * page.
   */
  const form = (part: string, change: (fields: Fields) => void): void => {
    app.post(`/page/${part}`, async (c) => {
      if (!isLocal(c.req.raw) || !isFromOwnPage(c.req.raw))
        return c.json({ message: "This form was not sent by the sandbox's own page." }, 403);
      try {
        change(filled(await c.req.parseBody()));
      } catch (error) {
        if (error instanceof HTTPException) return show(error.message);
        throw error;
      }
      return c.redirect(`/#${part}`, 303);
    });
  };

  form('faults', ({ off, ...fields }) => {
    if (off === undefined) faults.switchOn(readFault(fields));
    else faults.switchOff(readKind(off));
  });

  form('clock', ({ advanceSeconds }) => {
    if (advanceSeconds === undefined) clock.reset();
    else moveClock(clock, { advanceSeconds: readDigits('advanceSeconds', advanceSeconds) });
  });

  form('payments', (fields) => changePayment(till, fields));

  form('webhooks', ({ id, status, url, format }) => {
    if (id === undefined)
      return void store.addWebhook(webhooks.read({ url, format: Number(format) }));
    const number = readDigits('id', id);
    const webhook = store.webhooks().find((one) => one.id === number);
    if (!webhook) throw refusal(`There is no webhook ${number}.`);
    if (status === undefined) store.removeWebhook(number);
    else store.changeWebhook({ ...webhooks.read({ status: Number(status) }, webhook), id: number });
  });

  return app;
}

/** The fields of a form that were filled. */
function filled(fields: JsonObject): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
    ),
  );
}
