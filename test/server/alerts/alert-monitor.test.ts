import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Gauge, Registry } from 'prom-client';
import { Webhook } from 'standardwebhooks';
import type { AlertMessage } from '../../../src/server/alerts/alert-message.ts';
import { AlertMonitor } from '../../../src/server/alerts/alert-monitor.ts';
import { createAlertChannels } from '../../../src/server/alerts/create-alert-channels.ts';
import { MetricReader } from '../../../src/server/alerts/metric-reader.ts';
import { sendTestAlert } from '../../../src/server/alerts/send-test-alert.ts';
import { parseConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import { NEVER } from '../../../src/server/database/database-clock.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import { createCertificate } from '../certificate.ts';
import { insertDonation } from '../database/insert-donation.ts';
import { LOOPBACK } from '../loopback.ts';
import { configuration } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { openTestDatabase } from '../test-database.ts';
import { KEYS, LOG } from '../test-environment.ts';
import { startSmtpServer } from './support.ts';

const HOUR = 3_600_000;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const ENVIRONMENT = { SMTP_PASSWORD: 'canary-password', ALERT_SECRET: SECRET };

function configure(alerts: object) {
  const result = parseConfiguration({ ...(configuration.rawJson as object), alerts });
  assert.ok('configuration' in result, 'problems' in result ? result.problems.join('\n') : '');
  return result.configuration;
}

const createEmail = (port: number, host = '127.0.0.1') => ({
  host,
  port,
  user: 'alerts',
  password: { env: 'SMTP_PASSWORD' },
  from: 'server@example.org',
  to: ['it@example.org', 'finance@example.org'],
});

/** A monitor of a database with metrics that the test sets. */
async function startMonitor(alerts: object) {
  let time = Date.UTC(2026, 10, 24, 10);
  const database = await openTestDatabase(undefined, () => time);
  const registry = new Registry();
  const needsReview = new Gauge({
    name: 'donation_form_donations_in_progress',
    help: 'x',
    labelNames: ['organization', 'status'],
    registers: [registry],
  });
  const up = new Gauge({ name: 'donation_form_database_up', help: 'x', registers: [registry] });
  up.set(1);
  const logLines: string[] = [];
  const log = createLogger('info', { write: (line) => logLines.push(line) });
  const createMonitor = (changed = database): AlertMonitor => {
    const monitor = new AlertMonitor({
      database: changed,
      metrics: new MetricReader(registry),
      refreshMetrics: async () => undefined,
      source: () => ({ server: 'give-1', adminUrl: 'http://127.0.0.1:4103' }),
      log,
    });
    monitor.replaceChannels(createAlertChannels(configure(alerts), ENVIRONMENT));
    return monitor;
  };
  return {
    database,
    logLines,
    up,
    createMonitor,
    setNeedsReview: (count: number) =>
      needsReview.set({ organization: 'lanternwell', status: 'needs_review' }, count),
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('emails what happened, since when, and what to do, then that it has ended', async () => {
  await using smtp = await startSmtpServer();
  await using fixture = await startMonitor({ email: createEmail(smtp.port) });
  const { advance, setNeedsReview } = fixture;
  setNeedsReview(3);
  await fixture.createMonitor().check();
  assert.equal(smtp.received.length, 0);
  advance(HOUR / 4);
  await Promise.all([1, 2].map(() => fixture.createMonitor().check()));
  assert.equal(smtp.received.length, 1);
  const message = smtp.received.splice(0)[0]!;
  assert.match(message, /^Subject: 3 donations to lanternwell need review\.$/m);
  assert.match(message, /^To: it@example\.org, finance@example\.org$/m);
  assert.match(
    message,
    new RegExp(
      '\n\n3 donations to lanternwell need review\\.\n\nCause: DonationFormNeedsReview\n' +
        'Since: 2026-11-24 10:00 UTC\nServer: give-1\nWhat to do: Look up each donation .*\n' +
        'Runbook: https://\\S+/docs/server/runbook\\.md#donationformneedsreview\n' +
        'Admin pages: http://127\\.0\\.0\\.1:4103/#needs-review\n',
    ),
  );
  setNeedsReview(0);
  advance(HOUR / 4);
  await fixture.createMonitor().check();
  assert.match(
    smtp.received[0]!,
    /^Subject: Resolved: DonationFormNeedsReview for lanternwell has ended/m,
  );
  assert.deepEqual(fixture.logLines, []);
});

test('sends a signed webhook, and repeats it only if it was rejected', async () => {
  let status = 503;
  const received: AlertMessage[] = [];
  const receiver = await listen(async (request) => {
    const body = await request.text();
    new Webhook(SECRET).verify(body, Object.fromEntries(request.headers));
    received.push(JSON.parse(body) as AlertMessage);
    return new Response(null, { status });
  }, LOOPBACK);
  await using fixture = await startMonitor({
    webhook: { url: `${receiver.url}/hook`, secret: { env: 'ALERT_SECRET' } },
  });
  fixture.setNeedsReview(1);
  const monitor = fixture.createMonitor();
  await monitor.check();
  fixture.advance(HOUR / 4);
  await monitor.check();
  status = 204;
  await monitor.check();
  await monitor.check();
  assert.deepEqual(
    received.map(({ type, data }) => [type, data.cause, data.organization, data.count]),
    [1, 2].map(() => ['alert.raised', 'DonationFormNeedsReview', 'lanternwell', 1]),
  );
  assert.match(received[0]!.text, /^1 donation to lanternwell needs review\.\n/);
  assert.match(fixture.logLines.join(''), /"msg":"cannot send an alert; .*"status":503/);
  await receiver.close();
});

test('reports a database that is down, which cannot record the message', async () => {
  await using smtp = await startSmtpServer();
  await using fixture = await startMonitor({ email: createEmail(smtp.port) });
  const monitor = fixture.createMonitor({
    ...fixture.database,
    writer: { ...fixture.database.writer, write: () => Promise.reject(new Error('down')) },
  });
  fixture.up.set(0);
  for (let minute = 0; minute < 30; minute += 1) {
    await monitor.check();
    fixture.advance(60_000);
  }
  assert.equal(smtp.received.length, 1);
  assert.match(
    smtp.received[0]!,
    /Subject: The database is not responding, so the server cannot accept/,
  );
  await monitor.stop();
});

test('a server checks its own metrics and database, and names the admin listener', async () => {
  await using smtp = await startSmtpServer();
  const file = join(createFolder(), 'donations.sqlite');
  const endpoint = await createEndpoint({
    configuration: { ...configure({ email: createEmail(smtp.port) }), database: file },
    environment: { ...ENVIRONMENT, ...KEYS },
    log: LOG,
  });
  insertDonation(file, { status: 'unconfirmed', nextRunAt: NEVER, createdAt: Date.now() - HOUR });
  await endpoint.runJobs();
  await endpoint.runJobs();
  await endpoint.close();
  assert.equal(smtp.received.length, 1);
  assert.match(smtp.received[0]!, /^Cause: DonationFormChargesUnconfirmed$/m);
  assert.match(smtp.received[0]!, /^Admin pages: http:\/\/127\.0\.0\.1:\d+\/#in-progress$/m);
});

test('requires TLS with a valid certificate, except on this machine', async () => {
  const host = '127.0.0.2';
  const pem = createCertificate('smtp', '-addext', `subjectAltName=IP:${host}`);
  await using plain = await startSmtpServer({ host, disabledCommands: ['STARTTLS'] });
  await using encrypted = await startSmtpServer({
    host,
    key: pem,
    cert: pem,
    allowInsecureAuth: false,
  });
  const send = async (port: number, environment: object = {}): Promise<string | undefined> => {
    const alerts = configure({ email: createEmail(port, host) });
    const [result] = await sendTestAlert(alerts, { ...ENVIRONMENT, ...environment });
    return result!.problem;
  };
  assert.match((await send(plain.port))!, /STARTTLS|TLS/);
  assert.match((await send(encrypted.port))!, /self-signed certificate/);
  setDefaultCACertificates([...getCACertificates(), pem]);
  assert.match(
    (await send(encrypted.port, { SMTP_PASSWORD: 'wrong' }))!,
    /Invalid user or password/,
  );
  assert.equal(await send(encrypted.port), undefined);
  assert.match(encrypted.received[0]!, /^Subject: This is a test message\. Alerts/m);
  assert.match(encrypted.received[0]!, /^Admin pages: http:\/\/127\.0\.0\.1:\d+\/$/m);
  assert.deepEqual(plain.received, []);
});
