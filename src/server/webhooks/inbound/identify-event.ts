import { createHash } from 'node:crypto';
import { cleanLine } from '@donation-form/core/donor';
import { WebhookEventType } from '@donation-form/platform-clients/donation-v1';
import { EventType, type WebhookBody } from '@donation-form/platform-clients/fundraising';
import type { PlatformName, WebhookSource } from '../../organizations/webhook-source.ts';
import { getValueAtPath } from '../../platform/body-template.ts';

const EVENT_TYPES: Readonly<Record<PlatformName, Readonly<Record<string, number>>>> = {
  fundraising: EventType,
  'donation-v1': WebhookEventType,
};
const MAX_TYPE_LENGTH = 100;

/** The ID is the same for every delivery, but differs by type in case `idPath` is a gift's ID. */
export function identifyEvent(
  organization: string,
  { source, kindPath, idPath }: Pick<WebhookSource, 'source' | 'kindPath' | 'idPath'>,
  { payload, text }: Pick<WebhookBody, 'payload' | 'text'>,
): { readonly id: string; readonly kind: string | null } {
  const type = kindPath && readTextAtPath(payload, kindPath);
  const kind = type ? normalizeEventType(EVENT_TYPES[source], type) : null;
  const platformId = idPath && readTextAtPath(payload, idPath);
  const parts = platformId
    ? ['id', organization, source, kind, platformId]
    : ['body', organization, source, text];
  return {
    // 128 bits are short enough for a command-line argument.
    id: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32),
    kind,
  };
}

/** Returns the name of a known type, or an unknown type as one safe line. */
function normalizeEventType(types: Readonly<Record<string, number>>, type: string): string {
  return (
    Object.entries(types).find(([name, value]) => name === type || String(value) === type)?.[0] ??
    cleanLine(type).slice(0, MAX_TYPE_LENGTH)
  );
}

function readTextAtPath(payload: unknown, path: string): string | undefined {
  const value = getValueAtPath(payload, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
}
