import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
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
const runbook = readFileSync('docs/runbook.md', 'utf8');
const page = readFileSync('docs/monitoring.md', 'utf8');

/**
 * Finds the metric names in a text, without the suffixes `_bucket`, `_sum`, and `_count` of
 * histograms.
 */
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
    assert.equal(link, `docs/runbook.md#${alert.toLowerCase()}`);
    const [, answer = ''] = runbook.split(`\n## ${alert}\n`);
    for (const part of ['Means.', 'Donors notice.', 'Look at.', 'Do.'])
      assert.ok(answer.split('\n## ')[0]!.includes(`**${part}** `), `${alert}: ${part}`);
  }
});

test('docs/monitoring.md lists every metric of the endpoint, and the runbook names only existing metrics', async () => {
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
    assert.match(help!, /[Ff]or (this server|all servers)\./, name);
});
