import { getDocumentationUrl } from '../lib/package-file.ts';
import type { ClaimedMessage } from './alert-log.ts';
import type { AlertRule } from './alert-rules.ts';

/** A message about a problem. Contains no donor data. */
export interface AlertMessage {
  readonly type: 'alert.raised' | 'alert.resolved' | 'alert.test';
  /** ISO 8601. */
  readonly timestamp: string;
  /** Complete message as plain text. Chat programs that accept webhooks display this field. */
  readonly text: string;
  readonly data: {
    /** Name of the alert. The runbook has a section with the same name. */
    readonly cause: string;
    readonly severity: AlertRule['severity'];
    readonly organization?: string;
    readonly summary: string;
    /** ISO 8601. */
    readonly since: string;
    readonly count?: number;
    readonly action: string;
    /** URL of the runbook's section about the problem. */
    readonly runbook: string;
    readonly adminUrl?: string;
    /** Host name of the server that found the problem. */
    readonly server: string;
  };
}

export interface MessageSource {
  readonly server: string;
  readonly adminUrl?: string | undefined;
  readonly now: number;
}

/** Creates a message that reports a current or resolved problem. */
export function createAlertMessage(
  { kind, organization, count, beganAt }: ClaimedMessage,
  { cause, severity, action, section }: AlertRule,
  summary: string,
  source: MessageSource,
): AlertMessage {
  const { adminUrl } = source;
  return createMessage(`alert.${kind}`, source, {
    cause,
    severity,
    ...(organization !== '' && { organization }),
    summary,
    since: new Date(beganAt).toISOString(),
    ...(count > 0 && { count }),
    action: kind === 'resolved' ? 'Nothing.' : action,
    runbook: getDocumentationUrl(`server/runbook.md#${cause.toLowerCase()}`),
    ...(adminUrl !== undefined && {
      adminUrl: `${adminUrl}/${section === undefined ? '' : `#${section}`}`,
    }),
  });
}

/** Creates a message that tests alert delivery. */
export function createTestMessage(source: MessageSource): AlertMessage {
  return createMessage('alert.test', source, {
    cause: 'Test',
    severity: 'ticket',
    summary: 'This is a test message. Alerts from the donation server will arrive here.',
    since: new Date(source.now).toISOString(),
    action: 'Nothing.',
    runbook: getDocumentationUrl('server/runbook.md'),
    ...(source.adminUrl !== undefined && { adminUrl: `${source.adminUrl}/` }),
  });
}

function createMessage(
  type: AlertMessage['type'],
  { server, now }: MessageSource,
  data: Omit<AlertMessage['data'], 'server'>,
): AlertMessage {
  const { cause, summary, since, action, runbook, adminUrl } = data;
  const lines = [
    `${type === 'alert.resolved' ? 'Resolved: ' : ''}${summary}`,
    '',
    `Cause: ${cause}`,
    `Since: ${since.slice(0, 16).replace('T', ' ')} UTC`,
    `Server: ${server}`,
    `What to do: ${action}`,
    `Runbook: ${runbook}`,
    ...(adminUrl === undefined ? [] : [`Admin pages: ${adminUrl}`]),
  ];
  return {
    type,
    timestamp: new Date(now).toISOString(),
    data: { ...data, server },
    text: lines.join('\n'),
  };
}
