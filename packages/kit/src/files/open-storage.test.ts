import { describe, expect, it } from 'vitest';
import { openStorage } from './open-storage.ts';

const s3 = { accessKey: 'a', secretKey: 'b', region: 'us-east-1' };

describe('openStorage', () => {
  it.each([['folder:.local/files'], ['s3:http://store:9000/files'], ['s3:https://s3.example.org/files']])(
    'opens %s',
    (storage) => {
      expect(openStorage({ setting: 'STORAGE', storage, s3 })).toHaveProperty('put');
    },
  );

  it.each([['memory'], ['s3:'], ['s3:http://store:9000'], ['s3:http://store:9000/'], ['s3:ftp://store/files']])(
    'refuses %s',
    (storage) => {
      expect(() => openStorage({ setting: 'STORAGE', storage, s3 })).toThrow('STORAGE is neither');
    },
  );

  it('refuses a bucket without keys', () => {
    const storage = 's3:http://store:9000/files';
    expect(() => openStorage({ setting: 'STORAGE', storage, s3: { region: 'us-east-1' } })).toThrow('S3_ACCESS_KEY');
  });
});
