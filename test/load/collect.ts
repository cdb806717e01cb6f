/** What a process that runs with `--inspect` is asked to do. */

const ADDRESS = /^Debugger listening on (ws:\S+)$/m;

/**
 * Lets the runtime of a process free everything that nothing refers to any more.
 * @param said what the process has written.
 */
export async function collect(said: string): Promise<void> {
  const inspector = new WebSocket(ADDRESS.exec(said)![1]!);
  try {
    await heard(inspector, 'open');
    inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    await heard(inspector, 'message');
  } finally {
    inspector.close();
  }
}

function heard(inspector: WebSocket, type: 'open' | 'message'): Promise<void> {
  return new Promise((resolve, reject) => {
    inspector.addEventListener(type, () => resolve(), { once: true });
    inspector.addEventListener('error', () => reject(new Error('the inspector does not answer')), {
      once: true,
    });
  });
}
