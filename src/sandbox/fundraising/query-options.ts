import { CAMPAIGN_PHASES } from '../data/campaign-phase.ts';
import { GIFT_STATUSES, type QueryOperator } from '../data/enumerations.ts';

/** Queryable value type. */
export type ValueType = 'number' | 'string' | 'date' | 'enum';

export interface QueryParameter {
  readonly name: string;
  readonly type: ValueType;
  readonly operators: readonly QueryOperator[];
  /** Allowed values, if the parameter is an enumeration. */
  readonly values?: readonly string[];
}

export interface QueryOptions {
  readonly parameters: readonly QueryParameter[];
  readonly columns: readonly string[];
}

const OPERATORS: Readonly<Record<ValueType, readonly QueryOperator[]>> = {
  number: [
    'Is',
    'IsNot',
    'IsKnown',
    'IsNotKnown',
    'LessThan',
    'LessThanOrEqual',
    'GreaterThan',
    'GreaterThanOrEqual',
    'Between',
    'In',
    'NotIn',
  ],
  string: [
    'Is',
    'IsNot',
    'IsKnown',
    'IsNotKnown',
    'Contains',
    'DoesNotContain',
    'StartsWith',
    'EndsWith',
  ],
  date: [
    'Is',
    'IsNot',
    'IsKnown',
    'IsNotKnown',
    'Before',
    'After',
    'OnOrBefore',
    'OnOrAfter',
    'Between',
  ],
  enum: ['Is', 'IsNot', 'IsAnyOf', 'IsNoneOf'],
};

/** Operators that do not take a value. */
export const OPERATORS_WITHOUT_VALUE: readonly QueryOperator[] = ['IsKnown', 'IsNotKnown'];

/**
 * Operators that take a comma-separated list. The specification does not document the list format.
 */
export const LIST_OPERATORS: readonly QueryOperator[] = ['In', 'NotIn', 'IsAnyOf', 'IsNoneOf'];

const CAMPAIGN_COLUMNS = [
  'id',
  'name',
  'description',
  'startDate',
  'endDate',
  'givingGoal',
  'avgGiftGoal',
];
const NO_OPTIONS: QueryOptions = { parameters: [], columns: [] };

/**
 * Returns the options of a query type. The sandbox runs only campaign queries, but also lists
 * options for donors, gifts, and projects.
 */
export function getQueryOptions(queryType: string): QueryOptions {
  return Object.hasOwn(OPTIONS, queryType) ? OPTIONS[queryType]! : NO_OPTIONS;
}

function createParameter(
  name: string,
  type: ValueType,
  values?: readonly string[],
): QueryParameter {
  return { name, type, operators: OPERATORS[type], ...(values && { values }) };
}

const OPTIONS: Readonly<Record<string, QueryOptions>> = {
  Campaign: {
    parameters: [
      createParameter('id', 'number'),
      createParameter('name', 'string'),
      createParameter('description', 'string'),
      createParameter('startDate', 'date'),
      createParameter('endDate', 'date'),
      createParameter('givingGoal', 'number'),
      createParameter('avgGiftGoal', 'number'),
      createParameter('phase', 'enum', CAMPAIGN_PHASES),
    ],
    columns: CAMPAIGN_COLUMNS,
  },
  Donor: {
    parameters: [
      createParameter('id', 'number'),
      createParameter('firstName', 'string'),
      createParameter('lastName', 'string'),
      createParameter('email', 'string'),
      createParameter('created', 'date'),
    ],
    columns: ['id', 'firstName', 'lastName', 'email', 'created'],
  },
  Gift: {
    parameters: [
      createParameter('id', 'number'),
      createParameter('reference', 'string'),
      createParameter('amount', 'number'),
      createParameter('created', 'date'),
      createParameter('status', 'enum', Object.keys(GIFT_STATUSES)),
    ],
    columns: ['id', 'reference', 'amount', 'currency', 'created', 'status'],
  },
  Project: {
    parameters: [
      createParameter('id', 'number'),
      createParameter('code', 'string'),
      createParameter('name', 'string'),
    ],
    columns: ['id', 'code', 'name', 'description'],
  },
};
