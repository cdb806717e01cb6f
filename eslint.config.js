import parser from '@typescript-eslint/parser';
import { defineConfig, globalIgnores } from 'eslint/config';
import { configs as lit } from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import importSort from 'eslint-plugin-simple-import-sort';
import { configs as wc } from 'eslint-plugin-wc';

const TEMPLATE_FILES = ['src/donation-form/**/*.ts', 'src/admin-ui/**/*.ts'];

/** Rules that oxlint does not have; .oxlintrc.json has the others. */
export default defineConfig(
  globalIgnores([
    'dist/',
    '.data/',
    'test-results/',
    'examples/next/.next/',
    'examples/{angular,react,svelte,vue}/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.ts'], languageOptions: { parser } },
  {
    // `export { type … }` loads the module at run time, which dependency-cruiser does not see.
    files: ['**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ExportNamedDeclaration[source][exportKind="value"]:not(:has(> ExportSpecifier[exportKind="value"]))',
          message: 'Write `export type { … } from` instead of `export { type … } from`.',
        },
        {
          selector:
            'TaggedTemplateExpression[tag.name="css"] > TemplateLiteral[expressions.length>0]',
          message:
            "The form's build drops everything after a value in styles. Use a custom property.",
        },
      ],
    },
  },
  {
    rules: {
      'max-len': [
        'error',
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreUrls: true },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs,ts}'],
    plugins: { 'import-sort': importSort },
    // One group, without blank lines: Node's modules, packages, our packages, files.
    rules: {
      'import-sort/imports': [
        'error',
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^@donation-form/', '^', '^\\.']] },
      ],
    },
  },
  { files: TEMPLATE_FILES, ...lit['flat/recommended'] },
  {
    files: TEMPLATE_FILES,
    ...wc['flat/recommended'],
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
  },
  {
    files: TEMPLATE_FILES,
    plugins: { 'lit-a11y': litA11y },
    rules: litA11y.configs.recommended.rules,
  },
);
