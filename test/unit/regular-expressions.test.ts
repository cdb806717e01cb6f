import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';
import ts from 'typescript';

/**
 * Lengths of the inputs. A search that takes exponential time is already slow with the short inputs,
 * and would not end with the long ones.
 */
const LENGTHS = [24, 40, 16_000];
/** Maximum CPU time of a search in milliseconds. */
const MAX_TIME = 5;
const MAX_ATTEMPTS = 5;

/** Characters of the inputs, besides those in the regular expression itself. */
const CHARACTERS = ' a0\nA\t.-,_@/<"\\é😀';
/** Ends of the inputs, most of which prevent a match. */
const SUFFIXES = ['', '\0', '\n!', 'a'];

/** Lists the regular expression literals of `src` with the first place of each. */
function listLiterals(): Map<string, string> {
  const literals = new Map<string, string>();
  for (const path of globSync('src/**/*.ts', { exclude: ['src/*/test/**'] })) {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) && !literals.has(node.text)) {
        const { line } = file.getLineAndCharacterOfPosition(node.end);
        literals.set(node.text, `${path}:${line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return literals;
}

/** Text that could make a search slow if a part of it is repeated. */
interface Input {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const createText = ({ prefix, pump, suffix }: Input, length: number): string =>
  (prefix + pump.repeat(length / pump.length)).slice(0, length) + suffix;

/** Lists inputs that repeat each part that the pattern can match repeatedly. */
function listInputs(literal: string): Input[] {
  const { pattern, flags } = parseRegExpLiteral(literal);
  const characters = rankCharacters(literal);
  const toSample = (element: AST.Element): string => {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const set = new RegExp(`^${element.raw}$`, flags.raw.replaceAll(/[gy]/g, ''));
        return characters.find((character) => set.test(character)) ?? '';
      }
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives[0]!.elements.map(toSample).join('');
      case 'Quantifier':
        return toSample(element.element).repeat(Math.max(element.min, 1));
      default:
        return '';
    }
  };
  const inputs: Input[] = [];
  const addInputs = (prefix: string, pumps: readonly string[]): void => {
    for (const pump of new Set(pumps))
      if (pump !== '') for (const suffix of SUFFIXES) inputs.push({ prefix, pump, suffix });
  };
  const visit = (alternatives: readonly AST.Alternative[], start: string): void => {
    for (const { elements } of alternatives) {
      let prefix = start;
      for (const element of elements) {
        const sample = toSample(element);
        const part = element.type === 'Quantifier' ? element.element : element;
        const groups = 'alternatives' in part ? part.alternatives : [];
        if (part !== element) {
          const samples = groups.map(({ elements: own }) => own.map(toSample).join(''));
          addInputs(prefix, [sample, ...samples, ...characters.slice(0, 4)]);
          addInputs('', [prefix + sample, prefix]);
        }
        visit(groups, prefix);
        prefix += sample;
      }
    }
  };
  visit(pattern.alternatives, '');
  return inputs;
}

/** Returns characters, those that most parts of the pattern match first. */
function rankCharacters(literal: string): string[] {
  const { flags } = parseRegExpLiteral(literal);
  const sets: RegExp[] = [];
  const addSet = ({ raw }: AST.Node): void => {
    sets.push(new RegExp(`^(?:${raw})$`, flags.raw.replaceAll(/[gy]/g, '')));
  };
  visitRegExpAST(parseRegExpLiteral(literal), {
    onCharacterSetEnter: addSet,
    onCharacterClassEnter: addSet,
  });
  const countMatches = (character: string): number =>
    sets.filter((set) => set.test(character)).length;
  return Array.from(new Set(CHARACTERS + literal)).sort(
    (one, other) => countMatches(other) - countMatches(one),
  );
}

/**
 * Returns the shortest CPU time of several searches in milliseconds. Searches only once if the time
 * is so long that no other program can be the reason.
 */
function measureSearch(expression: RegExp, text: string): number {
  let time = Infinity;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && time > MAX_TIME; attempt += 1) {
    const start = process.cpuUsage();
    text.replace(expression, '');
    const { user, system } = process.cpuUsage(start);
    time = Math.min(time, (user + system) / 1_000);
    if (time > 20 * MAX_TIME) break;
  }
  return time;
}

function findSlowInput(literal: string): string | undefined {
  const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(literal)!;
  const expression = new RegExp(source!, flags);
  for (const input of listInputs(literal))
    for (const length of LENGTHS) {
      const time = measureSearch(expression, createText(input, length));
      if (time > MAX_TIME)
        return `${time.toFixed(1)} ms for ${length} characters of ${JSON.stringify(input)}`;
    }
  return undefined;
}

test('finds inputs that make a regular expression slow', () => {
  for (const literal of [
    String.raw`/^(\D*?)\s*(\d.*)$/`,
    String.raw`/\s+$/`,
    String.raw`/^(a|b|ab)*c/`,
    String.raw`/^(\w+)*$/`,
    String.raw`/<script.*?<\/script>/s`,
  ])
    assert.notEqual(findSlowInput(literal), undefined, literal);
  assert.equal(findSlowInput(String.raw`/^\s*(\d+)[a-z]*$/`), undefined);
});

test('searches any text of 16,000 characters within 5 ms with each regular expression', () => {
  const literals = listLiterals();
  assert.ok(literals.size > 200);
  const slow = [...literals].flatMap(([literal, place]) => {
    const input = findSlowInput(literal);
    return input === undefined ? [] : [`${place} ${literal}: ${input}`];
  });
  assert.deepEqual(slow, []);
});
