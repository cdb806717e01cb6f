import { getDocumentationUrl } from '../lib/package-file.ts';
import type { ClaimedMessage } from './alert-log.ts';
import type { AlertRule, Severity } from './alert-rule.ts';

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
    readonly severity: Severity;
    readonly organization?: string;
    readonly summary: string;
    /** ISO 8601. */
    readonly since: string;
    /** Number of affected items, such as donations. */
    readonly count?: number;
    readonly action: string;
    /** URL of the runbook's section about the problem. */
    readonly runbook: string;
    readonly adminUrl?: string;
    /** Host name of the server that found the problem. */
    readonly server: string;
  };
}

/** The server that sends a message. */
export interface MessageSource {
  /** Host name. */
  readonly server: string;
  /** URL of the admin pages. */
  readonly adminUrl?: string | undefined;
}

/** Creates a message that reports a current or resolved problem. */
export function createAlertMessage(
  { kind, organization, count, beganAt }: ClaimedMessage,
  rule: AlertRule,
  summary: string,
  source: MessageSource & { readonly now: number },
): AlertMessage {
  const { cause, severity, action, section } = rule;
  const { server, adminUrl, now } = source;
  return addText({
    type: `alert.${kind}`,
    timestamp: new Date(now).toISOString(),
    data: {
      cause,
      severity,
      ...(organization !== '' && { organization }),
      summary,
      since: new Date(beganAt).toISOString(),
      ...(count > 0 && { count }),
      action: kind === 'resolved' ? 'Nothing.' : action,
      runbook: getDocumentationUrl(`server/runbook.md#${cause.toLowerCase()}`),
      ...(adminUrl !== undefined && {
        adminUrl: `${adminUrl.replace(/\/$/, '')}/${section === undefined ? '' : `#${section}`}`,
      }),
      server,
    },
  });
}

/** Creates a message that tests alert delivery. */
export function createTestMessage({
  server,
  adminUrl,
  now,
}: MessageSource & { readonly now: number }): AlertMessage {
  const timestamp = new Date(now).toISOString();
  return addText({
    type: 'alert.test',
    timestamp,
    data: {
      cause: 'Test',
      severity: 'ticket',
      summary: 'This is a test message. Alerts from the donation server will arrive here.',
      since: timestamp,
      action: 'Nothing.',
      runbook: getDocumentationUrl('server/runbook.md'),
      ...(adminUrl !== undefined && { adminUrl }),
      server,
    },
  });
}

function addText(message: Omit<AlertMessage, 'text'>): AlertMessage {
  const { cause, summary, since, action, runbook, adminUrl, server } = message.data;
  const time = `${since.slice(0, 16).replace('T', ' ')} UTC`;
  const lines = [
    `${message.type === 'alert.resolved' ? 'Resolved: ' : ''}${summary}`,
    '',
    `Cause: ${cause}`,
    `Since: ${time}`,
    `Server: ${server}`,
    `What to do: ${action}`,
    `Runbook: ${runbook}`,
    ...(adminUrl === undefined ? [] : [`Admin pages: ${adminUrl}`]),
  ];
  return { ...message, text: lines.join('\n') };
}
