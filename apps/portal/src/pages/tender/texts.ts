import { translations } from '../../texts/translations.ts';

export const TENDER = translations({
  uk: {
    tenders: 'Тендери',
  },
  en: {
    tenders: 'Tenders',
  },
});
