/** The smallest valid tender. */
export function validTender(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    title: 'Фарба',
    procuringEntity: {
      name: 'КП',
      kind: 'general',
      identifier: { scheme: 'UA-EDR', id: '40111222' },
      address: { countryName: 'Україна' },
      contactPoint: { name: 'Олена', telephone: '+380560000001' },
    },
    value: { amount: 500 },
    minimalStep: { amount: 35 },
    enquiryPeriod: { endDate: '2026-05-10' },
    tenderPeriod: { endDate: '2026-05-20T18:00:00' },
    items: [{ description: 'x', classification: { id: '44810000-1', description: 'Фарби' } }],
    ...overrides,
  };
}
