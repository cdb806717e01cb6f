import { isJsonObject } from '../lib/request-parsing.ts';
import { createErrorDetail, type ErrorDetail, InvalidRequestError } from './api-error.ts';

/** Expected shape of a value in a request body. */
export type Shape =
  | {
      readonly type: 'string';
      readonly min?: number;
      readonly max?: number;
      readonly pattern?: RegExp;
      readonly values?: readonly string[];
    }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' }
  | {
      readonly type: 'array';
      readonly items: Shape;
      readonly min?: number;
      readonly max?: number;
    }
  | {
      readonly type: 'object';
      readonly fields?: Readonly<Record<string, Shape>>;
      readonly required?: readonly string[];
    };

/** Names and descriptions of validation issues, which differ between PayPal's APIs. */
export interface IssueNames {
  readonly tooShort: string;
  readonly tooLong: string;
  readonly tooFew: string;
  readonly tooMany: string;
  readonly missing: string;
  readonly invalidValue: string;
}

/** Issues that Orders v2 and Payments v2 report. */
export const ORDER_ISSUES: IssueNames = {
  tooShort: 'INVALID_STRING_LENGTH',
  tooLong: 'INVALID_STRING_LENGTH',
  tooFew: 'INVALID_ARRAY_MIN_ITEMS',
  tooMany: 'INVALID_ARRAY_MAX_ITEMS',
  missing: 'A required parameter is missing.',
  invalidValue: 'A parameter value is not valid.',
};

/** Issues that Catalog Products v1 and Subscriptions v1 report. */
export const BILLING_ISSUES: IssueNames = {
  tooShort: 'INVALID_STRING_MIN_LENGTH',
  tooLong: 'INVALID_STRING_MAX_LENGTH',
  tooFew: 'INVALID_PARAMETER_VALUE',
  tooMany: 'INVALID_PARAMETER_VALUE',
  missing: 'A required field is missing.',
  invalidValue: 'The value of a field is invalid.',
};

export const MONEY_SHAPE: Shape = {
  type: 'object',
  fields: {
    currency_code: { type: 'string', min: 3, max: 3 },
    value: { type: 'string', max: 32, pattern: /^((-?\d+)|(-?(\d+)?[.]\d+))$/ },
  },
  required: ['currency_code', 'value'],
};

/**
 * Checks a request body. Like PayPal, ignores unknown fields.
 * @throws InvalidRequestError with one detail for each invalid field.
 */
export function assertRequestShape(body: unknown, shape: Shape, issues: IssueNames): void {
  const details = findShapeErrors(body, shape, '', issues);
  if (details.length > 0) throw new InvalidRequestError(details);
}

function findShapeErrors(
  value: unknown,
  shape: Shape,
  field: string,
  issues: IssueNames,
): ErrorDetail[] {
  const report = (issue: string): ErrorDetail[] => [
    createErrorDetail(issue, {
      field,
      ...(typeof value === 'string' && { value }),
      location: 'body',
      ...(issue === 'INVALID_PARAMETER_VALUE' && { description: issues.invalidValue }),
    }),
  ];
  switch (shape.type) {
    case 'string': {
      if (typeof value !== 'string') return report('INVALID_PARAMETER_SYNTAX');
      if (value.length < (shape.min ?? 1)) return report(issues.tooShort);
      if (value.length > (shape.max ?? Infinity)) return report(issues.tooLong);
      if (shape.values && !shape.values.includes(value)) return report('INVALID_PARAMETER_VALUE');
      return shape.pattern && !shape.pattern.test(value) ? report('INVALID_PARAMETER_SYNTAX') : [];
    }
    case 'integer': {
      if (!Number.isInteger(value)) return report('INVALID_PARAMETER_SYNTAX');
      if (Number(value) < shape.min) return report('INVALID_INTEGER_MIN_VALUE');
      return Number(value) > shape.max ? report('INVALID_INTEGER_MAX_VALUE') : [];
    }
    case 'boolean':
      return typeof value === 'boolean' ? [] : report('INVALID_PARAMETER_SYNTAX');
    case 'array': {
      if (!Array.isArray(value)) return report('INVALID_PARAMETER_SYNTAX');
      if (value.length < (shape.min ?? 0)) return report(issues.tooFew);
      if (value.length > (shape.max ?? Infinity)) return report(issues.tooMany);
      return value.flatMap((item, index) =>
        findShapeErrors(item, shape.items, `${field}/${index}`, issues),
      );
    }
    case 'object': {
      if (!isJsonObject(value)) return report('INVALID_PARAMETER_SYNTAX');
      return [
        ...(shape.required ?? [])
          .filter((name) => !(name in value))
          .map((name) =>
            createErrorDetail('MISSING_REQUIRED_PARAMETER', {
              field: `${field}/${name}`,
              location: 'body',
              description: issues.missing,
            }),
          ),
        ...Object.entries(shape.fields ?? {}).flatMap(([name, child]) =>
          name in value ? findShapeErrors(value[name], child, `${field}/${name}`, issues) : [],
        ),
      ];
    }
  }
}
