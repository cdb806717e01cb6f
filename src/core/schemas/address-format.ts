import { z } from 'zod';
import { ADDRESS_FIELDS, CITY_LABELS, POSTAL_LABELS, STATE_LABELS } from '../donor/address.ts';

/** Response body of `GET /countries`: the ISO 3166-1 countries. */
export const countryList = z.array(
  z.strictObject({
    code: z.string().length(2).describe('ISO 3166-1 alpha-2'),
    alpha3: z.string().length(3).describe('ISO 3166-1 alpha-3'),
  }),
);
export type CountryList = z.infer<typeof countryList>;

/** Response body of a request such as `GET /countries/DE`: the address without the country. */
export const addressFormat = z.strictObject({
  lines: z
    .array(z.array(z.enum(ADDRESS_FIELDS)).min(1))
    .describe('address fields in display order; fields in the same array share a row'),
  required: z.array(z.enum(ADDRESS_FIELDS)).describe('fields that a deliverable address requires'),
  labels: z.strictObject({
    city: z.enum(CITY_LABELS),
    state: z.enum(STATE_LABELS),
    postal: z.enum(POSTAL_LABELS),
  }),
  states: z
    .array(
      z.strictObject({
        code: z
          .string()
          .describe(
            'second part of the ISO 3166-2 code, such as CA in US-CA, if the state has one',
          ),
        name: z.string().describe('name in the local script'),
        latin: z
          .string()
          .optional()
          .describe('name in Latin script, if the local script is not Latin'),
      }),
    )
    .optional()
    .describe('states to choose from; if absent, the state is a free-text field'),
  postal: z
    .strictObject({
      pattern: z
        .string()
        .describe('regular expression that matches an entire uppercase postal code'),
      example: z.string(),
    })
    .optional()
    .describe('format of postal codes; if absent, any postal code is valid'),
});
export type AddressFormat = z.infer<typeof addressFormat>;
