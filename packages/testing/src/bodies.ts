/** The author of questions and complaints. */
export const AUTHOR = {
  name: 'ФОП Литвин',
  identifier: { scheme: 'UA-EDR', id: '3012345678' },
  address: { countryName: 'Україна' },
  contactPoint: { name: 'Іван Литвин', email: 'lytvyn@example.com' },
} as const;

/** Text of an answer to a claim: the service requires 20 characters. */
export const LONG_RESOLUTION = 'Вимога відповідає стандарту ДСТУ';
