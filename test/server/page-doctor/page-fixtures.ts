import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'test/fixtures/pages';

export interface FixtureFile {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** URL whose content is the body. */
  readonly copy?: string;
}

/** A page to diagnose; test/fixtures/pages/README.md describes the format. */
export interface PageFixture extends FixtureFile {
  readonly kind: 'broken' | 'healthy';
  readonly name: string;
  readonly body: string;
  readonly expect?: string;
  readonly mentions?: readonly string[];
  /** Origin at which to open the page, or `file`. */
  readonly open?: string;
  readonly files?: Readonly<Record<string, FixtureFile>>;
}

export function readPageFixtures(kind: PageFixture['kind']): PageFixture[] {
  return readdirSync(`${FOLDER}/${kind}`)
    .filter((file) => file.endsWith('.html'))
    .map((file) => readFixture(kind, file));
}

function readFixture(kind: PageFixture['kind'], file: string): PageFixture {
  const text = readFileSync(`${FOLDER}/${kind}/${file}`, 'utf8');
  const [comment = '', json = '{}'] = /^<!--\s*(\{.*?\})\s*-->\n?/s.exec(text) ?? [];
  return {
    ...(JSON.parse(json) as Partial<PageFixture>),
    kind,
    name: file.replace('.html', ''),
    body: text.slice(comment.length),
  };
}
