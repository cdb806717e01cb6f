/** Built packages, by the end of their name. */
interface BuiltModules {
  readonly server: typeof import('../../src/server/index.ts');
  readonly sandbox: typeof import('../../src/sandbox/index.ts');
}

/** Imports a built module with the types of its source, so that type checks need no build. */
export function importBuilt<Name extends keyof BuiltModules>(
  name: Name,
): Promise<BuiltModules[Name]> {
  const url = new URL(`../../dist/donation-form-${name}/lib/index.js`, import.meta.url);
  return import(url.href) as Promise<BuiltModules[Name]>;
}
