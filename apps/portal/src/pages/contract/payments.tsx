import type { VNode } from 'preact';
import type { ContractData, Payment } from '../../domain/contract.ts';
import { paidTotals, paymentRows, type PaymentRow } from '../../domain/payments.ts';
import { formatShare } from '../../format/money.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Amount, Code, Others, When } from '../../parts/basics.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { usePage } from '../../parts/page-context.ts';
import { CONTRACT } from './texts.ts';

/** Payments by their dates, with what was paid until each. */
export function PaymentsSection({ contract }: { readonly contract: ContractData }): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const payments = contract.implementation?.transactions ?? [];
  if (payments.length === 0) return <p class="quiet">{t.noPayments}</p>;
  return (
    <>
      <Totals contract={contract} payments={payments} />
      <LongList
        entries={paymentRows(payments)}
        show={(part) => (
          <table class="data-table rows">
            <thead>
              <tr>
                <th scope="col">{t.date}</th>
                <th scope="col">{t.status}</th>
                <th scope="col">{t.sides}</th>
                <th scope="col" class="number">
                  {t.sum}
                </th>
                <th scope="col" class="number">
                  {t.total}
                </th>
              </tr>
            </thead>
            <tbody>
              {part.map((row) => (
                <PaymentLine key={row.payment.id} row={row} />
              ))}
            </tbody>
          </table>
        )}
      />
    </>
  );
}

interface TotalsProps {
  readonly contract: ContractData;
  readonly payments: readonly Payment[];
}

/** What was paid in all, and how much of the value that is. */
function Totals({ contract: { value }, payments }: TotalsProps): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  return (
    <>
      {paidTotals(payments).map((total) => (
        <p key={total.currency}>
          {t.paidSaid(
            payments.filter((one) => one.status === 'successful' && one.value.currency === total.currency).length,
          )}{' '}
          <Amount value={total} />
          {value !== undefined && value.currency === total.currency && value.amount > 0 && (
            <>, {t.ofValue(formatShare(total.amount / value.amount, lang))}</>
          )}
          .
        </p>
      ))}
    </>
  );
}

function PaymentLine({ row: { payment, total } }: { readonly row: PaymentRow<Payment> }): VNode {
  const { lang } = usePage();
  const t = CONTRACT[lang];
  const { id, date, status, value, payer, payee } = payment;
  return (
    <tr>
      <td data-name={t.date}>
        <When at={date} as="day" />
      </td>
      <td data-name={t.status}>
        <Code list="transactionStatus" code={status} />
      </td>
      <td data-name={t.sides}>
        <Others text={payer.name} /> → <Others text={payee.name} />
        <details class="small" data-nosnippet>
          <summary>{t.accounts}</summary>
          <p>
            {t.paymentId} <code>{visibleText(id)}</code>
          </p>
          {[payer, payee].map(({ name, bankAccount }, n) => (
            <p key={n}>
              <Others text={name} />:{' '}
              <span class="number">{visibleText(`${bankAccount.scheme} ${bankAccount.id}`)}</span>
            </p>
          ))}
        </details>
      </td>
      <td data-name={t.sum} class="number">
        <Amount value={value} />
      </td>
      <td data-name={t.total} class="number">
        {total === undefined ? '–' : <Amount value={total} />}
      </td>
    </tr>
  );
}
