import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Who asks, as far as the network tells. Both are absent where it is not known, such as in a
 * handler that another server calls without it.
 */
export interface Client {
  /** IPv4, or IPv6; an IPv4 address inside an IPv6 one is the IPv4 address. */
  readonly address?: string;
  /**
   * With IPv6, the first 64 bits: what one household or one rented machine has at least, with 2^64
   * addresses to choose from.
   */
  readonly network?: string;
}

/** A proxy may write an address with its port, and IPv6 in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * Finds out who asks. Each proxy adds who connected to it at the right end of `X-Forwarded-For`, so
 * what a client forged stands further left than it is looked for.
 * @param connected the address of who connected, the donor's or a proxy's.
 * @param forwarded the header X-Forwarded-For.
 * @param trustedProxies how many proxies of ours stand before this server.
 */
export function clientOf(
  connected: string | undefined,
  forwarded: string | undefined,
  trustedProxies: number,
): Client {
  const entries =
    forwarded === undefined || trustedProxies === 0
      ? []
      : forwarded.split(',').map((entry) => entry.trim());
  return (
    readAddress(entries[Math.max(entries.length - trustedProxies, 0)]) ??
    readAddress(connected) ??
    {}
  );
}

/** Whether an address is of this machine or of a network of one's own: a proxy's, if anybody's. */
export function isPrivate(address: string | undefined): boolean {
  const bare = bareAddress(address);
  return (
    bare !== undefined &&
    ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(
      ipaddr.process(bare).range(),
    )
  );
}

function readAddress(written: string | undefined): Client | undefined {
  const bare = bareAddress(written);
  if (bare === undefined) return undefined;
  const address = ipaddr.process(bare);
  return {
    address: address.toNormalizedString(),
    ...(address.kind() === 'ipv6' && {
      network: Buffer.from(address.toByteArray().slice(0, 8)).toString('hex'),
    }),
  };
}

function bareAddress(written: string | undefined): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(written ?? '') ?? [];
  const bare = (v6 ?? v4 ?? written ?? '').replace(/%.*$/, '');
  return isIP(bare) === 0 ? undefined : bare;
}
