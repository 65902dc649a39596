import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { patchedSchema } from './patched-schemas.ts';

// `default`: both packages are CommonJS, and their types describe the module object.
const ajv = new Ajv.default({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema(patchedSchema('versioned-release-validation-schema.json'));
// The package schemas refer to the id of the release schema, which patching keeps: they get the patched one.
ajv.addSchema(patchedSchema('release-schema.json'));
const validators = {
  releases: ajv.compile(patchedSchema('release-package-schema.json')),
  records: ajv.compile(patchedSchema('record-package-schema.json')),
};

/** What the official schemas, with the extensions, say against a package (ocds.md 7.1): `<keyword> <path>` each. Offline. */
export function schemaErrors(kind: keyof typeof validators, content: unknown): readonly string[] {
  const validate = validators[kind];
  if (validate(content)) return [];
  return (validate.errors ?? []).map(({ keyword, instancePath, message }) => `${keyword} ${instancePath}: ${message}`);
}
