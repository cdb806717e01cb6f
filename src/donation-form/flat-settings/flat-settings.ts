import { SETTING_PATHS } from '@donation-form/core/settings';

/** Converts `{ firstName, amount, onSuccess }`. The form reports unknown names at the top level. */
export function toPageSettings(flat: unknown): unknown {
  if (typeof flat !== 'object' || flat === null || Array.isArray(flat)) return flat;
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat as Record<string, unknown>)) {
    const path = SETTING_PATHS.find(([, candidate]) => candidate.endsWith(`.${name}`))?.[1];
    const section = path?.split('.')[0];
    if (section === undefined) settings[name] = value;
    else settings[section] = { ...(settings[section] as object | undefined), [name]: value };
  }
  return settings;
}

/** Converts on each read, unless the page sets `settings` itself, before or after this call. */
export function connectFlatSettings(holder: object, readFlat: () => unknown): void {
  if (Object.hasOwn(holder, 'settings')) return;
  Object.defineProperty(holder, 'settings', {
    configurable: true,
    enumerable: true,
    get: () => toPageSettings(readFlat()),
    set: (value: unknown) => {
      Object.defineProperty(holder, 'settings', {
        configurable: true,
        enumerable: true,
        writable: true,
        value,
      });
    },
  });
}
