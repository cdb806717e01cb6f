/** Writes the OpenAPI documents of the server's own APIs in `docs/reference/openapi`. */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { stringify } from 'yaml';
import { createAdminDocument, createPublicDocument } from './openapi-documents.ts';

const DOCUMENTS = { server: createPublicDocument(), 'server-admin': createAdminDocument() };

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = `docs/reference/openapi/${name}.yaml`;
  const text = stringify(document, { aliasDuplicateObjects: false });
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'yaml' }));
}
