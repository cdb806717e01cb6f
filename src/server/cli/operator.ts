import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Configuration } from '@donation-form/core/schemas';
import { addressOf } from '../diagnostics/operator.ts';
import { readSecret } from '../config/load-configuration.ts';

/**
 * Asks the operator's listener of a running server, with the operator's key where the configuration
 * names one.
 * @param operator where it is. @param order what is to be done; without one, something is only
 *   asked.
 * @throws where no server answers there, or what it refuses.
 */
export async function askOperator<Answer extends object>(
  operator: Configuration['operator'],
  path: string,
  order?: object,
): Promise<Answer> {
  const answer = (await (await reach(operator, path, order)).json()) as
    { message: string } | Answer;
  if ('message' in answer) throw new Error(answer.message);
  return answer;
}

/**
 * Asks so for an answer of many lines, and reads them one by one.
 * @throws as {@link askOperator} does, and where the answer breaks off.
 */
export async function* readOperator<Line extends { readonly kind: string }>(
  operator: Configuration['operator'],
  path: string,
  order: object,
): AsyncGenerator<Line> {
  const response = await reach(operator, path, order);
  if (!response.ok || !response.body)
    throw new Error(((await response.json()) as { message: string }).message);
  // Tests check this file with the DOM's types, whose streams are not those of Node.
  const body: unknown = response.body;
  let last = '';
  for await (const written of createInterface({
    input: Readable.fromWeb(body as NodeStream),
    crlfDelay: Infinity,
  })) {
    const line = JSON.parse(written) as Line;
    last = line.kind;
    yield line;
  }
  if (last !== 'end')
    throw new Error('The server broke off; its log says why. Nothing of what was told is whole.');
}

async function reach(
  operator: Configuration['operator'],
  path: string,
  order: object | undefined,
): Promise<Response> {
  if (!operator)
    throw new Error(
      'The configuration names no operator\'s listener. Add "operator": { "port": 4103 } to it and start the server again.',
    );
  const address = addressOf(operator);
  const headers = {
    ...(operator.key && {
      Authorization: `Bearer ${readSecret(operator.key, 'operator.key', process.env)}`,
    }),
    ...(order && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(address + path, {
    headers,
    redirect: 'error',
    ...(order && { method: 'POST', body: JSON.stringify(order) }),
  }).catch((cause: unknown) => {
    throw new Error(
      `${address} does not answer. Start the server with this configuration first: donation-form serve.`,
      { cause },
    );
  });
  if (response.status === 401 && operator.key)
    throw new Error(
      `The server at ${address} has another operator's key than this configuration names. It has that of its start: start it again.`,
    );
  return response;
}

/** Rows in columns, the first one as a title; those of `right` end in line. */
export function inColumns(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const widths = rows[0]!.map((_title, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  );
  return `${rows
    .map((row) =>
      row
        .map((cell, column) =>
          right.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

/** A time as tables have it, in UTC. @param iso ISO 8601. */
export function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
