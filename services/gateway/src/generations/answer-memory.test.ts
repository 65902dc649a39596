import { describe, expect, it, vi } from 'vitest';
import { makeAnswerMemory } from './answer-memory.ts';

describe('the memory of mapped answers', () => {
  it('maps equal bytes once, and other bytes anew', () => {
    const remembered = makeAnswerMemory();
    const map = vi.fn<(text: string) => string>((text) => text.toUpperCase());
    const answers = ['a', 'a', 'b', 'a'].map((text) => remembered('key', Buffer.from(text), map).toString());
    expect(answers).toEqual(['A', 'A', 'B', 'A']);
    expect(map).toHaveBeenCalledTimes(3);
  });

  it('tells keys apart', () => {
    const remembered = makeAnswerMemory();
    expect(remembered('1', Buffer.from('a'), () => 'x').toString()).toBe('x');
    expect(remembered('2', Buffer.from('a'), () => 'y').toString()).toBe('y');
  });

  it('stays bounded: what was not used for longest goes, and what is too big never stays', () => {
    const remembered = makeAnswerMemory();
    const big = Buffer.alloc(100 * 1024, 'x');
    const map = vi.fn<(text: string) => string>((text) => text);
    for (let n = 0; n < 200; n += 1) {
      remembered('first', big, map);
      remembered(String(n), big, map);
    }
    expect(map).toHaveBeenCalledTimes(201);
    remembered('0', big, map);
    expect(map).toHaveBeenCalledTimes(202);
    const huge = Buffer.alloc(200 * 1024, 'x');
    for (let n = 0; n < 2; n += 1) remembered('huge', huge, map);
    expect(map).toHaveBeenCalledTimes(204);
  });
});
