import { describe, expect, it } from 'vitest';
import { problem } from '@procurement/contracts/problems/problems';
import { CALLERS, tenderFacts, IDS, documentMeta, storedVersion } from '../../test-support/document-facts.ts';
import { decideDocument } from './document.decide.ts';
import type { UploadedFile, DocumentCommand, DocumentVersion, RegisteredFile, ParentState } from './document.ts';

const parentState: ParentState = {
  tender: tenderFacts(),
  parent: { kind: 'tender', id: IDS.tender },
  bidsOpened: false,
};
const owner = documentMeta(CALLERS['the tender owner']);
const DATE = '2026-05-12T00:00:00.000000+03:00';
const ID = '5'.repeat(32);
const hash = 'md5:9a0364b9e99bb480dd25e1f0284c8555';
const file: UploadedFile = {
  kind: 'uploaded',
  fileId: '6'.repeat(32),
  format: 'application/msword',
  hash,
  sha256: 'ab'.repeat(32),
  title: 'a.doc',
};
const sent = { title: 'b.pdf', url: 'https://docs/get/6', hash, format: 'application/pdf' };

function registered(
  data: object = {},
  registration: RegisteredFile['registration'] = { fileId: '6'.repeat(32) },
): RegisteredFile {
  return { kind: 'registered', body: { kind: 'data', data: { ...sent, ...data } }, registration };
}

function addCommand(given: UploadedFile | RegisteredFile): DocumentCommand {
  return { type: 'AddDocument', id: ID, versionId: ID, file: given, meta: owner };
}

function decide(command: DocumentCommand, newest?: DocumentVersion, at = parentState) {
  const decision = decideDocument({ parentState: at, newest }, command);
  return 'refused' in decision ? decision.refused : decision.accepted[0]?.version.record;
}

const storedDocument = storedVersion(parentState, {
  author: 'tender_owner',
  documentType: 'notice',
  description: 'words',
});

describe('AddDocument', () => {
  it('makes a record of an uploaded file with its author', () => {
    expect(decide(addCommand(file))).toEqual({
      id: ID,
      title: 'a.doc',
      format: 'application/msword',
      hash,
      documentOf: 'tender',
      author: 'tender_owner',
      datePublished: DATE,
      dateModified: DATE,
    });
  });

  it('makes a record of a registered file from its body, except id, dates and author', () => {
    const assigned = { id: 'x', author: 'bots', datePublished: '2020-01-01', dateModified: '2020-01-01' };
    expect(
      decide(addCommand(registered({ ...assigned, documentType: 'notice', documentOf: 'lot', relatedItem: IDS.lot }))),
    ).toEqual({
      id: ID,
      title: 'b.pdf',
      format: 'application/pdf',
      hash,
      documentType: 'notice',
      documentOf: 'lot',
      relatedItem: IDS.lot,
      author: 'tender_owner',
      datePublished: DATE,
      dateModified: DATE,
    });
  });

  it('stores no author where the parent has no author rule', () => {
    const parent = { kind: 'cancellation', id: IDS.cancellation } as const;
    expect(decide(addCommand(file), undefined, { ...parentState, parent })).not.toHaveProperty('author');
  });

  it.each([
    [{ title: null }, 'title', ['This field is required.']],
    [{ url: undefined }, 'url', ['This field is required.']],
    [{ title: 'x'.repeat(256) }, 'title', ['String value is too long.']],
    [{ format: 'pdf' }, 'format', ['String value did not match validation regex.']],
    [{ hash: 'crc:00' }, 'hash', ['Hash type is not supported.']],
    [{ hash: 'md5:00' }, 'hash', ['Hash value is wrong length.']],
    [{ hash: `md5:${'g'.repeat(32)}` }, 'hash', ['Hash value is not hexadecimal.']],
    [{ documentOf: 'bid' }, 'documentOf', ["Value must be one of ['tender', 'item', 'lot']."]],
    [{ documentOf: 'lot' }, 'relatedItem', ['This field is required.']],
    [{ documentOf: 'lot', relatedItem: IDS.item }, 'relatedItem', ['relatedItem should be one of lots']],
    [{ documentOf: 'item', relatedItem: IDS.lot }, 'relatedItem', ['relatedItem should be one of items']],
    [{ sealed: true }, 'sealed', 'Rogue field'],
  ])('422: %j', (data, name, description) => {
    expect(decide(addCommand(registered(data)))).toMatchObject({
      status: 422,
      errors: [{ location: 'body', name, description }],
    });
  });

  it('reports the address last: after the body and after the state', () => {
    const refused = { refused: problem('document.url-invalid') };
    expect(decide(addCommand(registered({}, refused)))).toMatchObject({ code: 'document.url-invalid' });
    expect(decide(addCommand(registered({ title: null }, refused)))).toMatchObject({ code: 'body.invalid' });
    const late = { ...parentState, tender: tenderFacts({ status: 'complete' }) };
    expect(decide(addCommand(registered({}, refused)), undefined, late)).toMatchObject({ code: 'document.add-status' });
    expect(decide(addCommand(registered({ title: null }, refused)), undefined, late)).toMatchObject({
      code: 'body.invalid',
    });
  });

  it('reports the permission before the body', () => {
    const command = {
      ...addCommand(registered({ title: null })),
      meta: documentMeta(CALLERS['the bid owner']),
    } as DocumentCommand;
    expect(decide(command)).toMatchObject({ code: 'request.other-broker' });
  });
});

