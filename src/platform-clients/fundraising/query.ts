import {
  type ConjunctOperator,
  type QueryOperatorName,
  QueryType,
  type QueryTypeName,
} from './enumerations.ts';
import { InvalidQueryError } from './errors.ts';
import type { Paging, UntypedRecord } from './wire.ts';

/**
 * A condition (Fundraising Platform API, "Query request model"). Operands of every type are strings.
 */
export interface QueryCondition {
  readonly parameter: string;
  readonly operator: QueryOperatorName;
  /** For `Between`, the inclusive lower bound. */
  readonly value?: string;
  /** The inclusive upper bound. Only for `Between`. */
  readonly secondaryValue?: string;
  /**
   * Operands of a list operator, such as `IsAnyOf`, instead of `value`. Undocumented, but live
   * platforms expect it.
   */
  readonly values?: readonly [string, ...string[]];
}

/** Conditions (Fundraising Platform API, "Query request model"). */
export interface QueryGroup {
  readonly conditions: readonly [QueryCondition, ...QueryCondition[]];
  /** Joins the conditions. Requires {@link QueryShape.conjunctField}. */
  readonly conjunct?: keyof typeof ConjunctOperator;
}

/** A query (Fundraising Platform API, "Query request model"). */
export interface QueryRequest extends Paging {
  readonly groups: readonly QueryGroup[];
  /** Joins the groups. Requires {@link QueryShape.conjunctField}. */
  readonly conjunct?: keyof typeof ConjunctOperator;
  /** Fields in the results; all by default. */
  readonly selectedColumns?: readonly string[];
  /** The allowed values depend on the endpoint. */
  readonly sortBy?: string;
  readonly descending?: boolean;
}

/** Parameters and operators that a query can use, and fields that the query results can contain. */
export interface QueryOptions {
  readonly parameters: readonly { readonly name: string; readonly operators: readonly string[] }[];
  readonly columns: readonly string[];
}

/** Undocumented query details, which the platform's support team knows. */
export interface QueryShape {
  /** Parses the response of `GET /api/query/options/{queryType}`. */
  readonly parseOptions?: (body: unknown) => QueryOptions;
  /** Request field for the operator that joins conditions or groups. */
  readonly conjunctField?: string;
  /** Format of `queryType`: `name` (the default), or `value`, which live clients send. */
  readonly queryTypeFormat?: 'name' | 'value';
}

/**
 * Checks that the query options allow a query.
 * @throws {InvalidQueryError} if the query options do not allow the query. The message contains the
 *   path, the value, and the allowed values.
 *
 * @example
 * ```ts
 * import { checkQuery } from 'donation-platform-clients/fundraising';
 *
 * const options = { parameters: [{ name: 'givingGoal', operators: ['Between'] }], columns: ['id'] };
 * const condition = { parameter: 'givingGoal', operator: 'Is', value: '1000' } as const;
 * try {
 *   checkQuery({ skip: 0, take: 20, groups: [{ conditions: [condition] }] }, options);
 * } catch (error) {
 *   console.log((error as Error).name); // InvalidQueryError
 * }
 * ```
 */
export function checkQuery(
  { groups, selectedColumns = [] }: QueryRequest,
  { parameters, columns }: QueryOptions,
): void {
  groups.forEach(({ conditions }, groupIndex) => {
    if (conditions.length < 1)
      throw new InvalidQueryError(
        `groups.${groupIndex}.conditions is empty; expected at least one condition.`,
      );
    conditions.forEach((condition, index) =>
      assertValidCondition(condition, parameters, `groups.${groupIndex}.conditions.${index}`),
    );
  });
  selectedColumns.forEach((column, index) => {
    if (!columns.includes(column))
      throw new InvalidQueryError(
        `selectedColumns.${index} is '${column}'; expected one of ${columns.join(', ')}.`,
      );
  });
}

const UNARY_OPERATORS: readonly QueryOperatorName[] = [
  'IsKnown',
  'IsNotKnown',
  'IsTrue',
  'IsFalse',
  'IsSet',
  'IsNotSet',
];

const LIST_OPERATORS: readonly QueryOperatorName[] = [
  'In',
  'NotIn',
  'IsAnyOf',
  'IsNoneOf',
  'IsIn',
  'IsNotIn',
  'HasAny',
  'HasNone',
];

