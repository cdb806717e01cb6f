declare const ServiceDonorsForms: unknown;

/**
 * What a page has put into `window.ServiceDonorsForms`, under `settings` or another key.
 * A page that declared the object with `let` has no property of that name, and an element of that name is none either.
 */
export function settingsOf(page: object, key = 'settings'): unknown {
  try {
    return own('ServiceDonorsForms' in page ? own(page, 'ServiceDonorsForms') : typeof ServiceDonorsForms === 'undefined' ? undefined : ServiceDonorsForms, key);
  } catch {
    return undefined;
  }
}

/** An own property of a plain value; `undefined` for anything else, a getter that throws included. */
export function own(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}
