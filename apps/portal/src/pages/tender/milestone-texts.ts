import { findValue } from '../../format/find-value.ts';
import { plural, translations } from '../../texts/translations.ts';

type Words = Readonly<Record<string, string>>;

interface MilestoneTexts {
  readonly types: Words;
  readonly codes: Words;
  /** Events from which a duration counts (tenders.md 6.4). */
  readonly titles: Words;
  readonly within: (days: number, kind: string) => string;
}

const KINDS_UK: Words = { working: 'робочих', banking: 'банківських', calendar: 'календарних' };

export const MILESTONES = translations<MilestoneTexts>({
  uk: {
    types: { financing: 'Оплата', delivery: 'Поставка' },
    codes: { prepayment: 'аванс', postpayment: 'після виконання', standard: 'одноразово', recurring: 'періодично' },
    titles: {
      executionOfWorks: 'після виконання робіт',
      deliveryOfGoods: 'після поставки товару',
      submittingServices: 'після надання послуг',
      signingTheContract: 'після підписання договору',
      submissionDateOfApplications: 'після подання заявки',
      submittingPayment: 'після оплати',
      dateOfInvoicing: 'після виставлення рахунка',
      endDateOfTheReportingPeriod: 'після закінчення звітного періоду',
      anotherEvent: 'після іншої події',
    },
    within: (days, kind) =>
      `${days} ${findValue(KINDS_UK, kind) ?? kind} ${plural('uk', days, { one: 'день', few: 'дні', many: 'днів' })}`,
  },
  en: {
    types: { financing: 'Payment', delivery: 'Delivery' },
    codes: { prepayment: 'in advance', postpayment: 'afterwards', standard: 'once', recurring: 'recurring' },
    titles: {
      executionOfWorks: 'after the works',
      deliveryOfGoods: 'after the delivery of the goods',
      submittingServices: 'after the services',
      signingTheContract: 'after the contract is signed',
      submissionDateOfApplications: 'after the application',
      submittingPayment: 'after the payment',
      dateOfInvoicing: 'after the invoice',
      endDateOfTheReportingPeriod: 'after the end of the reporting period',
      anotherEvent: 'after another event',
    },
    within: (days, kind) => `${days} ${kind} ${plural('en', days, { one: 'day', other: 'days' })}`,
  },
});
