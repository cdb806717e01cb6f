import { createHash } from 'node:crypto';
import { cleanLine } from '@donation-form/core/donor';
import { WebhookEventType } from '@donation-form/platform-clients/donation-v1';
import { EventType, type WebhookBody } from '@donation-form/platform-clients/fundraising';
import { getValueAt } from '../../platform/body-template.ts';
import type { PlatformName, PlatformSource } from '../../organizations/webhook-source.ts';

const TYPES: Readonly<Record<PlatformName, Readonly<Record<string, number>>>> = {
  fundraising: EventType,
  'donation-v1': WebhookEventType,
};
const MAX_TYPE_LENGTH = 100;

/**
 * What an event is called. An id belongs to one type of event: where the operator took that of a
 * gift for it, what becomes of the gift is no repetition.
 */
export function createEventId(
  organization: string,
  { source, kindPath, idPath }: Pick<PlatformSource, 'source' | 'kindPath' | 'idPath'>,
  { payload, text }: Pick<WebhookBody, 'payload' | 'text'>,
): { readonly id: string; readonly kind: string | null } {
  const told = kindPath && readTextAt(payload, kindPath);
  const kind = told ? normalizeEventType(TYPES[source], told) : null;
  const own = idPath && readTextAt(payload, idPath);
  return {
    id: hash(own ? ['id', organization, source, kind, own] : ['body', organization, source, text]),
    kind,
  };
}

/** A type by its name, whether it was told by name or by value. */
function normalizeEventType(types: Readonly<Record<string, number>>, told: string): string {
  return (
    Object.entries(types).find(([name, value]) => name === told || String(value) === told)?.[0] ??
    cleanLine(told).slice(0, MAX_TYPE_LENGTH)
  );
}

function readTextAt(payload: unknown, path: string): string | undefined {
  const value = getValueAt(payload, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}

/** 128 bits, hexadecimal: a word that a command takes. */
function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
