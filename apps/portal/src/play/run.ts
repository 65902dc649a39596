import { z } from 'zod';

const id = z.string().regex(/^[0-9a-f]{32}$/);
const owned = z.strictObject({ id, token: id });

/** A procedure that a visitor plays. It is in the form, not in the process: any replica can go on with it (portal.md 6). */
const Run = z
  .strictObject({
    run: id,
    /** When it began. All instants of its requests are computed from it, so that a repeated request is the same. */
    at: z.iso.datetime(),
    /** Steps that are done. */
    step: z.int().min(0).max(10),
    tender: owned.extend({ number: z.string().regex(/^UA-[\dA-Za-z-]{1,40}$/) }).optional(),
    bids: z.array(owned).max(2).default([]),
    award: id.optional(),
  })
  .refine(({ step, tender, bids }) => (step === 0 || tender !== undefined) && (step < 4 || bids.length === 2));

export type Run = Readonly<z.infer<typeof Run>>;

const TEXT_CHARACTERS_MAX = 4096;

export function writeRun(run: Run): string {
  return Buffer.from(JSON.stringify(run)).toString('base64url');
}

/** Undefined: not a run that this page has made. */
export function readRun(text: string): Run | undefined {
  if (text.length > TEXT_CHARACTERS_MAX) return undefined;
  try {
    return Run.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
