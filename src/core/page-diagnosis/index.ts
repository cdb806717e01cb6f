export * from './diagnose-endpoint.ts';
export * from './diagnose-page.ts';
export * from './mistakes.ts';
export * from './page-facts.ts';
export * from './problem.ts';
export * from './script-tag.ts';