describe('AddVersion', () => {
  const versions = (given: UploadedFile | RegisteredFile): DocumentCommand => ({
    type: 'AddVersion',
    versionId: ID,
    file: given,
    meta: owner,
  });

  it('by an uploaded file changes title, format and hash only', () => {
    expect(decide(versions(file), storedDocument)).toEqual({
      ...storedDocument.record,
      title: 'a.doc',
      format: 'application/msword',
      hash,
      dateModified: DATE,
    });
  });

  it('by raw bytes keeps the title as well', () => {
    const { title: _none, ...bytes } = file;
    expect(decide(versions(bytes), storedDocument)).toMatchObject({ title: storedDocument.record.title });
  });

  it('by a registered file keeps members that the body omits, and always author and datePublished', () => {
    const assigned = { id: 'x', author: 'bots', datePublished: '2020-01-01' };
    expect(decide(versions(registered({ ...assigned, description: null })), storedDocument)).toEqual({
      id: storedDocument.record.id,
      title: 'b.pdf',
      format: 'application/pdf',
      hash,
      documentOf: 'tender',
      documentType: 'notice',
      author: 'tender_owner',
      datePublished: storedDocument.record.datePublished,
      dateModified: DATE,
    });
  });

  it('404: there is no such document', () => {
    expect(decide(versions(file))).toMatchObject({ status: 404, errors: [{ name: 'document_id' }] });
  });
});

describe('ChangeDocument', () => {
  const changes = (data: object): DocumentCommand => ({
    type: 'ChangeDocument',
    body: { kind: 'data', data: data as Record<string, unknown> },
    meta: owner,
  });

  it('changes descriptive members and keeps the dates', () => {
    expect(decide(changes({ title: 'new', title_en: 'new', documentType: null }), storedDocument)).toEqual({
      id: storedDocument.record.id,
      title: 'new',
      title_en: 'new',
      format: 'application/pdf',
      hash: storedDocument.record.hash,
      documentOf: 'tender',
      description: 'words',
      author: 'tender_owner',
      datePublished: storedDocument.record.datePublished,
      dateModified: storedDocument.record.dateModified,
    });
  });

  it.each([
    [{}],
    [{ title: 'notice.pdf' }],
    [{ id: 'x', url: 'x', hash: 'x', author: 'x', datePublished: 'x', dateModified: 'x' }],
    [{ documentOf: null }],
  ])('changes nothing for %j', (data) => {
    expect(decide(changes(data), storedDocument)).toBeUndefined();
  });

  it.each([
    [{ title: null }, 'title', ['This field is required.']],
    [{ format: null }, 'format', ['This field is required.']],
    [{ documentOf: 'item' }, 'relatedItem', ['This field is required.']],
    [{ owner: 'me' }, 'owner', 'Rogue field'],
  ])('422: %j', (data, name, description) => {
    expect(decide(changes(data), storedDocument)).toMatchObject({ status: 422, errors: [{ name, description }] });
  });

  it('reports the content type before the permission, and the permission before the body', () => {
    const refused = (code: 'request.content-type' | 'body.unreadable'): DocumentCommand => ({
      type: 'ChangeDocument',
      body: { kind: 'refused', problem: problem(code) },
      meta: documentMeta(CALLERS.anonymous),
    });
    expect(decide(refused('request.content-type'), storedDocument)).toMatchObject({ status: 415 });
    expect(decide(refused('body.unreadable'), storedDocument)).toMatchObject({ status: 401 });
  });
});
