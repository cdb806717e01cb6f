declare const ServiceDonorsForms: unknown;

/**
 * Returns the page's settings: `window.ServiceDonorsForms.settings`, or another property of that
 * object. Also finds an object declared with `let`, which is not a property of `window`.
 */
export function readGlobalSettings(window: object, key = 'settings'): unknown {
  try {
    // Throws a ReferenceError if the page does not declare the object.
    const holder = 'ServiceDonorsForms' in window ? window : { ServiceDonorsForms };
    return getOwnProperty(getOwnProperty(holder, 'ServiceDonorsForms'), key);
  } catch {
    return undefined;
  }
}

/** Returns true for objects except arrays and revoked proxies, which cannot be read. */
export function isReadableObject(value: unknown): boolean {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * Returns an object's own property. Returns `undefined` for other values and if a getter throws.
 */
export function getOwnProperty(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
      ? (holder as Record<string, unknown>)[name]
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the visitor's consent: the result of `window.ServiceDonorsForms.consent()`, which may be
 * a promise. If the page has no such function, returns true if the script's `data-consent`
 * attribute is `granted`.
 */
export function readConsent(attribute: string | undefined): unknown {
  const getConsent = readGlobalSettings(globalThis, 'consent');
  return typeof getConsent === 'function'
    ? (getConsent as () => unknown)()
    : attribute === 'granted';
}
