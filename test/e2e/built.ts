/** Modules of the package as users import them: from `dist/`, which `npm run build` makes. */
interface BuiltModules {
  readonly server: typeof import('../../src/server/index.ts');
  readonly sandbox: typeof import('../../src/sandbox/index.ts');
}

/** Imports a built module. Its types come from its source, so they can be checked without a build. */
export function importBuilt<Name extends keyof BuiltModules>(
  name: Name,
): Promise<BuiltModules[Name]> {
  const file = name === 'server' ? 'index' : name;
  const url = new URL(`../../dist/donation-form-server/lib/${file}.js`, import.meta.url);
  return import(url.href) as Promise<BuiltModules[Name]>;
}
