import { CONJUNCT_OPERATORS, parseEnumValue } from '../data/enumerations.ts';
import {
  assertKnownNames,
  createRequestError,
  formatForMessage,
  isCalendarDate,
  isJsonObject,
  type JsonObject,
} from '../lib/request-parsing.ts';
import {
  getQueryOptions,
  LIST_OPERATORS,
  OPERATORS_WITHOUT_VALUE,
  type QueryOptions,
  type QueryParameter,
} from './query-options.ts';

/** A record's field values, keyed by parameter name. */
export type FieldValues = Readonly<Record<string, string | number | null>>;

export interface Query {
  readonly matches: (values: FieldValues) => boolean;
  /** Columns to return. If undefined, the query returns all columns. */
  readonly columns: readonly string[] | undefined;
}

type Condition = (values: FieldValues) => boolean;

const BODY_FIELDS = [
  'queryType',
  'groups',
  'conjunct',
  'selectedColumns',
  'skip',
  'take',
  'filter',
  'sortBy',
  'descending',
];

/** Differences between an endpoint's queries and the specification. */
export interface QueryVariant {
  readonly options: QueryOptions;
  /** If true, a condition can list its operands in a `values` array. */
  readonly acceptsValues: boolean;
}

/**
 * Parses a query request model. The specification does not name the field for the conjunct
 * operator. In the sandbox, the field is `conjunct`, which contains the name or number of a
 * `ConjunctOperator`. The request's `conjunct` joins groups, and a group's `conjunct` joins
 * conditions. Default: And.
 * @param queryTypes allowed values of `queryType`.
 * @throws HTTPException if the body is invalid. The message lists the allowed values.
 */
export function parseQuery(
  body: JsonObject,
  queryTypes: readonly (string | number)[],
  variant: QueryVariant = {
    options: getQueryOptions('Campaign'),
    acceptsValues: false,
  },
): Query {
  assertKnownNames('query field', Object.keys(body), BODY_FIELDS);
  if (!queryTypes.some((queryType) => queryType === body.queryType))
    throw createRequestError(
      `queryType is ${formatForMessage(body.queryType)}; this endpoint expects ${queryTypes.join(' or ')}.`,
    );
  const { options } = variant;
  const { groups, selectedColumns } = body;
  if (!Array.isArray(groups) || !groups.every(isJsonObject))
    throw createRequestError(
      'groups must be an array of objects, each with an array of conditions.',
    );
  const columns = selectedColumns ?? undefined;
  if (columns !== undefined && !isStringArray(columns))
    throw createRequestError('selectedColumns must be an array of strings.');
  assertKnownNames('column', columns ?? [], options.columns);
  return {
    matches: combineConditions(
      groups.map((group) => parseGroup(group, variant)),
      body.conjunct,
    ),
    columns,
  };
}

function parseGroup(group: JsonObject, variant: QueryVariant): Condition {
  assertKnownNames('group field', Object.keys(group), ['conditions', 'conjunct']);
  const { conditions } = group;
  if (!Array.isArray(conditions) || conditions.length === 0 || !conditions.every(isJsonObject))
    throw createRequestError('Each group must have a conditions array with at least one object.');
  return combineConditions(
    conditions.map((condition) => parseCondition(condition, variant)),
    group.conjunct,
  );
}

function combineConditions(
  conditions: readonly Condition[],
  conjunct: unknown = CONJUNCT_OPERATORS.And,
): Condition {
  const value = parseEnumValue(CONJUNCT_OPERATORS, conjunct);
  if (value === undefined)
    throw createRequestError(
      `conjunct is ${formatForMessage(conjunct)}; expected And (0) or Or (1).`,
    );
  if (value === CONJUNCT_OPERATORS.And || conditions.length === 0)
    return (values) => conditions.every((matches) => matches(values));
  return (values) => conditions.some((matches) => matches(values));
}

