import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName, contentDisposition, formatOfName, formatOfType } from './file-name.ts';

describe('cleanName', () => {
  it.each([
    ['notice.pdf', 'notice.pdf'],
    ['C:\\Users\\me\\укр.doc', 'укр.doc'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/shadow', 'shadow'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['a \t  b\r\n.pdf', 'a b.pdf'],
    ['a\u0000.pdf', 'a.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['  .bashrc ', '.bashrc'],
    ['..', undefined],
    ['a/', undefined],
    ['', undefined],
    ['\u0007', undefined],
  ])('%j becomes %j', (given, expected) => {
    expect(cleanName(given)).toBe(expected);
  });

  it('property: leaves no path separator, line break or direction mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        const name = cleanName(given) ?? 'x';
        for (const character of '/\\\u0000\u001f\r\n\u007f\u202e') expect(name).not.toContain(character);
        expect(name).not.toMatch(/^\.*$/);
      }),
    );
  });
});

describe('contentDisposition', () => {
  it.each([
    ['name.doc', 'attachment; filename=name.doc'],
    ['name name.doc', 'attachment; filename="name name.doc"'],
    ['укр.doc', "attachment; filename=%D1%83%D0%BA%D1%80.doc; filename*=utf-8''%D1%83%D0%BA%D1%80.doc"],
    ['a"b.doc', "attachment; filename=a%22b.doc; filename*=utf-8''a%22b.doc"],
    ["it's (1)*.doc", 'attachment; filename="it\'s (1)*.doc"'],
    [
      "п'ять (1)*.doc",
      "attachment; filename=%D0%BF%27%D1%8F%D1%82%D1%8C%20%281%29%2A.doc; filename*=utf-8''%D0%BF%27%D1%8F%D1%82%D1%8C%20%281%29%2A.doc",
    ],
    ['100%.doc', "attachment; filename=100%25.doc; filename*=utf-8''100%25.doc"],
  ])('%s', (name, expected) => {
    expect(contentDisposition(name)).toBe(expected);
  });

  it('property: is one line of printable ASCII for any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        expect(contentDisposition(title)).toMatch(/^attachment; filename=[\x21-\x7e]?[\x20-\x7e]*$/);
      }),
    );
  });
});

describe('formatOfName and formatOfType', () => {
  it.each([
    ['a.PDF', 'application/pdf'],
    ['a.b.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['none', 'application/octet-stream'],
  ])('name %s', (name, expected) => {
    expect(formatOfName(name)).toBe(expected);
  });

  it.each([
    ['Application/PDF; charset=x', 'application/pdf'],
    ['text/html', 'text/html'],
    ['nonsense', undefined],
    [undefined, undefined],
    ['text/html\r\nx: y', undefined],
  ])('content type %j', (type, expected) => {
    expect(formatOfType(type)).toBe(expected);
  });
});
