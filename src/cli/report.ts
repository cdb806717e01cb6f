import type { Configuration } from '../contract/configuration.ts';
import type { IgnoredCount } from '../server/index.ts';

/**
 * Asks a running server what its forms ignored of their settings.
 * @param operator where its operator's listener is. @param days as written.
 * @returns a text for people. @throws where no server answers there.
 */
export async function reportIgnored(operator: Configuration['operator'], days = '30'): Promise<string> {
  if (!operator) throw new Error('The configuration names no operator\'s listener. Add "operator": { "port": 4103 } to it and start the server again.');
  const host = operator.host === '0.0.0.0' || operator.host === '::' ? '127.0.0.1' : operator.host;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${operator.port}`;
  const response = await fetch(`${address}/ignored-settings?${new URLSearchParams({ days })}`).catch((cause: unknown) => {
    throw new Error(`${address} does not answer. Start the server with this configuration first: donation-form serve.`, { cause });
  });
  const answer = await response.json() as { message: string } | { items: readonly IgnoredCount[] };
  if ('message' in answer) throw new Error(answer.message);
  if (answer.items.length === 0) return `Nothing was ignored in the last ${days} days.\n`;
  const rows = [['times', 'name', 'why', 'segment', 'form', 'last on'], ...answer.items.map(({ count, name, reason, segment, form, lastDay }) => [String(count), name, reason.replaceAll('-', ' '), segment || '(none)', form, lastDay])];
  const widths = rows[0]!.map((_title, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return `${rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join('  ').trimEnd()).join('\n')}\n`;
}
