import { IGNORED_MEMBERS_HEADER, ignoredMembersHeader } from '@procurement/contracts/problems/ignored-members';
import { isJsonObject } from '@procurement/contracts/reading/json-object';
import type { Codec, EncodeContext } from './codec.ts';
import { REQUIRED_TEXT } from './error-descriptions.ts';

type Path = readonly string[];

/**
 * Response headers with `Ignored-Members` in the names of the generation. A refusal of the same members would have these names
 * (generations.md 7), so the codec that encodes refusals makes them.
 */
export function withEncodedIgnoredMembers(
  headers: Record<string, string>,
  codec: Codec,
  context: Omit<EncodeContext, 'status'>,
): Record<string, string> {
  const header = headers[IGNORED_MEMBERS_HEADER];
  if (header === undefined || codec.segment === '2.5') return headers;
  const paths = header.split(', ').flatMap((pointer) => encodedPaths(codec, context, parsePointer(pointer)));
  const unique = [...new Map(paths.map((path) => [path.join('/'), path])).values()];
  const { [IGNORED_MEMBERS_HEADER]: _canonical, ...rest } = headers;
  return unique.length === 0 ? rest : { ...rest, [IGNORED_MEMBERS_HEADER]: ignoredMembersHeader(unique) };
}

/** Reads the path from a pointer that a service made. */
function parsePointer(pointer: string): Path {
  const steps = decodeURI(pointer).split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function encodedPaths(codec: Codec, context: Omit<EncodeContext, 'status'>, path: Path): readonly Path[] {
  const [member = '', ...inner] = path;
  // The name of a hidden member stays with this text.
  let description: unknown = REQUIRED_TEXT;
  for (const step of inner.toReversed()) description = { [step]: description };
  const refusal = { status: 'error', errors: [{ location: 'body', name: member, description }] };
  const encoded: unknown = JSON.parse(codec.encodeResponse({ ...context, status: 403 }, JSON.stringify(refusal)));
  const errors: unknown = isJsonObject(encoded) ? encoded['errors'] : undefined;
  const [error]: readonly unknown[] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(error) || typeof error['name'] !== 'string') return [];
  const { name, description: encodedDescription } = error;
  // A change by segment 0.1 may have members that the client did not send, such as defaults.
  const wasSent =
    context.sent === undefined || Object.hasOwn(context.sent, name) || Object.hasOwn(context.sent, member);
  return wasSent ? innerPaths(encodedDescription).map((steps) => [name, ...steps]) : [];
}

function innerPaths(description: unknown): readonly Path[] {
  if (!isJsonObject(description)) return [[]];
  return Object.entries(description).flatMap(([step, inner]) => innerPaths(inner).map((steps) => [step, ...steps]));
}
