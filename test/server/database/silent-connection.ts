import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Database } from '../../../src/server/database/database.ts';

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Stops forwarding on the connections that are open, without closing them. */
  readonly silence: () => void;
}

/** @param changeStartup changes the first message of each connection, which contains the settings. */
export async function openProxy(
  target: string,
  changeStartup = (message: Buffer): Buffer => message,
): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets: Socket[] = [];
  const silent = new Set<Socket>();
  const forwardData = (from: Socket, to: Socket): void => {
    from
      .on('data', (data) => {
        if (!silent.has(from)) to.write(data);
      })
      .on('error', () => undefined)
      .on('close', () => to.destroy());
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    near.once('data', (message) => {
      far.write(changeStartup(message));
      forwardData(near, far);
    });
    forwardData(far, near);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      for (const socket of sockets) silent.add(socket);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Returns the milliseconds until a statement fails on a silent connection; the next one works. */
export async function measureSilentConnection({ db }: Database, proxy: Proxy): Promise<number> {
  const listDonations = () => db.selectFrom('donations').selectAll().execute();
  await listDonations();
  proxy.silence();
  const startedAt = Date.now();
  await assert.rejects(listDonations());
  const waited = Date.now() - startedAt;
  assert.deepEqual(await listDonations(), []);
  return waited;
}
