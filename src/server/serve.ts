import { createEndpoint, type Endpoint, type EndpointOptions } from './create-endpoint.ts';
import { listen, type Listening } from './http/listen.ts';

/**
 * Opens the endpoint and listens.
 * @throws {ConfigurationError}, or an error that says what is in use or cannot be opened.
 */
export async function serve(
  options: EndpointOptions,
): Promise<Listening & Pick<Endpoint, 'reconfigure'>> {
  const { configuration } = options;
  const endpoint = await createEndpoint(options);
  const listeners: Listening[] = [];
  const close = async (): Promise<void> => {
    endpoint.markNotReady();
    // The operator's listener is the last to end: it says that the server is not ready.
    for (const listener of listeners) await listener.close();
    await endpoint.close();
  };
  try {
    listeners.push(await listen(endpoint.fetch, configuration.listen));
    if (configuration.operator)
      listeners.push(await listen(endpoint.operator, configuration.operator));
  } catch (error) {
    await close();
    throw error;
  }
  endpoint.start();
  return { address: listeners[0]!.address, close, reconfigure: endpoint.reconfigure };
}
