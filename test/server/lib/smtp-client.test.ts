import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createSmtpClient, type SmtpError } from '../../../src/server/lib/smtp-client.ts';

test('closes the connection to an SMTP server that does not accept a message in time', async () => {
  const closed = Promise.withResolvers<undefined>();
  const sockets: Socket[] = [];
  // Keeps answering, so that no timeout of a single answer ends the connection.
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => closed.resolve(undefined));
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('data', (data) => {
      if (String(data).startsWith('EHLO')) socket.write('250 mail.example\r\n');
      else socket.write('250-wait\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createSmtpClient({ host: '127.0.0.1', port }, { sendTimeout: 300 });
  await assert.rejects(
    client.send({ from: 'a@example.org', to: 'b@example.org', text: 'Hello' }),
    ({ code, message }: SmtpError) => {
      assert.deepEqual(
        [code, message],
        ['ETIMEDOUT', 'The SMTP server did not accept the message in time'],
      );
      return true;
    },
  );
  await closed.promise;
  server.close();
});
