import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

/** An inlined dependency of each package. */
const PACKAGES = {
  'dist/donation-form': 'lit-html',
  'dist/donation-form-server': 'lit-html',
  'dist/donation-form-sandbox': 'hono',
  'dist/donation-platform-clients': 'fast-xml-parser',
};
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
/** Start of a script with third-party code, after an optional compile hint. */
const START = new RegExp(
  `^(//# allFunctionsCalledOnLoad\\n)?/\\*! Third-party licenses: ${NOTICES} \\*/\\n`,
);

interface Sbom {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

const readSbom = (folder: string): Sbom =>
  JSON.parse(readFileSync(`${folder}/sbom.cdx.json`, 'utf8')) as Sbom;

test('each package has a valid CycloneDX bill of materials', () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  for (const format of ['idn-email', 'iri-reference']) ajv.addFormat(format, true);
  const readSchema = (name: string): object => {
    const file = `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`;
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  };
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(readSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(readSchema('bom-1.6'));
  for (const folder of Object.keys(PACKAGES)) {
    const sbom = readSbom(folder);
    validate(sbom);
    assert.deepEqual(validate.errors ?? [], []);
    const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
      name: string;
      version: string;
    };
    assert.deepEqual(
      [sbom.metadata.component.name, sbom.metadata.component.version],
      [name, version],
    );
  }
});

test('each package lists its inlined and declared dependencies, with the licenses of the inlined ones', () => {
  for (const [folder, dependency] of Object.entries(PACKAGES)) {
    const notices = readFileSync(`${folder}/${NOTICES}`, 'utf8');
    const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
      dependencies: object;
    };
    const components = readSbom(folder).components.map(({ name, version }) => `${name} ${version}`);
    const inlined = components.filter((component) => notices.includes(`\n${component} (`));
    assert.ok(inlined.some((component) => component.startsWith(`${dependency} `)));
    for (const component of components) {
      const name = component.split(' ')[0]!;
      assert.ok(inlined.includes(component) || name in dependencies, component);
    }
    for (const name of Object.keys(dependencies))
      assert.ok(
        components.some((component) => component.startsWith(`${name} `)),
        name,
      );
    assert.ok(notices.split('Permission is hereby granted').length > 2);
  }
});

test('browser scripts with third-party code start with a reference to the notices file next to them', () => {
  for (const folder of ['dist/donation-form/scripts', 'dist/donation-form-server/assets']) {
    assert.ok(existsSync(`${folder}/${NOTICES}`), folder);
    const script = readFileSync(`${folder}/donation-form.js`, 'utf8');
    assert.match(script, START);
    // Lit's license requires its notice. These markers identify Lit's code.
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue;
      const code = readFileSync(`${folder}/${file}`, 'utf8');
      if (/litHtmlVersions|reactiveElementVersions|litElementVersions/.test(code))
        assert.match(code, START, file);
    }
  }
});
