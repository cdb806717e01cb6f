import { GIFT_STATUSES, type QueryOperator } from '../data/enumerations.ts';

/** A queryable value type. */
export type ValueType = 'number' | 'string' | 'date' | 'enum';

export interface Parameter {
  readonly name: string;
  readonly type: ValueType;
  readonly operators: readonly QueryOperator[];
  /** The values of an enum. */
  readonly values?: readonly string[];
}

export interface QueryOptions {
  readonly parameters: readonly Parameter[];
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

/** Operators that take no value. */
export const WITHOUT_VALUE: readonly QueryOperator[] = ['IsKnown', 'IsNotKnown'];

/** Operators whose value is a list, written with commas; that it is so is the sandbox's own. */
export const WITH_LIST: readonly QueryOperator[] = ['In', 'NotIn', 'IsAnyOf', 'IsNoneOf'];

/** Where a campaign stands on the clock's day; a parameter of the sandbox's own. */
export const PHASES = ['Upcoming', 'Running', 'Ended'] as const;

const CAMPAIGN_COLUMNS = [
  'id',
  'name',
  'description',
  'startDate',
  'endDate',
  'givingGoal',
  'avgGiftGoal',
];
const none: QueryOptions = { parameters: [], columns: [] };

/**
 * What the options endpoint lists for a query type. The sandbox queries campaigns only; of donors,
 * gifts and projects it lists what could be asked.
 */
export function optionsOf(queryType: string): QueryOptions {
  return Object.hasOwn(OPTIONS, queryType) ? OPTIONS[queryType]! : none;
}

function parameter(name: string, type: ValueType, values?: readonly string[]): Parameter {
  return { name, type, operators: OPERATORS[type], ...(values && { values }) };
}

const OPTIONS: Readonly<Record<string, QueryOptions>> = {
  Campaign: {
    parameters: [
      parameter('id', 'number'),
      parameter('name', 'string'),
      parameter('description', 'string'),
      parameter('startDate', 'date'),
      parameter('endDate', 'date'),
      parameter('givingGoal', 'number'),
      parameter('avgGiftGoal', 'number'),
      parameter('phase', 'enum', PHASES),
    ],
    columns: CAMPAIGN_COLUMNS,
  },
  Donor: {
    parameters: [
      parameter('id', 'number'),
      parameter('firstName', 'string'),
      parameter('lastName', 'string'),
      parameter('email', 'string'),
      parameter('created', 'date'),
    ],
    columns: ['id', 'firstName', 'lastName', 'email', 'created'],
  },
  Gift: {
    parameters: [
      parameter('id', 'number'),
      parameter('reference', 'string'),
      parameter('amount', 'number'),
      parameter('created', 'date'),
      parameter('status', 'enum', Object.keys(GIFT_STATUSES)),
    ],
    columns: ['id', 'reference', 'amount', 'currency', 'created', 'status'],
  },
  Project: {
    parameters: [
      parameter('id', 'number'),
      parameter('code', 'string'),
      parameter('name', 'string'),
    ],
    columns: ['id', 'code', 'name', 'description'],
  },
};
