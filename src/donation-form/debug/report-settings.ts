import { containsPersonalData } from '@donation-form/core/donor';
import type { FormDefinition, SettingsReport } from '@donation-form/core/schemas';
import {
  isMistake,
  isReadableObject,
  resolveOptionalSettings,
  SettingResolver,
} from '@donation-form/core/settings';
import { DonationFormSettingIgnoredEvent } from '../events/setting-ignored-event.ts';
import type { FormSession } from '../form/form-session.ts';
import type { FormStore } from '../form/form-store.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { explainForm } from './explain-form.ts';
import { findPageMistakes } from './find-mistakes.ts';
import { warnAboutSettings } from './warn-about-settings.ts';
import { warnOnce } from './warn-once.ts';

const MAX_REPORTED = 50;
const reportedSettings = new WeakMap<EventTarget, Set<string>>();

/** Reports ignored settings and mistakes. No failed diagnosis stops the donor. */
export function reportSettings(form: FormStore): void {
  reportMistakes(form).catch(() => undefined);
  updateDebugPanel(form).catch(() => undefined);
}

async function reportMistakes({ element, session, context }: FormStore): Promise<void> {
  reportIgnoredSettings(element, session!, context!.definition);
  warnAboutSettings(session!, context!);
}

/** Dispatches an event for each newly ignored mistake. Reports those that no listener cancels. */
function reportIgnoredSettings(
  form: EventTarget,
  session: FormSession,
  definition: FormDefinition,
): void {
  const reported = reportedSettings.get(form) ?? new Set<string>();
  const { settings } = session.pageContext;
  const { origins, ignored } = session.resolver!;
  const resolver = new SettingResolver(session.pageContext.readSettings(definition));
  const { segment } = resolveOptionalSettings(resolver, definition);
  reportedSettings.set(form, reported);
  if (settings !== undefined && settings !== null && !isReadableObject(settings))
    warnOnce('Ignored the settings in window.ServiceDonorsForms: expected an object');
  if (origins.projectOverride?.name.endsWith('projectOverrideCode'))
    warnOnce('projectOverrideCode is deprecated; use projectCodeOverride');
  const entries = [...ignored, ...resolver.ignored].flatMap((setting) => {
    const key = `${setting.source} ${toReportName(setting.name)} ${setting.reason}`;
    if (!isMistake(setting.reason) || reported.has(key)) return [];
    reported.add(key);
    return form.dispatchEvent(new DonationFormSettingIgnoredEvent(setting))
      ? [{ name: toReportName(setting.name), reason: setting.reason }]
      : [];
  });
  if (entries.length > 0)
    postReport(session.endpointUrl, {
      form: definition.id,
      ...(segment !== undefined && !containsPersonalData(segment) && { segment }),
      ignored: entries.slice(0, MAX_REPORTED),
    });
}

/** Ignores failures, because the form works without the report. */
function postReport(base: string, body: SettingsReport): void {
  fetch(`${base}settings-report`, {
    method: 'POST',
    body: stringifyJson(body),
    headers: { 'Content-Type': 'application/json' },
    credentials: 'omit',
    keepalive: true,
  }).catch(() => undefined);
}

/** Returns a setting's name without a list index or the ID of a custom field or consent. */
function toReportName(name: string): string {
  const [baseName = ''] = name.split('[');
  if (baseName.startsWith('customFieldPreset')) return 'customFieldPreset';
  const [, kind] = /^(field|consent)\./i.exec(baseName) ?? [];
  if (kind !== undefined) return kind.toLowerCase();
  return baseName.includes('.') ? baseName : baseName.toLowerCase();
}

async function updateDebugPanel(form: FormStore): Promise<void> {
  const { session, context } = form;
  if (!session!.pageContext.isDebugRequested) {
    if (form.debugPanel) await form.update({ debugPanel: undefined });
    return;
  }
  const { renderDebugPanel, debugStyles } = await import('./debug-panel.ts');
  form.adoptStyles(debugStyles);
  const explanation = explainForm(session!, context!);
  await form.update({
    debugPanel: renderDebugPanel(explanation, context!, findPageMistakes(form.element)),
  });
}
