import { Hono } from 'hono';
import { html } from 'hono/html';
import { frameStyles } from '../../card-frame/styles.ts';
import { isJsonObject, type JsonObject } from '../../lib/request-parsing.ts';
import { renderBankFields, renderCardFields, EMPTY_INPUT, renderMethodChoice } from '../fields.ts';
import { createId } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import type { Source } from '../records.ts';
import { toBankSource, toCardSource } from '../test-numbers.ts';

export interface CardFrameOptions {
  readonly ledger: Ledger;
  readonly publicKey: string;
  readonly readCardFrameScript: () => Promise<string>;
}

const FRAME_PAGE = html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card details</title>
<link rel="stylesheet" href="card-frame.css"><script type="module" src="card-frame.js"></script>
<form novalidate>
  ${renderMethodChoice(EMPTY_INPUT, true)}
  ${renderCardFields(EMPTY_INPUT)}
  ${renderBankFields(EMPTY_INPUT, true)}
  <button hidden></button>
</form></html>`;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Creates the card frame's page and the call that converts a card or bank account to a token. */
export function createCardFrameRoutes({
  ledger,
  publicKey,
  readCardFrameScript,
}: CardFrameOptions): Hono {
  const app = new Hono();
  app.get('/card-frame', (c) =>
    c.html(FRAME_PAGE, 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-cache',
    }),
  );
  app.get('/card-frame.css', (c) =>
    c.body(frameStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  app.get('/card-frame.js', async (c) =>
    c.body(await readCardFrameScript(), 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );

  app.post('/tokens', async (c) => {
    const sent: unknown = await c.req.json().catch(() => undefined);
    const body = isJsonObject(sent) ? sent : {};
    if (body.publicKey !== publicKey) return c.json({ message: 'The public key is unknown.' }, 401);
    const source = parseSource(body);
    if (!source)
      return c.json(
        { message: 'Expected a card number, or an account and a routing number.' },
        400,
      );
    const token = createId('tok');
    ledger.insertToken(token, source);
    return c.json({ token });
  });

  return app;
}

function parseSource({ number, account, routing }: JsonObject): Source | undefined {
  if (typeof number === 'string' && /^\d{12,19}$/.test(number)) return toCardSource(number);
  return typeof account === 'string' &&
    typeof routing === 'string' &&
    /^\d{8,17}$/.test(account) &&
    /^(\d{6}|\d{9})$/.test(routing)
    ? toBankSource(account)
    : undefined;
}
