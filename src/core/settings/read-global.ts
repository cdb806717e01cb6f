declare const ServiceDonorsForms: unknown;

/**
 * A page can also declare `ServiceDonorsForms` with `let`, which creates no property of `window`.
 */
export function readGlobalSettings(window: object, key = 'settings'): unknown {
  try {
    // `typeof` avoids a ReferenceError, whose stack takes 10 ms on a slow phone.
    const isDeclared = typeof ServiceDonorsForms !== 'undefined';
    const holder =
      isDeclared && !('ServiceDonorsForms' in window) ? { ServiceDonorsForms } : window;
    return getOwnProperty(getOwnProperty(holder, 'ServiceDonorsForms'), key);
  } catch {
    return undefined;
  }
}

/** Reading a revoked proxy throws an error. */
export function isReadableObject(value: unknown): boolean {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns an object's own property, or `undefined` if there is none or reading it throws. */
export function getOwnProperty(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
      ? (holder as Record<string, unknown>)[name]
      : undefined;
  } catch {
    return undefined;
  }
}

export function getOwnPropertyAtPath(holder: unknown, names: readonly string[]): unknown {
  let value = holder;
  for (const name of names) value = getOwnProperty(value, name);
  return value;
}

/**
 * Returns the result of the page's function, which can be a promise. Without a function, returns
 * true if the script's `data-consent` attribute is `granted`.
 */
export function readConsent(attribute: string | undefined): unknown {
  const getConsent = readGlobalSettings(globalThis, 'consent');
  return typeof getConsent === 'function'
    ? (getConsent as () => unknown)()
    : attribute === 'granted';
}
