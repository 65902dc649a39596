import { expect, it } from 'vitest';
import { standardSource } from '../test-support/standard-source.ts';

it('standard.golden.ts is what the schemas and extensions say', async () => {
  await expect(standardSource()).toMatchFileSnapshot('./standard.golden.ts');
});
