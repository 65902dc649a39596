/** A part of the page of a tender, by its id; `head` is what stands before the first of them. */
export type Part =
  | 'head'
  | 'facts'
  | 'life'
  | 'what'
  | 'lots'
  | 'items'
  | 'criteria'
  | 'documents'
  | 'questions'
  | 'complaints'
  | 'bids'
  | 'auction'
  | 'awards'
  | 'contract'
  | 'cancellations'
  | 'data';

/** The part that shows a member of a tender, by its path. A member without a row is in the part of the object that has it. */
export const SHOWN_IN: Readonly<Record<string, Part>> = {
  title: 'head',
  status: 'head',
  mode: 'head',
  value: 'facts',
  minimalStep: 'facts',
  procuringEntity: 'facts',
  procurementMethodType: 'facts',
  procurementMethodDetails: 'facts',
  numberOfBids: 'facts',
  'enquiryPeriod.startDate': 'facts',
  'enquiryPeriod.endDate': 'life',
  tenderPeriod: 'facts',
  'awardPeriod.endDate': 'life',
  description: 'what',
  guarantee: 'what',
  mainProcurementCategory: 'what',
  procurementMethod: 'what',
  procurementMethodRationale: 'what',
  submissionMethod: 'what',
  submissionMethodDetails: 'what',
  awardCriteria: 'criteria',
  awardCriteriaDetails: 'criteria',
  eligibilityCriteria: 'criteria',
  features: 'criteria',
  milestones: 'criteria',
  items: 'items',
  lots: 'lots',
  'lots[].auctionUrl': 'auction',
  documents: 'documents',
  questions: 'questions',
  complaints: 'complaints',
  'awards[].complaints': 'complaints',
  bids: 'bids',
  'awards[].bid_id': 'bids',
  auctionPeriod: 'auction',
  auctionUrl: 'auction',
  awards: 'awards',
  contracts: 'contract',
  cancellations: 'cancellations',
  id: 'data',
  tenderID: 'data',
  owner: 'data',
  dateCreated: 'data',
  dateModified: 'data',
};

const SYSTEM_ID = 'names a part for programs; readers see its title';
const OF_VALUE = 'the rules demand that of the expected value, which says it';
const OF_STATUS = 'the history says when each status began';

/** Members that the page does not show, by their paths, and why. Programs find them in the open data, to which the page links. */
export const NOT_SHOWN: readonly (readonly [members: RegExp, reason: string])[] = [
  [/^bidsSeal(?:\.|$)/, 'programs prove by it that the opened bids are those that were closed'],
  [/_ru$/, 'the pages are Ukrainian and English'],
  [/participationUrl$/, 'the secret link of one bidder to the auction'],
  [
    /(?:tenderers|suppliers)\[\]\.contactPoint\./,
    'whether contact persons of bidders are shown is open (portal.md 16)',
  ],
  [/author\.(?!name)/, 'the page names who wrote; a bidder has its details beside its bid'],
  [/^(?:items|lots|milestones|bids|awards|questions|complaints|cancellations)\[\]\.id$/, SYSTEM_ID],
  [
    /^contracts\[\]\.(?:dateCreated$|implementation\.(?:changes|transactions|items)\[\])/,
    'the page of the contract shows it; here they are counted and summed',
  ],
  [/^contracts\[\]\..*(?:amountNet|amountPaid\.valueAddedTaxIncluded)$/, 'the page of the contract shows it'],
  [/(?:complaints|documents|items)\[\]\.id$/, SYSTEM_ID],
  [/^features\[\]\.code$/, SYSTEM_ID],
  [/(?:featureOf|questionOf|documentOf|cancellationOf)$/, 'the page names the lot or the item itself'],
  [/^(?:minimalStep|lots\[\]\.value|lots\[\]\.minimalStep)\.valueAddedTaxIncluded$/, OF_VALUE],
  [/^(?:bids\[\](?:\.lotValues\[\])?|awards\[\])\.value\.valueAddedTaxIncluded$/, OF_VALUE],
  [/^(?:date|lots\[\]\.date|contracts\[\]\.date)$/, OF_STATUS],
  [/^bids\[\]\.status$/, 'every opened bid is a submitted one; the decision about it is shown'],
  [/complaints\[\]\.date$/, 'the date of the submission is shown'],
  [/^bids\[\]\.lotValues\[\]\.date$/, 'the date of the bid is shown'],
  [/^bids\[\]\.self(?:Eligible|Qualified)$/, 'a formal statement that each bid makes'],
  [/^next_check$/, 'a time of the service; the deadlines behind it are shown'],
  [/shouldStartAfter$/, 'a bound for the planner of auctions; the planned time is shown'],
  [/^lots\[\]\.auctionPeriod\.startDate$/, 'the life line of the lot says the end, the section of the auction both'],
  [/^awardPeriod\.startDate$/, 'the end of the auction or of the bidding, which is shown'],
  [/complaintPeriod\.startDate$/, 'the date of the decision, which is shown'],
  [/^numberOfBidders$/, 'a count by the buyer; the page lists the bidders'],
  [/^hasEnquiries$/, 'the page lists the questions'],
  [/classification\.scheme$/, 'both dictionaries have the same codes, under one heading'],
  [/[cC]lassifications?(?:\[\])?\.uri$/, 'an address of the dictionary, which the code names'],
  [/unit\.code$/, 'the name of the unit is shown'],
  [/^milestones\[\]\.sequenceNumber$/, 'the order of the list'],
  [/(?:hash|sha256)$/, 'for programs that verify a file'],
  [/datePublished$/, 'the instant of the last change is shown'],
  [/^(?:awards|contracts)\[\]\.items\[\]/, 'copies of the items of the tender'],
];

/** Names of the members of an object that its tables do not know: an API newer than the page may have some. */
export function unknownMembers(
  object: object,
  shownIn: Readonly<Record<string, string>> = SHOWN_IN,
  notShown: readonly (readonly [members: RegExp, reason: string])[] = NOT_SHOWN,
): readonly string[] {
  const known = new Set(Object.keys(shownIn).map((row) => row.replace(/[.[].*$/, '')));
  return Object.keys(object).filter(
    (name) => !known.has(name.replace(/_en$/, '')) && !notShown.some(([members]) => members.test(name)),
  );
}