function assertValidCondition(
  { parameter, operator, value, secondaryValue, values }: QueryCondition,
  parameters: QueryOptions['parameters'],
  path: string,
): void {
  const reject = (problem: string): never => {
    throw new InvalidQueryError(path + problem);
  };
  const known = parameters.find(({ name }) => name === parameter);
  const names = parameters.map(({ name }) => name).join(', ');
  if (!known) return reject(`.parameter is '${parameter}'; expected one of ${names}.`);
  const supported = known.operators.join(', ');
  if (!known.operators.includes(operator))
    reject(`.operator is '${operator}'; ${parameter} supports ${supported}.`);
  if (values !== undefined && value !== undefined)
    reject(' has both value and values; expected only one of the two.');
  if (values !== undefined && !LIST_OPERATORS.includes(operator))
    reject(
      `.values is set, but the operator is ${operator}; expected one of ` +
        `${LIST_OPERATORS.join(', ')}.`,
    );
  const hasOperand = value !== undefined || values !== undefined;
  if (operator !== 'Between' && !hasOperand && !UNARY_OPERATORS.includes(operator))
    reject(`.value is missing; ${operator} requires a string value.`);
  if (operator === 'Between' && (value === undefined || secondaryValue === undefined))
    reject(
      ' uses Between but lacks a bound; expected value (inclusive lower bound) and ' +
        'secondaryValue (inclusive upper bound).',
    );
  if (operator !== 'Between' && secondaryValue !== undefined)
    reject(
      `.secondaryValue is set, but the operator is ${operator}; only Between has a second bound.`,
    );
}

/**
 * Builds the request body of a query, for example for a call that looks up a gift. The
 * specification does not document such a call.
 * @throws {InvalidQueryError} if the query contains a `conjunct` but `conjunctField` is not set.
 *
 * @example
 * ```ts
 * import { toQueryBody } from 'donation-platform-clients/fundraising';
 *
 * const condition = { parameter: 'Transaction Id', operator: 'Is', value: 'ch_1' } as const;
 * const request = { skip: 0, take: 1, groups: [{ conditions: [condition] }] } as const;
 * const body = toQueryBody('Gift', request, { queryTypeFormat: 'value' });
 * console.log(body.queryType); // 3
 * ```
 */
export function toQueryBody(
  queryType: QueryTypeName,
  request: QueryRequest,
  { conjunctField, queryTypeFormat = 'name' }: QueryShape = {},
): UntypedRecord {
  const renameConjunct = (
    { conjunct, ...part }: QueryRequest | QueryGroup,
    path: string,
  ): UntypedRecord => {
    if (conjunct === undefined) return part;
    if (conjunctField === undefined)
      throw new InvalidQueryError(
        `${path}conjunct is '${conjunct}', but the specification does not document the ` +
          'request field for conjuncts. Pass the name of the field: new FundraisingClient({ ' +
          'query: { conjunctField } }).',
      );
    return { ...part, [conjunctField]: conjunct };
  };
  return {
    queryType: queryTypeFormat === 'value' ? QueryType[queryType] : queryType,
    ...renameConjunct(request, ''),
    groups: request.groups.map((group, index) => renameConjunct(group, `groups.${index}.`)),
  };
}

/**
 * Returns a record's values, keyed by column. Some platforms return these values in a `metadata`
 * array, in the order of the selected columns. The specification does not document the array.
 * @throws {TypeError} if the record has no `metadata` array, or if the array does not have exactly
 *   one value for each column.
 *
 * @example
 * ```ts
 * import { readMetadata } from 'donation-platform-clients/fundraising';
 *
 * const item = { id: 7, metadata: ['7', '$1,200.00'] };
 * console.log(readMetadata(item, ['Id', 'Amount']).Amount); // $1,200.00
 * ```
 */
export function readMetadata(
  { metadata }: UntypedRecord,
  selectedColumns: readonly string[],
): UntypedRecord {
  if (!Array.isArray(metadata) || metadata.length !== selectedColumns.length)
    throw new TypeError(
      'The record has ' +
        `${Array.isArray(metadata) ? `a metadata array of length ${metadata.length}` : 'no metadata array'}; ` +
        `expected one value per selected column (${selectedColumns.length}). Select columns by ` +
        'their display names.',
    );
  return Object.fromEntries(
    selectedColumns.map((column, index) => [column, metadata[index] as unknown]),
  );
}
