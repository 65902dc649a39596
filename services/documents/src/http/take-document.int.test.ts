import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../test-support/document-facts.ts';
import { buildForm, sendForm } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();

describe('owner token in a form', () => {
  const token = { disposition: 'name="acc_token"', content: TOKENS.tender };
  const file = { disposition: 'name="file"; filename="a.pdf"', type: 'application/pdf', content: 'a' };
  const caller = signedIdentity({ broker: 'broker1' });

  it.each([
    ['before the file', [token, file], 201],
    ['after the file', [file, token], 403],
    ['absent', [file], 403],
    ['wrong', [{ ...token, content: 'another' }, file], 403],
  ])('%s', async (_title, parts, status) => {
    const { id } = await running().tender();
    const response = await sendForm(running().app, 'POST', `/tenders/${id}/documents`, caller, buildForm(...parts));
    expect(response.statusCode, response.body).toBe(status);
  });
});
