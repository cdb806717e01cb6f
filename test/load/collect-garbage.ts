const INSPECTOR_URL = /^Debugger listening on (ws:\S+)$/m;

/**
 * Collects the garbage of a process that runs with `--inspect`.
 * @param output the output of the process, which contains the inspector's URL.
 */
export async function collectGarbage(output: string): Promise<void> {
  const inspector = new WebSocket(INSPECTOR_URL.exec(output)![1]!);
  try {
    await waitFor(inspector, 'open');
    inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    await waitFor(inspector, 'message');
  } finally {
    inspector.close();
  }
}

function waitFor(inspector: WebSocket, type: 'open' | 'message'): Promise<void> {
  return new Promise((resolve, reject) => {
    inspector.addEventListener(type, () => resolve(), { once: true });
    inspector.addEventListener('error', () => reject(new Error('the inspector does not respond')), {
      once: true,
    });
  });
}
