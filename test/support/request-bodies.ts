/** The ISO time that many seconds from now. */
export function isoInSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}

/** The ISO time that many hours from now, without offset: the service adds its own. */
export function hoursAhead(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19);
}

/** An organization in the older form: bidder and supplier; in segment 0.1 also the buyer. */
export const PARTY = {
  id: { name: 'Державне управління справами', scheme: 'UA-EDR', uid: '00037256', uri: 'http://www.dus.gov.ua/' },
  address: {
    countryName: 'Україна',
    postalCode: '01220',
    region: 'м. Київ',
    locality: 'м. Київ',
    streetAddress: 'вул. Банкова, 11, корпус 1',
  },
} as const;

/** The tender of interface.md, with every member that it shows for the current generation. */
export function interfaceTender(): Record<string, unknown> {
  return {
    title: 'футляри до державних нагород',
    title_en: 'Cases with state awards',
    title_ru: 'футляры к государственным наградам',
    mode: 'test',
    procurementMethodType: 'belowThreshold',
    procuringEntity: {
      name: 'Державне управління справами',
      kind: 'general',
      identifier: {
        scheme: 'UA-EDR',
        id: '00037256',
        legalName: 'Державне управління справами',
        uri: 'http://www.dus.gov.ua/',
      },
      address: PARTY.address,
      contactPoint: { name: 'Державне управління справами', telephone: '0440000000', url: 'http://www.dus.gov.ua/' },
    },
    value: { amount: 500, currency: 'UAH' },
    minimalStep: { amount: 35, currency: 'UAH' },
    enquiryPeriod: { endDate: hoursAhead(48) },
    tenderPeriod: { endDate: hoursAhead(96) },
    items: [
      {
        id: 'cases',
        description: 'футляри до державних нагород',
        description_en: 'Cases for state awards',
        description_ru: 'футляры к наградам',
        classification: { scheme: 'CPV', id: '44617100-9', description: 'Cartons' },
        additionalClassifications: [{ scheme: 'ДКПП', id: '17.21.1', description: 'папір і картон гофровані' }],
        unit: { code: '44617100-9', name: 'item' },
        quantity: 5,
        deliveryAddress: {
          countryName: 'Україна',
          postalCode: '79000',
          region: 'м. Київ',
          locality: 'м. Київ',
          streetAddress: 'вул. Банкова 1',
        },
        deliveryDate: { startDate: hoursAhead(120), endDate: hoursAhead(144) },
      },
    ],
    features: [
      {
        code: 'OCDS-123454-AIR-INTAKE',
        featureOf: 'item',
        relatedItem: 'cases',
        title: 'Потужність всмоктування',
        title_en: 'Air Intake',
        description: 'Ефективна потужність всмоктування',
        enum: [
          { value: 0.1, title: 'До 1000 Вт' },
          { value: 0.15, title: 'Більше 1000 Вт' },
        ],
      },
      {
        code: 'OCDS-123454-YEARS',
        featureOf: 'tenderer',
        title: 'Років на ринку',
        title_en: 'Years trading',
        description: 'Кількість років, які організація учасник працює на ринку',
        enum: [
          { value: 0.05, title: 'До 3 років' },
          { value: 0.1, title: 'Більше 3 років' },
        ],
      },
    ],
  };
}

/** The smallest tender that segment 2.5 accepts. */
export function minimalTender(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const { features: _features, title_en: _en, title_ru: _ru, ...tender } = interfaceTender();
  return { ...tender, ...overrides };
}

/** The bid of interface.md. */
export function interfaceBid(amount: number): Record<string, unknown> {
  return { tenderers: [PARTY], value: { amount } };
}
