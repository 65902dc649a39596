import { beforeAll, describe, expect, inject, it } from 'vitest';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { playToContract, signContract, type PlayedContract } from '../support/played-contract.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');
const OLDER = ['2.3', '0', '0.1'] as const;

const upload = async (path: string) =>
  buyer.request('POST', path, fileUpload('amendment.pdf', 'application/pdf', 'content'));

let signed: PlayedContract;

beforeAll(async () => {
  signed = await playToContract(buyer, seller);
  await signContract(buyer, signed);
});

describe.each(['2.5', '2.4'])('a crawler with the resource contracts on segment %s', (segment) => {
  const reader = patientBroker(url, undefined, segment);
  const pathOf = (page: Json): string => page.path.slice(`/api/${segment}`.length);

  it('goes back from the end, and forward from there to the last change of every contract', async () => {
    const head = (await reader.get('/contracts?descending=1&limit=2&mode=_all_&opt_fields=status,contractID')).body;
    expect(head.next_page.path.startsWith(`/api/${segment}/contracts?descending=1`)).toBe(true);
    expect(head.data[0]).toMatchObject({ status: expect.any(String), contractID: expect.stringMatching(/^UA-/) });
    const back = (await reader.get(pathOf(head.next_page))).body;
    for (const row of back.data) expect(row.dateModified < head.data.at(-1).dateModified).toBe(true);

    const played = await playToContract(buyer, seller);
    await signContract(buyer, played);
    expect((await upload(`/contracts/${played.contract.id}/documents${played.tokenQuery}`)).status).toBe(201);
    const last = await until('the document in the contract', async () => {
      const { data } = (await anyone.get(`/contracts/${played.contract.id}`)).body;
      return data.documents !== undefined && data;
    });
    const rows: Json[] = [];
    for (let path = pathOf(head.prev_page); ;) {
      const page = (await reader.get(path)).body;
      if (page.data.length === 0) break;
      rows.push(...page.data);
      path = pathOf(page.next_page);
    }
    for (let at = 1; at < rows.length; at += 1) expect(rows[at - 1].dateModified < rows[at].dateModified).toBe(true);
    const own = rows.filter(({ id }) => id === played.contract.id);
    expect(own.at(-1)).toMatchObject({ dateModified: last.dateModified, status: 'active' });
    expect(new Set(own.map(({ dateModified }) => dateModified)).size).toBe(own.length);
  });
});

describe('documents of a signed contract', () => {
  it('are written with the token of the tender or of the contract, and shown in the tender', async () => {
    const own = `/contracts/${signed.contract.id}`;
    const { token } = (await buyer.patch(`${own}/credentials${signed.tokenQuery}`, {})).body.access;
    for (const query of [signed.tokenQuery, `?acc_token=${token}`]) {
      const { status, body } = await upload(`${own}/documents${query}`);
      expect([status, body.data.documentOf]).toEqual([201, 'contract']);
    }
    expect((await upload(`${own}/documents?acc_token=${'0'.repeat(32)}`)).status).toBe(403);
    const listed = (await anyone.get(`${own}/documents`)).body.data;
    expect(listed).toHaveLength(2);
    await until('both in the tender', async () => {
      const [contract] = (await anyone.get(signed.path)).body.data.contracts;
      return contract.documents?.length === 2 && contract.status === 'active';
    });
    const inTender = await upload(`${signed.path}/contracts/${signed.contract.id}/documents${signed.tokenQuery}`);
    expect(inTender.body.errors[0].description).toBe("Can't add document in current (complete) tender status");
  });
});

describe.each(OLDER)('segment %s (contracting.md 13, K2)', (segment) => {
  const reader: Broker = patientBroker(url, 'broker1', segment);

  it('has no feed of contracts, and no documents at their own addresses', async () => {
    expect((await reader.get('/contracts')).status).toBe(404);
    expect((await reader.get(`/contracts/${signed.contract.id}/documents`)).status).toBe(404);
    const patched = await reader.patch(`/contracts/${signed.contract.id}${signed.tokenQuery}`, { title: 'x' });
    const expected = segment === '2.3' ? [405, 'GET, HEAD'] : [404, null];
    expect([patched.status, patched.headers.get('allow')]).toEqual(expected);
  });

  it('shows a tender and its contract as before, but for dates of change, when a document comes to the contract', async () => {
    const played = await playToContract(buyer, seller);
    await signContract(buyer, played);
    const paths = segment === '2.3' ? [played.path, `/contracts/${played.contract.id}`] : [played.path];
    const readAll = async () => Promise.all(paths.map(async (path) => (await reader.get(path)).body.data));
    const before = await readAll();
    expect((await upload(`/contracts/${played.contract.id}/documents${played.tokenQuery}`)).status).toBe(201);
    await until(
      'the change',
      async () => (await anyone.get(played.path)).body.data.contracts[0].documents?.length === 1,
    );
    const after = await readAll();
    expect(after.map(withoutDocument)).toEqual(before.map(withoutDocument));
    const members = Object.keys(after.at(-1));
    for (const name of ['dateCreated', 'mode', 'procuringEntity', 'buyer', 'implementation', 'changes'])
      if (segment === '2.3') expect(members).not.toContain(name);
  });
});

/** The object without what a new document of its contract changes. */
function withoutDocument({ dateModified: _modified, modified: _old, documents: _documents, ...rest }: Json): Json {
  const contracts = rest.contracts?.map(({ documents: _own, ...contract }: Json) => contract);
  return { ...rest, ...(contracts === undefined ? {} : { contracts }) };
}
