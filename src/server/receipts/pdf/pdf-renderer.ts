import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import type { ReceiptDocument } from '../receipt-document.ts';
import { RECEIPT_TEMPLATE } from './receipt-template.ts';
import { toTemplateInput } from './to-template-input.ts';

/** An optional peer dependency. */
const COMPILER = '@myriaddreamin/typst-ts-node-compiler';
const COMPILER_VERSION = '0.7.0';

/** Milliseconds. A receipt takes about 10 ms, and the first one also loads the fonts. */
const TIME_LIMIT = 30_000;
const MAX_PROBLEM_LENGTH = 300;
const MAX_LISTED_TEXTS = 20;

/**
 * Compiles receipts one after the other. The template's folder does not exist, so it cannot read
 * files. Without `evictCache`, the compiler would store the results of all receipts.
 */
const WORKER_SCRIPT = `
  const { parentPort, workerData: { compilerFile, template } } = require('node:worker_threads');
  const { NodeCompiler } = require(compilerFile);
  const compiler = NodeCompiler.create({ workspace: '/nonexistent' });

  parentPort.on('message', (receipt) => {
    try {
      const source = { mainFileContent: template, inputs: { receipt } };
      const pdf = compiler.pdf(source, { pdfStandard: 'ua-1' });
      parentPort.postMessage({ pdf: new Uint8Array(pdf) });
    } catch (error) {
      parentPort.postMessage({ problem: error.message || error.code });
    }
    compiler.evictCache(0);
  });
`;

type Reply = { readonly pdf: Uint8Array } | { readonly problem: string };

/** Renders receipts as PDF in a worker thread, which starts with the first receipt. */
export class PdfRenderer {
  readonly #compilerFile: string;
  readonly #closing = new AbortController();
  #worker: Worker | undefined;
  #lastRender: Promise<unknown> = Promise.resolve();

  /** @param compilerFile path of the compiler's main file. */
  constructor(compilerFile: string) {
    this.#compilerFile = compilerFile;
  }

  /**
   * Renders a receipt as PDF/UA-1. The same receipt and fonts result in the same bytes.
   * @throws {Error} if no font has one of its characters, the worker stops or takes too long, or the
   * renderer is closed.
   */
  render(receipt: ReceiptDocument): Promise<Uint8Array> {
    const rendered = this.#lastRender.then(() => this.#renderNext(receipt));
    this.#lastRender = rendered.catch(() => undefined);
    return rendered;
  }

  /** Stops the worker. Receipts that are not finished are rejected. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is stopping'));
    await this.#lastRender;
    await this.#worker?.terminate();
  }

  async #renderNext(receipt: ReceiptDocument): Promise<Uint8Array> {
    try {
      this.#closing.signal.throwIfAborted();
      const reply = await this.#askWorker(toTemplateInput(receipt));
      if ('problem' in reply) throw new Error(describeProblem(reply.problem));
      return reply.pdf;
    } catch (cause) {
      throw new Error(
        `Cannot render ${receipt.number ?? receipt.title} as PDF: ${(cause as Error).message}`,
        { cause },
      );
    }
  }

  /** Replaces the worker if it does not reply. */
  async #askWorker(input: string): Promise<Reply> {
    const worker = (this.#worker ??= this.#startWorker());
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort(new Error(`it takes longer than ${TIME_LIMIT / 1_000} seconds`));
    }, TIME_LIMIT);
    const signal = AbortSignal.any([stop.signal, this.#closing.signal]);
    try {
      worker.ref();
      worker.postMessage(input);
      const [reply] = (await Promise.race([
        once(worker, 'message', { signal }),
        once(worker, 'exit', { signal }).then(([code]) => {
          throw new Error(`the worker thread stopped with code ${code}`);
        }),
      ])) as [Reply];
      worker.unref();
      return reply;
    } catch (error) {
      this.#worker = undefined;
      void worker.terminate();
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  #startWorker(): Worker {
    const worker = new Worker(WORKER_SCRIPT, {
      eval: true,
      workerData: { compilerFile: this.#compilerFile, template: RECEIPT_TEMPLATE },
    });
    const forgetWorker = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    // Without a listener, an error between two receipts would end the process.
    worker.on('error', forgetWorker);
    worker.on('exit', forgetWorker);
    return worker;
  }
}

/** @param problem the compiler's message. */
function describeProblem(problem: string): string {
  const missing = problem.matchAll(/`\\?"([^`]{1,30}?)\\?"` could not be displayed/g);
  const texts = [...new Set(Array.from(missing, ([, text]) => formatCharacter(text!)))];
  if (texts.length === 0) return problem.slice(0, MAX_PROBLEM_LENGTH);
  return (
    `no installed font has ${texts.slice(0, MAX_LISTED_TEXTS).join(' ')}. ` +
    "Install more fonts, such as Debian's fonts-noto-core and fonts-noto-cjk, and restart the server."
  );
}

/** @param text a character, or its code if it is invisible, such as `\\u{e000}`. */
function formatCharacter(text: string): string {
  return text.replace(
    /\\{1,2}u\{([0-9a-f]{1,6})\}/,
    (_, code: string) => `U+${code.toUpperCase()}`,
  );
}

/**
 * @param resolve returns the URL of a package's main file.
 * @throws {ConfigurationError} if the compiler is not installed.
 */
export function createPdfRenderer(resolve = (name: string) => import.meta.resolve(name)) {
  try {
    return new PdfRenderer(fileURLToPath(resolve(COMPILER)));
  } catch (cause) {
    throw new ConfigurationError(
      `receipts.pdf is true, but the package ${COMPILER} is not installed. ` +
        `Run npm install ${COMPILER}@${COMPILER_VERSION}, or remove receipts.pdf.`,
      { cause },
    );
  }
}
