import { expect, it } from 'vitest';
import type { z } from 'zod';
import { EarlyItem, Unit } from './item.ts';
import { LEFT_OUT_BY_OLDER_SEGMENTS } from './older-segments.ts';
import {
  Buyer,
  BusinessOrganization,
  EarlyBusinessOrganization,
  EarlyOrganization,
  EarlyProcuringEntity,
  Identifier,
  Organization,
  ProcuringEntity,
} from './organization.ts';
import { Period, PeriodEndRequired } from './period.ts';
import { BareTenderInput, SandboxTenderInput } from './tender.ts';

type Shaped = { readonly shape: Readonly<Record<string, z.ZodType>> };

/** Shapes as 2.5 takes them, and as the segment that asks for least. */
const FORMS: Readonly<Record<string, readonly [Shaped, Shaped]>> = {
  Tender: [SandboxTenderInput, BareTenderInput],
  Organization: [Organization, EarlyOrganization],
  BusinessOrganization: [BusinessOrganization, EarlyBusinessOrganization],
  ProcuringEntity: [ProcuringEntity, EarlyProcuringEntity],
  Buyer: [Buyer, EarlyProcuringEntity],
  Identifier: [Identifier, EarlyOrganization.shape.identifier],
  PeriodEndRequired: [PeriodEndRequired, Period],
  Unit: [Unit, EarlyItem.shape.unit.unwrap()],
};

it.each(Object.entries(FORMS))('an answer may lack what older segments do not require of %s', (name, forms) => {
  const [required, early] = forms.map(({ shape }) =>
    Object.keys(shape).filter((member) => !shape[member]!.safeParse(undefined).success),
  );
  const leftOut = required!.filter((member) => !early!.includes(member));
  expect(LEFT_OUT_BY_OLDER_SEGMENTS[name]?.toSorted()).toEqual(leftOut.toSorted());
});

it('has no row without two forms', () => {
  expect(Object.keys(LEFT_OUT_BY_OLDER_SEGMENTS).toSorted()).toEqual(Object.keys(FORMS).toSorted());
});
