import { InvalidArgumentError } from 'commander';

export const IDEMPOTENCY_KEY = 'the same command with the same key creates nothing new within 24 hours';

/** A key goes to this address with every request, so it must be an address of HTTP. */
export function parseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new InvalidArgumentError('such as https://api.example.org');
  return url.href;
}

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('a number of seconds above 0');
  return seconds;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a number from 1');
  return Number(text);
}

export function parseNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('a number such as 395.2');
  return Number(text);
}
