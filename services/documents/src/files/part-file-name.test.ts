import { describe, expect, it } from 'vitest';
import { fieldName, parseFileName } from './part-file-name.ts';

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const base64 = Buffer.from('укр.doc').toString('base64');

describe('parseFileName', () => {
  it.each([
    ['plain', 'form-data; name="file"; filename="a.doc"', 'a.doc'],
    ['a token', 'form-data; name=file; filename=a.doc', 'a.doc'],
    ['raw UTF-8', latin1('form-data; name="file"; filename="укр.doc"'), 'укр.doc'],
    ['RFC 5987', "form-data; name=file; filename*=utf-8''%D1%83%D0%BA%D1%80.doc", 'укр.doc'],
    ['RFC 5987 of windows-1251', "form-data; name=file; filename*=windows-1251'uk'%F3%EA%F0.doc", 'укр.doc'],
    ['filename* before filename', 'form-data; name=file; filename*=UTF-8\'\'%D1%83.doc; filename="x.doc"', 'у.doc'],
    ['filename* after filename', 'form-data; name=file; filename="x.doc"; filename*=utf-8\'\'%D1%83.doc', 'у.doc'],
    ['RFC 2231 in pieces', "form-data; name=file; filename*0*=utf-8''%D1%83; filename*1*=%D0%BA.doc", 'ук.doc'],
    ['RFC 2047', `form-data; name="file"; filename="=?utf-8?b?${base64}?="`, 'укр.doc'],
    ['RFC 2047 quoted', 'form-data; name="file"; filename="=?utf-8?q?=D1=83_a.doc?="', 'у a.doc'],
    ['character references', 'form-data; name="file"; filename="&#1091;&#x43a;.doc"', 'ук.doc'],
    ['a quote in quotes', 'form-data; name="file"; filename="a\\"b.doc"', 'a"b.doc'],
    ['a Windows path', 'form-data; name="file"; filename="C:\\dir\\a.doc"', 'C:\\dir\\a.doc'],
    ['a semicolon in quotes', 'form-data; name="file"; filename="a;b.doc"', 'a;b.doc'],
    ['bytes that are no UTF-8', 'form-data; name="file"; filename="\xff.doc"', null],
    ['escapes that are no UTF-8', "form-data; name=file; filename*=utf-8''%FF.doc", null],
    ['an unknown charset', "form-data; name=file; filename*=klingon''a.doc", null],
    ['the text undecodable', 'form-data; name=file; filename=undecodable', 'undecodable'],
    ['no file name', 'form-data; name="acc_token"', undefined],
    ['an empty header', '', undefined],
  ])('%s', (_title, disposition, expected) => {
    expect(parseFileName(disposition)).toBe(expected);
  });
});

describe('fieldName', () => {
  it('reads name and not filename', () => {
    expect(fieldName('form-data; filename="a.doc"; name="file"')).toBe('file');
    expect(fieldName('form-data; filename="a.doc"')).toBeUndefined();
  });
});
