import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ZipFile } from 'yazl';
import {
  createCsvFormatter,
  type CsvOptions,
  type CsvRow,
  iterateCells,
} from '../reporting/csv.ts';

interface ZipEntry {
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly content: Uint8Array;
}

/** Resolves when the reader has read the files before, so that the caller can load the next. */
export type AddFile = (entry: ZipEntry) => Promise<void>;

/**
 * Streams a zip while the files are added. Files are not compressed, because PDFs would not get
 * smaller. An error interrupts the stream.
 * @param addFiles must end when the stream is destroyed, because the reader has left.
 */
export async function streamZip(
  addFiles: (addFile: AddFile, stream: Readable) => Promise<void>,
): Promise<Readable> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  const destroy = (error: unknown): void => {
    stream.destroy(error as Error);
  };
  zip.on('error', destroy);
  addFiles((entry) => addFile(zip, entry), stream).then(() => zip.end(), destroy);
  return stream;
}

function addFile(zip: ZipFile, { name, modifiedAt, content }: ZipEntry): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  // The zip never releases the function below, so it must release the content.
  let pending: Uint8Array | undefined = content;
  const options = { mtime: new Date(modifiedAt), compress: false };
  zip.addReadStreamLazy(name, options, (respond) => {
    resolve(undefined);
    respond(null, Readable.from([pending!]));
    pending = undefined;
  });
  return promise;
}

/** Formats the list of an archive's files as CSV. */
export function formatIndex(
  rows: AsyncIterable<CsvRow> | readonly CsvRow[],
  options: Omit<CsvOptions, 'hasMark'>,
): Promise<Buffer> {
  const csv = createCsvFormatter({ ...options, hasMark: true });
  // An error destroys the formatter, and so rejects the promise.
  pipeline(iterateCells(rows, options.columns), csv, () => undefined);
  return buffer(csv);
}
