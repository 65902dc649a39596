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
  title: 'a.doc',
};
const sent = { title: 'b.pdf', url: 'https://docs/get/6', hash, format: 'application/pdf' };

function named(
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
  it('of a file that came: its own words, and whose it is', () => {
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

  it('of a file by its address: what the body says, but neither id nor dates nor author', () => {
    const lies = { id: 'x', author: 'bots', datePublished: '2020-01-01', dateModified: '2020-01-01' };
    expect(
      decide(addCommand(named({ ...lies, documentType: 'notice', documentOf: 'lot', relatedItem: IDS.lot }))),
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

  it('has no author where rules know none', () => {
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
    expect(decide(addCommand(named(data)))).toMatchObject({
      status: 422,
      errors: [{ location: 'body', name, description }],
    });
  });

  it('tells of the address last: after the body, and after the state', () => {
    const refused = { refused: problem('document.url-invalid') };
    expect(decide(addCommand(named({}, refused)))).toMatchObject({ code: 'document.url-invalid' });
    expect(decide(addCommand(named({ title: null }, refused)))).toMatchObject({ code: 'body.invalid' });
    const late = { ...parentState, tender: tenderFacts({ status: 'complete' }) };
    expect(decide(addCommand(named({}, refused)), undefined, late)).toMatchObject({ code: 'document.add-status' });
    expect(decide(addCommand(named({ title: null }, refused)), undefined, late)).toMatchObject({
      code: 'body.invalid',
    });
  });

  it('tells of the permission before the body', () => {
    const command = {
      ...addCommand(named({ title: null })),
      meta: documentMeta(CALLERS['the bid owner']),
    } as DocumentCommand;
    expect(decide(command)).toMatchObject({ code: 'request.forbidden' });
  });
});

describe('AddVersion', () => {
  const versions = (given: UploadedFile | RegisteredFile): DocumentCommand => ({
    type: 'AddVersion',
    versionId: ID,
    file: given,
    meta: owner,
  });

  it('by a file keeps all but what a file tells', () => {
    expect(decide(versions(file), storedDocument)).toEqual({
      ...storedDocument.record,
      title: 'a.doc',
      format: 'application/msword',
      hash,
      dateModified: DATE,
    });
  });

  it('by bytes alone keeps the title as well', () => {
    const { title: _none, ...bytes } = file;
    expect(decide(versions(bytes), storedDocument)).toMatchObject({ title: storedDocument.record.title });
  });

  it('by its address keeps what the body does not say, and always whose it is and since when', () => {
    const lies = { id: 'x', author: 'bots', datePublished: '2020-01-01' };
    expect(decide(versions(named({ ...lies, description: null })), storedDocument)).toEqual({
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

  it('of nothing is a 404', () => {
    expect(decide(versions(file))).toMatchObject({ status: 404, errors: [{ name: 'document_id' }] });
  });
});

describe('ChangeDocument', () => {
  const changes = (data: object): DocumentCommand => ({
    type: 'ChangeDocument',
    body: { kind: 'data', data: data as Record<string, unknown> },
    meta: owner,
  });

  it('changes words and keeps the moment of the version', () => {
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
  ])('does nothing for %j', (data) => {
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

  it('tells of the content type before the permission, and of the permission before the body', () => {
    const refused = (code: 'request.content-type' | 'body.unreadable'): DocumentCommand => ({
      type: 'ChangeDocument',
      body: { kind: 'refused', problem: problem(code) },
      meta: documentMeta(CALLERS.nobody),
    });
    expect(decide(refused('request.content-type'), storedDocument)).toMatchObject({ status: 415 });
    expect(decide(refused('body.unreadable'), storedDocument)).toMatchObject({ status: 401 });
  });
});
