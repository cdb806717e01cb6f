/** The npm packages whose code is part of ours: their license texts, and a bill of materials. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ThirdPartyPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, if the package's manifest has one. */
  readonly license: string | undefined;
  readonly licenseTexts: readonly string[];
}

/**
 * Finds the npm packages that modules come from.
 * @param modules paths of files.
 * @throws {Error} if a package has neither a license file nor names its license.
 */
export function findThirdPartyPackages(modules: Iterable<string>): ThirdPartyPackage[] {
  const folders = Array.from(
    modules,
    (module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0],
  );
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].map(
    readThirdPartyPackage,
  );
  // A package may be installed in several places.
  return [...new Map(packages.map((one) => [`${one.name}@${one.version}`, one])).values()].sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

/** @throws {Error} if the package has neither a license file nor names its license. */
export function readThirdPartyPackage(folder: string): ThirdPartyPackage {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Omit<ThirdPartyPackage, 'licenseTexts'>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const licenseTexts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (licenseTexts.length === 0 && !license) throw new Error(`${name} does not name its license`);
  return { name, version, license, licenseTexts };
}

/** Formats the notices that redistribution of the packages' code requires. */
export function formatNotices(packages: readonly ThirdPartyPackage[]): string {
  const sections = packages.map(({ name, version, license, licenseTexts }) =>
    [`${name} ${version}${license ? ` (${license})` : ''}`, ...licenseTexts].join('\n\n'),
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Third-party notices\n\nThis software includes code of these packages.${rule}${sections.join(rule)}\n`;
}

/** A library in a bill of materials. */
interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly [{ readonly expression: string }];
}

/**
 * Creates a software bill of materials in the CycloneDX format.
 * @param subject the package that is described.
 * @param parts the packages that are inlined into it or that it declares as dependencies.
 */
export function createSbom(
  subject: Omit<ThirdPartyPackage, 'licenseTexts'>,
  parts: readonly ThirdPartyPackage[],
): object {
  const component = toComponent(subject);
  const components = parts.map(toComponent);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
    dependencies: [
      { ref: component['bom-ref'], dependsOn: components.map((part) => part['bom-ref']) },
    ],
  };
}

/** See https://github.com/package-url/purl-spec for the URL. */
function toComponent({
  name,
  version,
  license,
}: Omit<ThirdPartyPackage, 'licenseTexts'>): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license && { licenses: [{ expression: license }] }),
  };
}