function parseCondition(
  condition: JsonObject,
  { options: { parameters }, acceptsValues }: QueryVariant,
): Condition {
  assertKnownNames('condition field', Object.keys(condition), [
    'parameter',
    'operator',
    'value',
    'secondaryValue',
    ...(acceptsValues ? ['values'] : []),
  ]);
  const parameter = parameters.find(({ name }) => name === condition.parameter);
  if (!parameter)
    throw createRequestError(
      `parameter is ${formatForMessage(condition.parameter)}; expected one of ` +
        `${parameters.map(({ name }) => name).join(', ')}.`,
    );
  const { name } = parameter;
  const operator = parameter.operators.find((candidate) => candidate === condition.operator);
  if (!operator)
    throw createRequestError(
      `The operator for ${name} is ${formatForMessage(condition.operator)}; expected one of ` +
        `${parameter.operators.join(', ')}.`,
    );
  if (condition.secondaryValue !== undefined && operator !== 'Between')
    throw createRequestError(
      `secondaryValue requires the Between operator; the condition for ${name} uses ${operator}.`,
    );
  if (operator === 'IsTrue' || operator === 'IsFalse')
    return ({ [name]: value }) => value === (operator === 'IsTrue' ? 'True' : 'False');
  if (OPERATORS_WITHOUT_VALUE.includes(operator))
    return ({ [name]: value }) => ['IsKnown', 'IsSet'].includes(operator) === isNonEmpty(value);

  const operands = parseOperands(condition, LIST_OPERATORS.includes(operator), name).map((item) =>
    parseOperandValue(parameter, item),
  );
  const expected = operands[0]!;
  const upperBound =
    operator === 'Between'
      ? parseOperandValue(parameter, parseOperandText(condition, 'secondaryValue', name))
      : expected;
  return ({ [name]: value = null }) => {
    const actual = typeof value === 'string' ? value.toLowerCase() : value;
    switch (operator) {
      case 'Is':
        return actual === expected;
      case 'IsNot':
        return actual !== expected;
      case 'In':
      case 'IsIn':
      case 'IsAnyOf':
      case 'HasAny':
        return actual !== null && operands.includes(actual);
      case 'NotIn':
      case 'IsNotIn':
      case 'IsNoneOf':
      case 'HasNone':
        return actual === null || !operands.includes(actual);
      case 'DoesNotContain':
        return !String(actual ?? '').includes(String(expected));
    }
    if (actual === null) return false;
    switch (operator) {
      case 'LessThan':
      case 'Before':
        return actual < expected;
      case 'LessThanOrEqual':
      case 'OnOrBefore':
        return actual <= expected;
      case 'GreaterThan':
      case 'After':
        return actual > expected;
      case 'GreaterThanOrEqual':
      case 'OnOrAfter':
        return actual >= expected;
      case 'Between':
        return actual >= expected && actual <= upperBound;
      case 'Contains':
        return String(actual).includes(String(expected));
      case 'StartsWith':
        return String(actual).startsWith(String(expected));
      case 'EndsWith':
        return String(actual).endsWith(String(expected));
      case 'Matches':
        return matchesPattern(String(actual), String(expected));
    }
    return false;
  };
}

/**
 * Returns true if the whole text matches the pattern, in which `*` stands for any text. The
 * specification does not define the pattern of `Matches`.
 */
function matchesPattern(text: string, pattern: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return text === pattern;
  const end = parts.pop()!;
  if (!text.startsWith(start) || text.length < start.length + end.length || !text.endsWith(end))
    return false;
  const last = text.length - end.length;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > last) return false;
    at = found + part.length;
  }
  return true;
}

function isNonEmpty(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}

function parseOperands(condition: JsonObject, isList: boolean, name: string): string[] {
  const { values } = condition;
  if (isList && isStringArray(values) && values.length > 0) return values;
  const operand = parseOperandText(condition, 'value', name);
  return isList ? operand.split(',').map((item) => item.trim()) : [operand];
}

function parseOperandText(
  condition: JsonObject,
  field: 'value' | 'secondaryValue',
  name: string,
): string {
  const operand = condition[field];
  if (typeof operand !== 'string')
    throw createRequestError(
      `${field} must be a string; the condition for ${name} uses ${String(condition.operator)}.`,
    );
  return operand;
}

/**
 * Converts an operand to its parameter's type. Number parameters become numbers, and all other
 * parameters become lowercase text.
 */
function parseOperandValue(
  { name, type, values = [] }: QueryParameter,
  text: string,
): string | number {
  if (type === 'number') {
    if (!/^-?\d+(\.\d+)?$/.test(text))
      throw createRequestError(`The value for ${name} is '${text}'; expected a number.`);
    return Number(text);
  }
  if (type === 'date' && !isCalendarDate(text))
    throw createRequestError(
      `The value for ${name} is '${text}'; expected a date in the format yyyy-mm-dd.`,
    );
  if (type === 'enum' && !values.includes(text))
    throw createRequestError(
      `The value for ${name} is '${text}'; expected one of ${values.join(', ')}.`,
    );
  return text.toLowerCase();
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
