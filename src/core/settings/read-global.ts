declare const ServiceDonorsForms: unknown;

/**
 * What a page has put into `window.ServiceDonorsForms`, under `settings` or another key.
 * A page that declared the object with `let` has no property of that name, and an element of that
 * name is none either.
 */
export function settingsOf(page: object, key = 'settings'): unknown {
  try {
    // Without a declaration, naming the object throws.
    const holder = 'ServiceDonorsForms' in page ? page : { ServiceDonorsForms };
    return own(own(holder, 'ServiceDonorsForms'), key);
  } catch {
    return undefined;
  }
}

/**
 * An own property of a plain value; `undefined` for anything else, a getter that throws included.
 */
export function own(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
      ? (holder as Record<string, unknown>)[name]
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the visitor agrees, as a script's page says: `window.ServiceDonorsForms.consent`, a
 * function that says true or promises it, or else the attribute `data-consent="granted"` of the
 * script's tag.
 */
export function consentOf(attribute: string | undefined): unknown {
  const ask = settingsOf(globalThis, 'consent');
  return typeof ask === 'function' ? (ask as () => unknown)() : attribute === 'granted';
}
