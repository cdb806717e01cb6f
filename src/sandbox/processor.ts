import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { frameStyles } from './card-frame/styles.ts';
import { goWrong, type Faults } from './faults.ts';
import type { Card, Charge } from './records.ts';
import type { SandboxStore } from './store.ts';

export interface ProcessorOptions {
  readonly store: SandboxStore;
  readonly faults: Faults;
  readonly publicKey: string;
  readonly secretKey: string;
  /** The built script of the card frame. */
  readonly frameScript: () => Promise<string>;
}

/** The test cards, and what a charge of each does; lose-reply breaks the answer off after the work was done. Every other valid number is declined. */
export const TEST_CARDS: Readonly<Record<string, Card['behaviour']>> = {
  '4242424242424242': 'succeed',
  '4000000000000002': 'decline',
  '4000000000009995': 'insufficient-funds',
  '4000000000000119': 'lose-reply',
};

const framePage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card details</title>
<link rel="stylesheet" href="card-frame.css"><script type="module" src="card-frame.js"></script>
<form novalidate>
  <div class="wide"><label for="number">Card number</label><input id="number" name="number" inputmode="numeric" autocomplete="cc-number" aria-describedby="number-error" maxlength="23"><p id="number-error" hidden></p></div>
  <div><label for="expiry">Expires <span>MM / YY</span></label><input id="expiry" name="expiry" inputmode="numeric" autocomplete="cc-exp" aria-describedby="expiry-error" maxlength="9"><p id="expiry-error" hidden></p></div>
  <div><label for="cvc">Security code</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" aria-describedby="cvc-error" maxlength="4"><p id="cvc-error" hidden></p></div>
  <button hidden></button>
</form></html>`;

const framePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** A card processor: a frame that turns a card into a token that works once, and charges under an idempotency key. */
export function processor({ store, faults, publicKey, secretKey, frameScript }: ProcessorOptions): Hono {
  const app = new Hono();

  app.get('/card-frame', (c) => c.html(framePage, 200, { 'Content-Security-Policy': framePolicy, 'Cache-Control': 'no-cache' }));
  app.get('/card-frame.css', (c) => c.body(frameStyles, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }));
  app.get('/card-frame.js', async (c) => c.body(await frameScript(), 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }));

  const faulty = goWrong(faults, 'processor', (c) => c.json({ message: 'Too many requests.' }, 429, { 'Retry-After': '5' }));
  app.use('/tokens', faulty);

  app.post('/tokens', async (c) => {
    const body = readObject(await c.req.text());
    if (body.publicKey !== publicKey) return c.json({ message: 'Unknown public key.' }, 401);
    const number = typeof body.number === 'string' ? body.number : '';
    if (!/^\d{12,19}$/.test(number)) return c.json({ message: 'This is no card number.' }, 400);
    const card: Card = { token: `tok_${randomUUID()}`, lastFour: number.slice(-4), behaviour: TEST_CARDS[number] ?? 'decline' };
    store.addCard(card);
    return c.json({ token: card.token });
  });

  app.use('/charges', async (c, next) => {
    if (c.req.header('Authorization') !== `Bearer ${secretKey}`) return c.json({ message: 'Unknown secret key.' }, 401);
    return next();
  }, faulty);

  app.get('/charges', (c) => c.json({ charges: store.charges(c.req.query('reference') ?? '') }));

  app.post('/charges', async (c) => {
    const key = c.req.header('Idempotency-Key');
    if (!key) return c.json({ message: 'An Idempotency-Key is required.' }, 400);
    const request = await c.req.text();
    const before = store.chargeOf(key);
    if (before && before.request !== request) return c.json({ message: 'This Idempotency-Key was used with another request.' }, 409);
    if (before) return c.json(before.charge);
    const { amount, currency, frequency, token, reference } = readObject(request);
    if (typeof amount !== 'number' || typeof currency !== 'string' || typeof frequency !== 'string' || typeof token !== 'string' || typeof reference !== 'string') {
      return c.json({ message: 'amount must be a number; currency, frequency, token and reference must be strings.' }, 400);
    }
    const card = store.takeCard(token);
    if (!card) return c.json({ message: 'This token is unknown or was used already.' }, 400);
    const behaviour = faults.take('decline') ? 'decline' : card.behaviour;
    const declined = behaviour === 'decline' || behaviour === 'insufficient-funds';
    const charge: Charge = {
      id: `ch_${randomUUID().replaceAll('-', '')}`, reference, amount, currency, frequency, lastFour: card.lastFour,
      state: declined ? 'declined' : 'succeeded',
      declineCode: declined ? behaviour : null,
    };
    store.addCharge(key, request, charge);
    const reply = JSON.stringify(charge);
    return c.body(behaviour === 'lose-reply' ? reply.slice(0, 10) : reply, 200, { 'Content-Type': 'application/json' });
  });

  app.all('*', (c) => c.json({ message: `${c.req.method} ${c.req.path} is not a call of this processor.` }, 404));
  return app;
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
