import { CONJUNCTS, valueOf } from '../data/enumerations.ts';
import {
  optionsOf,
  WITH_LIST,
  WITHOUT_VALUE,
  type Parameter,
  type QueryOptions,
} from './query-options.ts';
import {
  isObject,
  type JsonObject,
  refusal,
  refuseUnknown,
  shown,
} from '../lib/request-parsing.ts';

/** A record, as a condition sees it: the values of its parameters. */
export type Values = Readonly<Record<string, string | number | null>>;

export interface Query {
  readonly matches: (values: Values) => boolean;
  /** Which columns to return; `undefined` for all. */
  readonly columns: readonly string[] | undefined;
}

type Condition = (values: Values) => boolean;

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

/**
 * Reads a query request model ('Query request model'). The field of the conjunct operator is not
 * shown there: here it is `conjunct`,
 * on the request between groups and on a group between conditions, as a name or value of
 * ConjunctOperator, And where it is missing.
 * @throws a refusal that lists what is allowed.
 */
export function readQuery(body: JsonObject, queryType: string): Query {
  refuseUnknown('field of a query', Object.keys(body), BODY_FIELDS);
  if (body.queryType !== queryType)
    throw refusal(`queryType is ${shown(body.queryType)}; this endpoint expects ${queryType}.`);
  const options = optionsOf(queryType);
  const { groups, selectedColumns } = body;
  if (!Array.isArray(groups) || !groups.every(isObject))
    throw refusal('groups is required: an array of objects, each with an array of conditions.');
  const columns = selectedColumns ?? undefined;
  if (columns !== undefined && !isTexts(columns))
    throw refusal('selectedColumns must be an array of strings.');
  refuseUnknown('column of this query', columns ?? [], options.columns);
  return {
    matches: joined(
      groups.map((group) => readGroup(group, options)),
      body.conjunct,
    ),
    columns,
  };
}

function readGroup(group: JsonObject, options: QueryOptions): Condition {
  refuseUnknown('field of a group', Object.keys(group), ['conditions', 'conjunct']);
  const { conditions } = group;
  if (!Array.isArray(conditions) || conditions.length === 0 || !conditions.every(isObject))
    throw refusal('Each group needs conditions: an array of one object or more.');
  return joined(
    conditions.map((condition) => readCondition(condition, options)),
    group.conjunct,
  );
}

function joined(conditions: readonly Condition[], conjunct: unknown = CONJUNCTS.And): Condition {
  const value = valueOf(CONJUNCTS, conjunct);
  if (value === undefined)
    throw refusal(`conjunct is ${shown(conjunct)}; expected And (0) or Or (1).`);
  if (value === CONJUNCTS.And || conditions.length === 0)
    return (values) => conditions.every((matches) => matches(values));
  return (values) => conditions.some((matches) => matches(values));
}

function readCondition(condition: JsonObject, { parameters }: QueryOptions): Condition {
  refuseUnknown('field of a condition', Object.keys(condition), [
    'parameter',
    'operator',
    'value',
    'secondaryValue',
  ]);
  const parameter = parameters.find(({ name }) => name === condition.parameter);
  if (!parameter)
    throw refusal(
      `${shown(condition.parameter)} is no parameter of this query; expected one of ${parameters.map(({ name }) => name).join(', ')}.`,
    );
  const { name } = parameter;
  const operator = parameter.operators.find((known) => known === condition.operator);
  if (!operator)
    throw refusal(
      `${shown(condition.operator)} is no operator of ${name}; expected one of ${parameter.operators.join(', ')}.`,
    );
  if (condition.secondaryValue !== undefined && operator !== 'Between')
    throw refusal(`secondaryValue is for Between only; ${name} has ${operator}.`);
  if (WITHOUT_VALUE.includes(operator))
    return ({ [name]: found }) => (operator === 'IsKnown') === isKnown(found);

  const written = readOperand(condition, 'value', name);
  const operands = (
    WITH_LIST.includes(operator) ? written.split(',').map((one) => one.trim()) : [written]
  ).map((one) => readValue(parameter, one));
  const first = operands[0]!;
  const last =
    operator === 'Between'
      ? readValue(parameter, readOperand(condition, 'secondaryValue', name))
      : first;
  return ({ [name]: value = null }) => {
    const found = typeof value === 'string' ? value.toLowerCase() : value;
    switch (operator) {
      case 'Is':
        return found === first;
      case 'IsNot':
        return found !== first;
      case 'In':
      case 'IsAnyOf':
        return found !== null && operands.includes(found);
      case 'NotIn':
      case 'IsNoneOf':
        return found === null || !operands.includes(found);
      case 'DoesNotContain':
        return !String(found ?? '').includes(String(first));
    }
    if (found === null) return false;
    switch (operator) {
      case 'LessThan':
      case 'Before':
        return found < first;
      case 'LessThanOrEqual':
      case 'OnOrBefore':
        return found <= first;
      case 'GreaterThan':
      case 'After':
        return found > first;
      case 'GreaterThanOrEqual':
      case 'OnOrAfter':
        return found >= first;
      case 'Between':
        return found >= first && found <= last;
      case 'Contains':
        return String(found).includes(String(first));
      case 'StartsWith':
        return String(found).startsWith(String(first));
      case 'EndsWith':
        return String(found).endsWith(String(first));
    }
    return false;
  };
}

function isKnown(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}

function readOperand(
  condition: JsonObject,
  field: 'value' | 'secondaryValue',
  name: string,
): string {
  const operand = condition[field];
  if (typeof operand !== 'string')
    throw refusal(`${field} is required for ${name} with ${String(condition.operator)}: a string.`);
  return operand;
}

/** An operand as the parameter's type compares: a number, a day, or text in lower case. */
function readValue({ name, type, values = [] }: Parameter, written: string): string | number {
  if (type === 'number') {
    if (!/^-?\d+(\.\d+)?$/.test(written))
      throw refusal(`value '${written}' of ${name} is no number.`);
    return Number(written);
  }
  if (type === 'date' && !isDay(written))
    throw refusal(`value '${written}' of ${name} is no date; expected yyyy-mm-dd.`);
  if (type === 'enum' && !values.includes(written))
    throw refusal(
      `value '${written}' of ${name} is not known; expected one of ${values.join(', ')}.`,
    );
  return written.toLowerCase();
}

/** Whether a text is a day of the calendar, written `yyyy-mm-dd`. */
export function isDay(written: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(written) &&
    !Number.isNaN(Date.parse(written)) &&
    new Date(written).toISOString().startsWith(written)
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
