import { CAMPAIGN_PHASES } from '../data/campaign-phase.ts';
import {
  ADDRESS_TYPES,
  FREQUENCIES,
  GIFT_STATUSES,
  type QueryOperator,
  type QueryType,
  RECURRING_GIFT_STATUSES,
} from '../data/enumerations.ts';

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
    'Matches',
    'IsIn',
    'IsNotIn',
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
  enum: ['Is', 'IsNot', 'IsAnyOf', 'IsNoneOf', 'HasAny', 'HasNone', 'IsSet', 'IsNotSet'],
};

/** Values of an enumeration that stands for a boolean, which is not a queryable type. */
const BOOLEANS = ['True', 'False'];

/** Operators that do not take a value. */
export const OPERATORS_WITHOUT_VALUE: readonly QueryOperator[] = [
  'IsKnown',
  'IsNotKnown',
  'IsSet',
  'IsNotSet',
  'IsTrue',
  'IsFalse',
];

/**
 * Operators that take a comma-separated list. The specification does not document the list format.
 */
export const LIST_OPERATORS: readonly QueryOperator[] = [
  'In',
  'NotIn',
  'IsIn',
  'IsNotIn',
  'IsAnyOf',
  'IsNoneOf',
  'HasAny',
  'HasNone',
];

const CAMPAIGN_COLUMNS = [
  'id',
  'name',
  'description',
  'startDate',
  'endDate',
  'givingGoal',
  'avgGiftGoal',
];
/**
 * Returns the options of a query type. The specification documents only the endpoint that runs
 * campaign queries.
 */
export function getQueryOptions(queryType: QueryType): QueryOptions {
  return OPTIONS[queryType];
}

function createParameter(
  name: string,
  type: ValueType,
  values?: readonly string[],
): QueryParameter {
  return { name, type, operators: OPERATORS[type], ...(values && { values }) };
}

function createBooleanParameter(name: string): QueryParameter {
  return { name, type: 'enum', operators: ['Is', 'IsNot', 'IsTrue', 'IsFalse'], values: BOOLEANS };
}

/** Creates the options of a query type whose columns are its parameters. */
function createOptions(...parameters: readonly QueryParameter[]): QueryOptions {
  return { parameters, columns: parameters.map(({ name }) => name) };
}

const OPTIONS: Readonly<Record<QueryType, QueryOptions>> = {
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
      createBooleanParameter('isRunning'),
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
  DonorAddress: createOptions(
    createParameter('donorId', 'number'),
    createParameter('type', 'enum', Object.keys(ADDRESS_TYPES)),
    createParameter('address1', 'string'),
    createParameter('city', 'string'),
    createParameter('state', 'string'),
    createParameter('postal', 'string'),
    createParameter('country', 'string'),
  ),
  RecurringGift: createOptions(
    createParameter('id', 'number'),
    createParameter('amount', 'number'),
    createParameter('frequency', 'enum', Object.keys(FREQUENCIES)),
    createParameter('status', 'enum', Object.keys(RECURRING_GIFT_STATUSES)),
    createParameter('created', 'date'),
  ),
  Premium: createOptions(
    createParameter('id', 'number'),
    createParameter('code', 'string'),
    createParameter('name', 'string'),
    createBooleanParameter('isActive'),
  ),
  Page: createOptions(
    createParameter('id', 'number'),
    createParameter('name', 'string'),
    createParameter('created', 'date'),
  ),
  Segment: createOptions(
    createParameter('id', 'number'),
    createParameter('code', 'string'),
    createParameter('name', 'string'),
  ),
  Other: createOptions(createParameter('id', 'number'), createParameter('name', 'string')),
};
