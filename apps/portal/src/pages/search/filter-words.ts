import type { Language } from '@procurement/page-style/time-left';
import type { Filter, Search } from '../../domain/search-parameters.ts';
import { formatDay } from '../../format/instant.ts';
import { formatMoney } from '../../format/money.ts';
import { visibleText } from '../../format/visible-text.ts';
import { divisionName, regionName, findWord } from '../../texts/words.ts';
import { SEARCH } from './texts.ts';

/** What the words of filters need beside them. */
export interface WordsContext {
  readonly search: Search;
  readonly lang: Language;
  /** Names of buyers by scheme and identifier, as the results have them. */
  readonly buyers: ReadonlyMap<string, string>;
}

/** A filter as its chip says it: `Подання пропозицій`, `Вартість від 10 000 грн`. */
export function filterWords({ field, value }: Filter, { search, lang, buyers }: WordsContext): string {
  const t = SEARCH[lang];
  switch (field) {
    case 'q':
      return quoted(value, lang);
    case 'status':
      return statusWords(value, lang);
    case 'cpv':
      return `${t.field.cpv} ${cpvWords(value, lang)}`;
    case 'region':
      return regionName(value, lang);
    case 'amountFrom':
    case 'amountTo':
      return `${t.field[field]} ${formatMoney({ amount: Number(value), currency: search.currency ?? 'UAH' }, lang)}`;
    case 'createdFrom':
    case 'createdTo':
    case 'tenderEndFrom':
    case 'tenderEndTo':
    case 'modifiedFrom':
    case 'modifiedTo':
      return `${t.field[field]} ${formatDay(value, lang)}`;
    case 'contractStatus':
      return `${t.field.contractStatus}: ${findWord('contractStatus', value, lang) ?? visibleText(value)}`;
    case 'rationale':
      return `${t.field.rationale}: ${findWord('rationaleType', value, lang) ?? visibleText(value)}`;
    case 'buyerRegion':
      return `${t.field.buyerRegion}: ${regionName(value, lang)}`;
    default:
      return `${t.field[field]}: ${visibleText(buyers.get(value) ?? value)}`;
  }
}

/** `active` stands for all steps before the end. */
export function statusWords(status: string, lang: Language): string {
  return status === 'active' ? SEARCH[lang].active : (findWord('tenderStatus', status, lang) ?? visibleText(status));
}

/** `30 Офісна та комп’ютерна техніка`: the digits, and the name of their division where they are one. */
export function cpvWords(code: string, lang: Language): string {
  const name = code.length === 2 ? divisionName(code, lang) : undefined;
  return name === undefined ? visibleText(code) : `${code} ${name}`;
}

/** A text of somebody in quotation marks. */
export function quoted(text: string, lang: Language): string {
  return lang === 'uk' ? `«${visibleText(text)}»` : `“${visibleText(text)}”`;
}
