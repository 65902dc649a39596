/** One JetStream stream per owner; subjects are `<owner>.<event-type>.<subject id>`. */
export const streams = {
  tenders: { name: 'tenders', subjects: ['tenders.>'] },
  bids: { name: 'bids', subjects: ['bids.>'] },
  awards: { name: 'awards', subjects: ['awards.>'] },
  documents: { name: 'documents', subjects: ['documents.>'] },
  auction: { name: 'auction', subjects: ['auction.>'] },
  brokers: { name: 'brokers', subjects: ['brokers.>'] },
} as const;

/** Where the owner of facts answers a service that misses some (core NATS request and reply). */
export const askSubjects = { tenderFacts: 'ask.tenders.facts' } as const;
