import { Hono } from 'hono';
export function page(_: object): Hono { return new Hono(); }
