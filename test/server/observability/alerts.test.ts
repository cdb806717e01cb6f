import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { ALERT_RULES } from '../../../src/server/alerts/alert-rules.ts';
import { MetricReader, type Sample } from '../../../src/server/alerts/metric-reader.ts';
import { startServer } from '../support.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = parse(readFileSync('deploy/prometheus-alerts.yml', 'utf8')) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const runbook = readFileSync('docs/server/runbook.md', 'utf8');
const page = readFileSync('docs/reference/metrics.md', 'utf8');

/** Finds the metric names in a text. */
const findMetrics = (text: string): string[] =>
  [...text.matchAll(/\b(donation_form|nodejs|process)_\w+/g)].map(([name]) => name);
const isKnownMetric = (name: string, names: ReadonlySet<string>): boolean =>
  names.has(name) || names.has(name.replace(/_(bucket|sum|count)$/, ''));

async function exposeMetrics(): Promise<{ readonly names: Set<string>; readonly text: string }> {
  await using server = await startServer();
  await server.postDonation(await server.createRequest());
  const { text } = await server.scrape();
  return { text, names: new Set([...text.matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name!)) };
}

test('uses only existing metrics and labels in alerts', async () => {
  const { names, text } = await exposeMetrics();
  for (const { alert, expr } of rules) {
    assert.ok(findMetrics(expr).length > 0 || expr.startsWith('up{'), alert);
    assert.deepEqual(
      findMetrics(expr).filter((name) => !isKnownMetric(name, names)),
      [],
      alert,
    );
    for (const [, status] of expr.matchAll(/(?:donations|outbox|messages)\w*\{status="([\w-]+)"/g))
      assert.ok(text.includes(`status="${status}"`), `${alert}: ${status}`);
    for (const [, label] of expr.matchAll(/by \((?:le, )?(\w+)\)/g))
      assert.ok(
        label === 'le' || label === 'instance' || label === 'reason' || text.includes(`${label}="`),
        `${alert}: ${label}`,
      );
  }
  assert.ok(rules.length >= 15);
});

test('gives every alert a severity and a summary, and documents exactly these alerts in the runbook', () => {
  const answered = [...runbook.matchAll(/^## (DonationForm\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(
    answered,
    rules.map(({ alert }) => alert),
  );
  for (const {
    alert,
    labels: { severity },
    annotations: { summary, runbook: link },
    for: time = '0m',
  } of rules) {
    assert.match(severity, /^(page|ticket)$/);
    assert.ok(summary.length > 20 && /^\d+[mhd]$/.test(time), alert);
    assert.equal(link, `docs/server/runbook.md#${alert.toLowerCase()}`);
    const [, answer = ''] = runbook.split(`\n## ${alert}\n`);
    for (const part of ['Meaning.', 'Effect on donors.', 'Check.', 'Do.'])
      assert.ok(answer.split('\n## ')[0]!.includes(`**${part}** `), `${alert}: ${part}`);
  }
});

/** Causes that a server cannot report itself, because it does not run. */
const OUTSIDE_CAUSES = ['DonationFormDown', 'DonationFormRestarts'];
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const parseDuration = (duration = '0m'): number =>
  Number(duration.slice(0, -1)) * UNITS[duration.at(-1)!]!;

test('the server reports the same causes as Prometheus, from the same metrics', () => {
  assert.deepEqual(
    ALERT_RULES.map(({ cause, severity, holdsFor }) => [cause, severity, holdsFor]).sort(),
    rules
      .filter(({ alert }) => !OUTSIDE_CAUSES.includes(alert))
      .map(({ alert, labels: { severity }, for: time }) => [alert, severity, parseDuration(time)])
      .sort(),
  );
  for (const { cause, find } of ALERT_RULES) {
    const readMetrics = new Set<string>();
    const read = (name: string): Sample[] => {
      readMetrics.add(name);
      return [];
    };
    find(Object.assign(new MetricReader(new Registry()), { list: read, listIncreases: read }));
    const { expr } = rules.find(({ alert }) => alert === cause)!;
    const removeSuffix = (name: string): string => name.replace(/_(bucket|count)$/, '');
    assert.deepEqual(
      new Set([...readMetrics].map(removeSuffix)),
      new Set(findMetrics(expr).map(removeSuffix)),
      cause,
    );
  }
});

test('docs/reference/metrics.md lists every metric of the endpoint, and the runbook names only existing metrics', async () => {
  const { names } = await exposeMetrics();
  for (const name of names)
    if (name.startsWith('donation_form_'))
      assert.ok(
        page.includes(name) || page.includes(`\`${name.replace('donation_form_api_quota', '')}\``),
        name,
      );
  for (const name of findMetrics(runbook + page))
    assert.ok(isKnownMetric(name, names) || ['process_', 'nodejs_'].includes(name), name);
});

test('states for every metric whether it covers this server or all servers', async () => {
  const { text } = await exposeMetrics();
  for (const [, name, help] of text.matchAll(/^# HELP (donation_form_\w+) (.*)$/gm))
    assert.match(help!, / Scope: (this server|all servers)\./, name);
});
