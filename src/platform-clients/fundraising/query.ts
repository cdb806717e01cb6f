import type { ConjunctOperator, QueryOperatorName, QueryTypeName } from './enumerations.ts';
import { InvalidQueryError } from './errors.ts';
import type { OpenRecord, Paging } from './wire.ts';

/**
 * Fundraising Platform API, 'Query request model'. Operands are texts, whatever their type: date,
 * number, string, enum.
 */
export interface QueryCondition {
  readonly parameter: string;
  readonly operator: QueryOperatorName;
  /** The operand; for Between the inclusive lower bound. */
  readonly value?: string;
  /** Only for Between: the inclusive upper bound. */
  readonly secondaryValue?: string;
}

/** Conditions of a query that are joined: Fundraising Platform API, 'Query request model'. */
export interface QueryGroup {
  readonly conditions: readonly [QueryCondition, ...QueryCondition[]];
  /** How its conditions are joined. Needs {@link QueryShape.conjunctField}. */
  readonly conjunct?: keyof typeof ConjunctOperator;
}

/** A query: Fundraising Platform API, 'Query request model'. */
export interface QueryRequest extends Paging {
  readonly groups: readonly QueryGroup[];
  /** How the groups are joined. Needs {@link QueryShape.conjunctField}. */
  readonly conjunct?: keyof typeof ConjunctOperator;
  /** The result's fields; all of them where absent. */
  readonly selectedColumns?: readonly string[];
}

/**
 * What a query may ask: each parameter with the operators that it supports, and the fields of the
 * result.
 */
export interface QueryOptions {
  readonly parameters: readonly { readonly name: string; readonly operators: readonly string[] }[];
  readonly columns: readonly string[];
}

/**
 * What the specification does not show of queries, so that somebody who knows the platform has to
 * say it.
 */
export interface QueryShape {
  /** Makes the options of the answer of `GET /api/query/options/{queryType}`. */
  readonly readOptions?: (body: unknown) => QueryOptions;
  /** The field that carries the conjunct operator between conditions or groups. */
  readonly conjunctField?: string;
}

/**
 * Checks a query against its options.
 * @throws {InvalidQueryError} naming the place, what was found and what is allowed.
 */
export function checkQuery(
  { groups, selectedColumns = [] }: QueryRequest,
  { parameters, columns }: QueryOptions,
): void {
  groups.forEach(({ conditions }, group) => {
    if (conditions.length < 1)
      throw new InvalidQueryError(
        `groups.${group}.conditions is empty; expected one or more conditions.`,
      );
    conditions.forEach((condition, index) =>
      checkCondition(condition, parameters, `groups.${group}.conditions.${index}`),
    );
  });
  selectedColumns.forEach((column, index) => {
    if (!columns.includes(column))
      throw new InvalidQueryError(
        `selectedColumns.${index} is '${column}'; this query has ${columns.join(', ')}.`,
      );
  });
}

function checkCondition(
  { parameter, operator, value, secondaryValue }: QueryCondition,
  parameters: QueryOptions['parameters'],
  at: string,
): void {
  const known = parameters.find(({ name }) => name === parameter);
  if (!known)
    throw new InvalidQueryError(
      `${at}.parameter is '${parameter}'; this query has ${parameters.map(({ name }) => name).join(', ')}.`,
    );
  if (!known.operators.includes(operator))
    throw new InvalidQueryError(
      `${at}.operator is '${operator}'; ${parameter} supports ${known.operators.join(', ')}.`,
    );
  if (operator === 'Between' && (value === undefined || secondaryValue === undefined))
    throw new InvalidQueryError(
      `${at} is Between and lacks a bound; expected value, the inclusive lower one, and secondaryValue, the inclusive upper one.`,
    );
  if (operator !== 'Between' && secondaryValue !== undefined)
    throw new InvalidQueryError(
      `${at}.secondaryValue stands with ${operator}; only Between has a second bound.`,
    );
}

/**
 * A query as it is sent.
 * @throws {InvalidQueryError} where it uses a conjunct and nobody said in which field.
 */
export function queryBody(
  queryType: QueryTypeName,
  request: QueryRequest,
  { conjunctField }: QueryShape,
): OpenRecord {
  const joined = ({ conjunct, ...part }: QueryRequest | QueryGroup, at: string): OpenRecord => {
    if (conjunct === undefined) return part;
    if (conjunctField === undefined)
      throw new InvalidQueryError(
        `${at}conjunct is '${conjunct}', and the specification does not show in which field a conjunct is sent. Give the client the field's name: new FundraisingClient({ query: { conjunctField } }).`,
      );
    return { ...part, [conjunctField]: conjunct };
  };
  return {
    queryType,
    ...joined(request, ''),
    groups: request.groups.map((group, at) => joined(group, `groups.${at}.`)),
  };
}
