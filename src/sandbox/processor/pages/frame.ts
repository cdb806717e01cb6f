import { Hono } from 'hono';
import { html } from 'hono/html';
import { frameStyles } from '../../card-frame/styles.ts';
import { isObject, type JsonObject } from '../../lib/request-parsing.ts';
import { bankFields, cardFields, EMPTY, wayFields } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import type { Source } from '../records.ts';
import { bankSource, cardSource } from '../test-numbers.ts';

export interface FrameOptions {
  readonly ledger: Ledger;
  readonly publicKey: string;
  readonly frameScript: () => Promise<string>;
}

const framePage = html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card details</title>
<link rel="stylesheet" href="card-frame.css"><script type="module" src="card-frame.js"></script>
<form novalidate>
  ${wayFields(EMPTY, true)}
  ${cardFields(EMPTY)}
  ${bankFields(EMPTY, true)}
  <button hidden></button>
</form></html>`;

const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The card frame, and the call with which it turns a card or a bank account into a token. */
export function frame({ ledger, publicKey, frameScript }: FrameOptions): Hono {
  const app = new Hono();
  app.get('/card-frame', (c) =>
    c.html(framePage, 200, { 'Content-Security-Policy': framePolicy, 'Cache-Control': 'no-cache' }),
  );
  app.get('/card-frame.css', (c) =>
    c.body(frameStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  app.get('/card-frame.js', async (c) =>
    c.body(await frameScript(), 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );

  app.post('/tokens', async (c) => {
    const sent: unknown = await c.req.json().catch(() => undefined);
    const body = isObject(sent) ? sent : {};
    if (body.publicKey !== publicKey) return c.json({ message: 'Unknown public key.' }, 401);
    const source = readSource(body);
    if (!source) return c.json({ message: 'This is neither a card number nor an account.' }, 400);
    const token = newId('tok');
    ledger.keepToken(token, source);
    return c.json({ token });
  });

  return app;
}

function readSource({ number, account, routing }: JsonObject): Source | undefined {
  if (typeof number === 'string' && /^\d{12,19}$/.test(number)) return cardSource(number);
  return typeof account === 'string' &&
    typeof routing === 'string' &&
    /^\d{8,17}$/.test(account) &&
    /^(\d{6}|\d{9})$/.test(routing)
    ? bankSource(account)
    : undefined;
}
