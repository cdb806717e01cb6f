import { z } from 'zod';
import { ADDRESS_FIELDS, CITY_LABELS, POSTAL_LABELS, STATE_LABELS } from '../donor/address.ts';

/** What `GET /countries` answers: the countries of ISO 3166-1. */
export const countryList = z.array(
  z.strictObject({
    code: z.string().length(2).describe('ISO 3166-1 alpha-2'),
    alpha3: z.string().length(3).describe('ISO 3166-1 alpha-3'),
  }),
);
export type CountryList = z.infer<typeof countryList>;

/**
 * What `GET /countries/DE` answers: how an address of the country is written. The country itself
 * stands before it.
 */
export const addressFormat = z.strictObject({
  lines: z
    .array(z.array(z.enum(ADDRESS_FIELDS)).min(1))
    .describe(
      'the fields that the country uses, in its order; those of one row stand beside each other',
    ),
  required: z.array(z.enum(ADDRESS_FIELDS)).describe('the fields without which nothing arrives'),
  labels: z.strictObject({
    city: z.enum(CITY_LABELS),
    state: z.enum(STATE_LABELS),
    postal: z.enum(POSTAL_LABELS),
  }),
  states: z
    .array(
      z.strictObject({
        code: z.string().describe('the second part of ISO 3166-2, where there is one'),
        name: z.string().describe("in the country's own writing"),
        latin: z.string().optional().describe('in Latin letters, where the name is not'),
      }),
    )
    .optional()
    .describe('absent: the state, if there is one, is written freely'),
  postal: z
    .strictObject({
      pattern: z
        .string()
        .describe('a regular expression for the whole of a postal code in capitals'),
      example: z.string(),
    })
    .optional()
    .describe('absent: any postal code will do'),
});
export type AddressFormat = z.infer<typeof addressFormat>;
