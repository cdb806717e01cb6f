import { finished, Readable } from 'node:stream';
import { describeError } from '../../lib/describe-error.ts';
import type { Logger } from '../../lib/logger.ts';
import {
  createCsvFormatter,
  type CsvOptions,
  type CsvRow,
  iterateCells,
} from '../../reporting/csv.ts';

interface Download {
  readonly name: string;
  readonly mediaType: string;
}

/** Sends a stream as a file. An error interrupts the download, so the browser reports it. */
export function sendDownload(
  stream: Readable,
  { name, mediaType }: Download,
  log: Logger,
): Response {
  finished(stream, (error) => {
    // Log the error unless the browser canceled the download.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.error(describeError(error), 'export aborted');
  });
  return new Response(Readable.toWeb(stream) as ReadableStream, {
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}

export function sendCsv(
  rows: AsyncIterable<CsvRow>,
  name: string,
  options: Omit<CsvOptions, 'hasMark'>,
  log: Logger,
): Response {
  const csv = Readable.from(iterateCells(rows, options.columns)).compose(
    createCsvFormatter({ ...options, hasMark: true }),
  ) as Readable;
  return sendDownload(csv, { name, mediaType: 'text/csv; charset=utf-8' }, log);
}
