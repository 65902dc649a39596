import { UsageError } from '@procurement/kit/runtime/command-line';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import { readBrokerFile } from './broker-file.ts';

// The form of openprocurement.api: sections are groups, values are `key` or `key,levels`.
const AUTH_INI = `# brokers of the old system
[auction]
auction = auction-key

[brokers]
Prom.UA = prom-key,1234
smart : smart-key,12t
smart2 = smart2-key
; a comment
[tests]
chrisr = chrisr
`;

function readProblems(text: string, format: 'ini' | 'csv' = 'ini'): string {
  try {
    readBrokerFile(text, format, []);
    return '';
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('readBrokerFile ini', () => {
  it('reads names in lower case, keys as hashes, and all levels where none are given', () => {
    expect(readBrokerFile(AUTH_INI, 'ini', ['tests'])).toEqual([
      { broker: { name: 'auction', group: 'auction', levels: '1234' }, keyHash: sha256Hex('auction-key') },
      { broker: { name: 'prom.ua', group: 'brokers', levels: '1234' }, keyHash: sha256Hex('prom-key') },
      { broker: { name: 'smart', group: 'brokers', levels: '12t' }, keyHash: sha256Hex('smart-key') },
      { broker: { name: 'smart2', group: 'brokers', levels: '1234' }, keyHash: sha256Hex('smart2-key') },
    ]);
  });

  it.each([
    ['an unknown group', AUTH_INI, 'line 11: no such group: tests; --skip-group leaves its entries out'],
    ['an entry without a section', 'a = key', 'no such group: ;'],
    ['a line that is no entry', '[brokers]\nnonsense', 'line 2: the name'],
    ['a hashed key', `[brokers]\na = ${'0f'.repeat(64)}`, 'SHA-512'],
    ['a name that is no subject', '[brokers]\na*b = key', 'line 2: the name'],
    ['a key with a colon', '[brokers]\na = x:y', 'colon'],
    ['an unknown level', '[brokers]\na = key,12q', 'line 2: levels are digits from 1 to 9'],
    ['one key for two brokers', '[brokers]\na = key\nb = key', 'line 3: the key of a in line 2'],
    ['two groups for one broker', '[brokers]\na = x\n[bots]\na = y', 'line 4: a has another group'],
  ])('refuses %s', (_case, text, problem) => {
    expect(readProblems(text)).toContain(problem);
  });

  it('lists all mistakes at once, without keys', () => {
    const problems = readProblems('[brokers]\na = secret one\nb b = secret two');
    expect(problems.split('\n')).toHaveLength(3);
    expect(problems).not.toContain('secret');
  });
});

describe('readBrokerFile csv', () => {
  it('reads columns by their names; group and levels may be absent', () => {
    expect(readBrokerFile('\uFEFFkey,name\r\n"k1",one\r\n', 'csv', [])).toEqual([
      { broker: { name: 'one', group: 'brokers', levels: '1234' }, keyHash: sha256Hex('k1') },
    ]);
    const [bot] = readBrokerFile('name,group,levels,key\nbot,bots,,k2\n', 'csv', []);
    expect(bot?.broker).toEqual({ name: 'bot', group: 'bots', levels: '' });
  });

  it('refuses a file without the columns', () => {
    expect(readProblems('broker,secret\na,b', 'csv')).toBe('the first line has no column name');
    expect(readProblems('', 'csv')).toBe('the first line has no column name');
  });
});
