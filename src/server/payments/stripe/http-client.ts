import type { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import { createByteCounter } from '../../lib/response-limit.ts';

/**
 * Creates the HTTP client with a size limit and a time limit for responses, which the library
 * lacks.
 * @param basePath prefix for all paths, for which the library has no option.
 */
export function createHttpClient(basePath = ''): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (host, port, path, ...request) => {
    const response = await makeRequest(host, port, basePath + path, ...request);
    const timeout = request.at(-1) as number;
    const readJson = response.toJSON.bind(response);
    response.toJSON = () => {
      // Set the limits after the library has added its listeners, so that it reports the error.
      const json = readJson();
      limitBody(response.getRawResponse() as IncomingMessage, timeout);
      return json;
    };
    return response;
  };
  return client;
}

function limitBody(body: IncomingMessage, timeout: number): void {
  const count = createByteCounter();
  const timer = setTimeout(() => {
    body.destroy(new Error(`the response took longer than ${timeout} ms`));
  }, timeout);
  body.once('close', () => clearTimeout(timer));
  body.on('data', (chunk: string) => {
    try {
      count({ byteLength: Buffer.byteLength(chunk) });
    } catch (error) {
      body.destroy(error as Error);
    }
  });
}
