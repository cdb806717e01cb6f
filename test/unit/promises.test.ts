import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { en } from '../../src/core/i18n/en.ts';
import { MAIL_TEXTS } from '../../src/server/mail/mail-texts.ts';
import { RECEIPT_TEXTS } from '../../src/server/receipts/receipt-texts.ts';
import { STATEMENT_TEXTS } from '../../src/server/receipts/statement-texts.ts';

/** A file, and a name or a test's title in it. */
type Place = readonly [file: string, text: string];

interface KeptPromise {
  /** Keys of texts; a key of a group stands for all its texts. */
  readonly texts: readonly string[];
  readonly code: Place;
  readonly test: Place;
}

const PROMISES: readonly KeptPromise[] = [
  {
    texts: ['form.coverFeesHint'],
    code: ['src/core/money/fee-cover.ts', 'function calculateFeeCover'],
    test: ['test/unit/money.test.ts', 'the fee cover is never a minor unit short or too high'],
  },
  {
    texts: ['form.recipientNote'],
    code: ['src/server/donations/donation-rules.ts', 'assertNoCardNumber'],
    test: [
      'test/server/donations/donations.test.ts',
      'keeps keys, tokens, card numbers, and donor data out of logs and unrelated rows',
    ],
  },
  {
    texts: [
      'submission.notices.network-error',
      'submission.notices.offline',
      'submission.notices.too-many-requests',
    ],
    code: ['src/donation-form/submission/idempotency-key.ts', 'class IdempotencyKeyStore'],
    test: [
      'test/server/cli/command.long.test.ts',
      'charges and records each of 60 donations once if the server restarts twice',
    ],
  },
  {
    texts: ['submission.hostedPayment', 'submission.hostedPaymentAt'],
    code: ['src/donation-form/submission/required-action.ts', '#redirectTo('],
    test: [
      'test/e2e/payments.spec.ts',
      'after leaving hosted checkout, the donor can continue or cancel',
    ],
  },
  {
    texts: ['submission.schedules'],
    code: ['src/donation-form/thank-you/thank-you.ts', 'manageGift'],
    test: [
      'test/server/payments/incidents.test.ts',
      'links recurring donors to the customer portal, which it looks up once and creates if there is none',
    ],
  },
  {
    texts: ['submission.unconfirmedDescription'],
    code: ['src/donation-form/submission/donation-client.ts', 'pollOutcome('],
    test: [
      'test/element/interruptions.test.ts',
      'asks not to donate again while the outcome is unknown, and then shows it',
    ],
  },
  {
    texts: ['submission.receipts.us'],
    code: ['src/server/mail/receipt-mail.ts', 'composeReceipt'],
    test: [
      'test/server/receipts/receipt-mail.database.test.ts',
      'attaches the receipt of a donation and of a renewal to the thank-you message',
    ],
  },
  {
    texts: ['optionalFields.tributeMailHint'],
    code: ['src/server/mail/tribute.ts', 'composeTribute'],
    test: ['test/server/mail/tribute.database.test.ts', 'tells the person whom the donor named'],
  },
  {
    texts: ['submission.receipts.platform'],
    code: ['src/core/schemas/configuration.ts', 'party that sends the receipt to the donor'],
    test: ['test/element/thank-you.test.ts', 'shows who sends the receipt'],
  },
  {
    texts: ['submission.receipts.processor'],
    code: ['src/server/payments/stripe/metadata.ts', 'receipt_email: donor.email'],
    test: [
      'test/server/payments/stripe.test.ts',
      "requests Stripe's receipt only if the processor sends receipts",
    ],
  },
  {
    texts: ['submission.processingDescription'],
    code: ['src/server/donations/record-payment-events.ts', 'function recordPaymentEvents('],
    test: [
      'test/server/donations/donation-repository.database.test.ts',
      'settles or fails a processing donation later, and notifies the platform',
    ],
  },
  {
    texts: ['optionalFields.anonymousHint'],
    code: ['src/server/platform/virtuous-gift-transaction.ts', 'gift.anonymous'],
    test: ['test/server/platform/virtuous-crm.test.ts', 'isPrivate: true'],
  },
  {
    texts: ['optionalFields.offlineRecipientNote'],
    code: ['src/donation-form/thank-you/instructions.ts', 'parseInstructions('],
    test: [
      'test/element/payment.engines.test.ts',
      'shows the instructions of an offline method before and after submitting it without a token',
    ],
  },
];

const PROMISE_WORDS = /\b(we'll|you'll|will|won't|never|receives|anytime|by itself|safe)\b.*[^?]$/i;

/** Texts of the form, the page without JavaScript, and mail. */
const TEXTS = {
  ...en,
  mail: MAIL_TEXTS.en,
  receipts: RECEIPT_TEXTS.en,
  statements: STATEMENT_TEXTS.en,
};

/** Lists the texts, with their keys. */
function flatten(texts: object, prefix = ''): (readonly [key: string, text: string])[] {
  return Object.entries(texts).flatMap(([key, value]: [string, object | string]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as const]
      : flatten(value, `${prefix}${key}.`),
  );
}

test('every promise to donors has code that keeps it, and a test', () => {
  const promises = flatten(TEXTS)
    .filter(([, text]) => PROMISE_WORDS.test(text))
    .map(([key]) => key);
  const listed = PROMISES.flatMap(({ texts }) => texts);
  const isListed = (key: string): boolean =>
    listed.some((one) => key === one || key.startsWith(`${one}.`));
  assert.deepEqual(
    promises.filter((key) => !isListed(key)),
    [],
  );
  for (const one of listed)
    assert.ok(
      promises.some((key) => `${key}.`.startsWith(`${one}.`)),
      one,
    );
  for (const { code, test: proof } of PROMISES)
    for (const [file, text] of [code, proof])
      assert.ok(readFileSync(file, 'utf8').includes(text), `${file}: ${text}`);
});

test('only texts that need the configuration of mail promise that we send an email', () => {
  const promises = flatten(TEXTS).filter(([, text]) =>
    /\{organization\} will (send|email)|\bwe'll (send|email)/i.test(text),
  );
  assert.deepEqual(
    promises.map(([key]) => key),
    ['submission.receipts.us', 'submission.receipts.platform', 'optionalFields.tributeMailHint'],
  );
  assert.match(
    readFileSync('docs/server/mondays.md', 'utf8'),
    /\*\*Notify the people in dedications\*\*.*`tribute_message`.*`tribute_notify`/,
  );
});
