import type { IgnoredSettings, FormDefinition } from '@donation-form/core/schemas';
import { isMistake, mergeHidden } from '@donation-form/core/settings';
import { namesSomebody } from '@donation-form/core/donor';
import { DonationFormSettingIgnoredEvent } from '../events/setting-ignored-event.ts';
import type { FormLoader } from '../form/form-loader.ts';

/** How many names one report carries at most. */
const MOST = 50;
const told = new WeakMap<EventTarget, Set<string>>();

/**
 * Raises an event for each mistake in a form's settings that was not told yet, and has those
 * counted at the endpoint that nobody cancels.
 */
export function reportIgnoredSettings(
  form: EventTarget,
  source: FormLoader,
  definition: FormDefinition,
): void {
  const known = told.get(form) ?? new Set<string>();
  const { settings } = source.page;
  const { origins, ignored, candidates } = source.decisions!;
  const hidden = mergeHidden(definition, candidates);
  const { segment } = hidden.settings;
  told.set(form, known);
  if (settings != null && (typeof settings !== 'object' || Array.isArray(settings)))
    warnOnce('the settings in window.ServiceDonorsForms are no object, so nothing of them is read');
  if (origins.projectOverride?.name.endsWith('projectOverrideCode'))
    warnOnce('projectOverrideCode is deprecated: use projectCodeOverride');
  const counted = [...ignored, ...hidden.decisions.ignored].flatMap((one) => {
    const key = `${one.layer} ${countedName(one.name)} ${one.reason}`;
    if (!isMistake(one.reason) || known.has(key)) return [];
    known.add(key);
    return form.dispatchEvent(new DonationFormSettingIgnoredEvent(one))
      ? [{ name: countedName(one.name), reason: one.reason }]
      : [];
  });
  if (counted.length > 0)
    report(source.base, {
      form: definition.id,
      ...(segment !== undefined && !namesSomebody(segment) && { segment }),
      ignored: counted.slice(0, MOST),
    });
}

const said = new Set<string>();

/** Tells the page's author something, once a page. */
function warnOnce(text: string): void {
  if (!said.has(text)) console.warn(`donation-form: ${text}.`);
  said.add(text);
}

/** `POST /ignored-settings`. Whether it arrives matters to nobody who is on the page. */
function report(base: string, body: IgnoredSettings): void {
  fetch(`${base}ignored-settings`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    credentials: 'omit',
    keepalive: true,
  }).catch(() => undefined);
}

/** A name without its place in a list, and without what somebody made up. */
function countedName(name: string): string {
  const [plain = ''] = name.split('[');
  if (plain.startsWith('customFieldPreset')) return 'customFieldPreset';
  return plain.includes('.') ? plain : plain.toLowerCase();
}
