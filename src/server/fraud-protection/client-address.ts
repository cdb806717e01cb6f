import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Empty if the address is unknown. */
export interface Client {
  /** An IPv4-mapped IPv6 address becomes its IPv4 address. */
  readonly address?: string;
  /**
   * First 64 bits of an IPv6 address. A household or rented server usually has at least such a
   * network.
   */
  readonly network?: string;
}

/** The port is optional. Some proxies send IPv6 addresses in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * Each proxy appends its peer's address to `X-Forwarded-For`, so forged entries are to the left of
 * the trusted proxies' entries.
 * @param connected address of the peer, which is the donor's browser or a proxy.
 * @param forwarded value of the `X-Forwarded-For` header.
 * @param trustedProxies number of trusted proxies in front of this server.
 */
export function resolveClient(
  connected: string | undefined,
  forwarded: string | undefined,
  trustedProxies: number,
): Client {
  const entries =
    forwarded === undefined || trustedProxies === 0
      ? []
      : forwarded.split(',').map((entry) => entry.trim());
  return (
    parseClient(entries[Math.max(entries.length - trustedProxies, 0)]) ??
    parseClient(connected) ??
    {}
  );
}

/** A peer with a loopback or private address is probably a proxy. */
export function isPrivateAddress(address: string | undefined): boolean {
  const bare = parseIpAddress(address);
  return (
    bare !== undefined &&
    ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(
      ipaddr.process(bare).range(),
    )
  );
}

function parseClient(written: string | undefined): Client | undefined {
  const bare = parseIpAddress(written);
  if (bare === undefined) return undefined;
  const address = ipaddr.process(bare);
  return {
    address: address.toNormalizedString(),
    ...(address.kind() === 'ipv6' && {
      network: Buffer.from(address.toByteArray().slice(0, 8)).toString('hex'),
    }),
  };
}

function parseIpAddress(written: string | undefined): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(written ?? '') ?? [];
  const bare = (v6 ?? v4 ?? written ?? '').split('%', 1)[0]!;
  return isIP(bare) === 0 ? undefined : bare;
}
