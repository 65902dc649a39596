// Made of the OpenAPI document of segment 2.5 by: npm run client-types

/** Owner token of the new object. It is shown once. */
export interface Access {
  readonly token: string;
  readonly transfer?: string;
}

export interface Address {
  readonly countryName: string;
  readonly countryName_en?: string;
  readonly countryName_ru?: string;
  readonly streetAddress?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postalCode?: string;
}

export interface AddressInput {
  readonly countryName: string;
  readonly countryName_en?: string;
  readonly countryName_ru?: string;
  readonly streetAddress?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postalCode?: string;
}

export interface AddressPatch {
  readonly countryName?: string | null;
  readonly countryName_en?: string | null;
  readonly countryName_ru?: string | null;
  readonly streetAddress?: string | null;
  readonly locality?: string | null;
  readonly region?: string | null;
  readonly postalCode?: string | null;
}

export interface Auction {
  readonly tenderID: string;
  readonly dateModified: string;
  readonly items?: readonly (Item)[];
  readonly features?: readonly (Feature)[];
  readonly minimalStep?: Value;
  readonly submissionMethodDetails?: string;
  readonly submissionMethodDetails_en?: string;
  readonly submissionMethodDetails_ru?: string;
  readonly tenderPeriod?: Period;
  readonly auctionPeriod?: AuctionPeriod;
  readonly auctionUrl?: string;
  readonly lots?: readonly (Lot)[];
  readonly bids: readonly (AuctionBid)[];
  readonly [member: string]: unknown;
}

export interface AuctionBid {
  readonly id?: string;
  readonly date?: string;
  readonly value?: {
    readonly amount?: number;
    readonly currency: string;
    readonly valueAddedTaxIncluded: boolean;
    readonly [member: string]: unknown;
  };
  readonly lotValues?: readonly ({
    readonly relatedLot: string;
    readonly value?: {
      readonly amount?: number;
      readonly currency: string;
      readonly valueAddedTaxIncluded: boolean;
      readonly [member: string]: unknown;
    };
    readonly date?: string;
    readonly participationUrl?: string;
  })[];
  readonly parameters?: readonly ({
    readonly code: string;
    readonly value: number;
  })[];
  readonly participationUrl?: string;
}

export interface AuctionBidInput {
  readonly id?: string;
  readonly date?: string;
  readonly value?: AuctionValueInput;
  readonly lotValues?: readonly (AuctionLotValueInput)[];
  readonly participationUrl?: string;
}

export interface AuctionBidPatch {
  readonly id?: string | null;
  readonly date?: string | null;
  readonly value?: AuctionValuePatch | null;
  readonly lotValues?: readonly (AuctionLotValuePatch)[] | null;
  readonly participationUrl?: string | null;
}

export interface AuctionInput {
  readonly auctionUrl?: string;
  readonly lots?: readonly (AuctionLotInput)[];
  readonly bids?: readonly (AuctionBidInput)[];
}

export interface AuctionLotInput {
  readonly id?: string;
  readonly auctionUrl?: string;
}

export interface AuctionLotPatch {
  readonly id?: string | null;
  readonly auctionUrl?: string | null;
}

export interface AuctionLotValueInput {
  readonly value?: AuctionValueInput;
  readonly relatedLot?: string;
  readonly date?: string;
  readonly participationUrl?: string;
}

export interface AuctionLotValuePatch {
  readonly value?: AuctionValuePatch | null;
  readonly relatedLot?: string | null;
  readonly date?: string | null;
  readonly participationUrl?: string | null;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface AuctionPatch {
  readonly auctionUrl?: string | null;
  readonly lots?: readonly (AuctionLotPatch)[] | null;
  readonly bids?: readonly (AuctionBidPatch)[] | null;
}

export interface AuctionPeriod {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly shouldStartAfter?: string;
}

export interface AuctionPeriodInput {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly shouldStartAfter?: string;
}

export interface AuctionPeriodPatch {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  readonly shouldStartAfter?: string | null;
}

export interface AuctionValueInput {
  readonly amount?: number;
  readonly currency?: string;
  readonly valueAddedTaxIncluded?: boolean;
}

export interface AuctionValuePatch {
  readonly amount?: number | null;
  readonly currency?: string | null;
  readonly valueAddedTaxIncluded?: boolean | null;
}

export interface Award {
  readonly id: string;
  readonly date: string;
  readonly items?: readonly (Item)[];
  readonly documents?: readonly (Document)[];
  readonly complaints?: readonly (Complaint)[];
  readonly bid_id?: string;
  readonly lotID?: string;
  /** Later releases may add values. */
  readonly status: 'pending' | 'unsuccessful' | 'active' | 'cancelled';
  readonly value?: Value;
  readonly suppliers: readonly (BusinessOrganization)[];
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly complaintPeriod?: Period;
  readonly [member: string]: unknown;
}

export interface AwardInput {
  readonly id?: string;
  readonly date?: string;
  readonly bid_id: string;
  readonly lotID?: string;
  readonly status?: 'pending' | 'unsuccessful' | 'active' | 'cancelled';
  readonly value?: ValueInput;
  readonly suppliers: readonly (BusinessOrganizationInput)[];
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly complaintPeriod?: PeriodInput;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface AwardPatch {
  readonly id?: string | null;
  readonly date?: string | null;
  readonly status?: 'unsuccessful' | 'active' | 'cancelled' | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly complaintPeriod?: PeriodPatch | null;
}

export interface BankAccount {
  readonly scheme: 'IBAN';
  readonly id: string;
}

export interface BankAccountInput {
  readonly scheme: 'IBAN';
  readonly id: string;
}

export interface Bid {
  readonly id: string;
  readonly date: string;
  /** Later releases may add values. */
  readonly status: 'active' | 'draft';
  readonly tenderers: readonly (BusinessOrganization)[];
  readonly value?: Value;
  readonly lotValues?: readonly (LotValue)[];
  readonly parameters?: readonly (Parameter)[];
  readonly participationUrl?: string;
  readonly selfEligible?: boolean;
  readonly selfQualified?: boolean;
  readonly subcontractingDetails?: string;
  readonly documents?: readonly (Document)[];
  readonly [member: string]: unknown;
}

export interface BidInput {
  readonly id?: string;
  readonly date?: string;
  readonly status?: 'active' | 'draft';
  readonly tenderers: readonly (BusinessOrganizationInput)[];
  readonly value?: ValueInput;
  readonly lotValues?: readonly (LotValueInput)[];
  readonly parameters?: readonly (ParameterInput)[];
  readonly participationUrl?: string;
  readonly selfEligible?: boolean;
  readonly selfQualified?: boolean;
  readonly subcontractingDetails?: string;
  readonly documents?: readonly (DocumentInput)[];
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface BidPatch {
  readonly id?: string | null;
  readonly date?: string | null;
  readonly status?: 'active' | null;
  readonly tenderers?: readonly (BusinessOrganizationPatch)[] | null;
  readonly value?: ValuePatch | null;
  readonly lotValues?: readonly (LotValuePatch)[] | null;
  readonly parameters?: readonly (ParameterPatch)[] | null;
  readonly participationUrl?: string | null;
  readonly selfEligible?: boolean | null;
  readonly selfQualified?: boolean | null;
  readonly subcontractingDetails?: string | null;
}

export interface BidReceipt {
  /** The signed note, which the header `Procurement-Receipt` has in base64url */
  readonly receipt: string;
  /** The stored bid, byte for byte: the receipt has SHA-256 of its salt and this text */
  readonly text: string;
}

export interface BidsSeal {
  readonly date: string;
  readonly hash: string;
}

export interface BidsSealInput {
  readonly date: string;
  readonly hash: string;
}

export interface BidsSealPatch {
  readonly date?: string | null;
  readonly hash?: string | null;
}

export interface BusinessOrganization {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (Identifier)[];
  readonly identifier: Identifier;
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
  /** Later releases may add values. */
  readonly scale?: 'micro' | 'sme' | 'mid' | 'large' | 'not specified';
}

export interface BusinessOrganizationInput {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (IdentifierInput)[];
  readonly identifier: IdentifierInput;
  readonly address: AddressInput;
  readonly contactPoint: ContactPointInput;
  readonly scale?: 'micro' | 'sme' | 'mid' | 'large' | 'not specified';
}

export interface BusinessOrganizationPatch {
  readonly name?: string | null;
  readonly name_en?: string | null;
  readonly name_ru?: string | null;
  readonly additionalIdentifiers?: readonly (IdentifierPatch)[] | null;
  readonly identifier?: IdentifierPatch | null;
  readonly address?: AddressPatch | null;
  readonly contactPoint?: ContactPointPatch | null;
  readonly scale?: 'micro' | 'sme' | 'mid' | 'large' | 'not specified' | null;
}

export interface Buyer {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (Identifier)[];
  readonly identifier: Identifier;
  readonly address?: Address;
}

export interface CPVClassification {
  /** Later releases may add values. */
  readonly scheme: 'CPV' | 'ДК021';
  readonly id: string;
  readonly description: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly uri?: string;
}

export interface CPVClassificationInput {
  readonly scheme?: 'CPV' | 'ДК021';
  readonly id: string;
  readonly description: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly uri?: string;
}

export interface CPVClassificationPatch {
  readonly scheme?: 'CPV' | 'ДК021' | null;
  readonly id?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly uri?: string | null;
}

export interface Cancellation {
  readonly id: string;
  readonly reason: string;
  readonly reason_en?: string;
  readonly reason_ru?: string;
  /** Later releases may add values. */
  readonly status: 'pending' | 'active';
  /** Later releases may add values. */
  readonly cancellationOf: 'tender' | 'lot';
  readonly relatedLot?: string;
  readonly date: string;
  readonly documents?: readonly (Document)[];
}

export interface CancellationInput {
  readonly id?: string;
  readonly reason: string;
  readonly reason_en?: string;
  readonly reason_ru?: string;
  readonly status?: 'pending' | 'active';
  readonly cancellationOf?: 'tender' | 'lot';
  readonly relatedLot?: string;
  readonly date?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface CancellationPatch {
  readonly id?: string | null;
  readonly reason?: string | null;
  readonly reason_en?: string | null;
  readonly reason_ru?: string | null;
  readonly status?: 'active' | null;
  readonly cancellationOf?: 'tender' | 'lot' | null;
  readonly relatedLot?: string | null;
  readonly date?: string | null;
}

export interface ChangeNotice {
  /** Later releases may add values. */
  readonly type: 'tender.created' | 'tender.changed' | 'tender.removed';
  /** The offset of this change in the feed */
  readonly position: string;
  readonly id: string;
  readonly tenderID: string;
  readonly dateModified: string;
  readonly rev: number;
  readonly status: string;
  readonly mode?: 'test';
  readonly causes: readonly (string)[];
  readonly changed?: readonly (string)[];
  /** Later releases may add values. */
  readonly match?: 'in' | 'left';
  readonly folded?: true;
  /** With `expand`: the whole tender, as it was public at this revision */
  readonly tender?: Tender;
}

export interface Classification {
  readonly scheme: string;
  readonly id: string;
  readonly description: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly uri?: string;
}

export interface ClassificationInput {
  readonly scheme: string;
  readonly id: string;
  readonly description: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly uri?: string;
}

export interface ClassificationPatch {
  readonly scheme?: string | null;
  readonly id?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly uri?: string | null;
}

export type ClockMoveInput = {
  readonly advance: string;
} | {
  readonly to: 'next_check';
};

export interface Complaint {
  readonly id: string;
  readonly complaintID: string;
  /** Later releases may add values. */
  readonly type: 'claim' | 'complaint';
  /** Later releases may add values. */
  readonly status: 'draft' | 'claim' | 'answered' | 'pending' | 'invalid' | 'resolved' | 'declined' | 'cancelled' | 'ignored';
  readonly author?: Organization;
  readonly title: string;
  readonly description?: string;
  readonly relatedLot?: string;
  readonly date: string;
  readonly dateSubmitted?: string;
  readonly resolution?: string;
  /** Later releases may add values. */
  readonly resolutionType?: 'invalid' | 'resolved' | 'declined';
  readonly tendererAction?: string;
  readonly tendererActionDate?: string;
  readonly dateAnswered?: string;
  readonly satisfied?: boolean;
  readonly dateEscalated?: string;
  readonly decision?: string;
  readonly dateDecision?: string;
  readonly cancellationReason?: string;
  readonly dateCanceled?: string;
  readonly documents?: readonly (Document)[];
}

export interface ComplaintInput {
  readonly id?: string;
  readonly complaintID?: string;
  readonly type?: 'claim' | 'complaint';
  readonly status?: 'draft' | 'claim' | 'answered' | 'pending' | 'invalid' | 'resolved' | 'declined' | 'cancelled' | 'ignored';
  readonly author: OrganizationInput;
  readonly title: string;
  readonly description?: string;
  readonly relatedLot?: string;
  readonly date?: string;
  readonly dateSubmitted?: string;
  readonly resolution?: string;
  readonly resolutionType?: 'invalid' | 'resolved' | 'declined';
  readonly tendererAction?: string;
  readonly tendererActionDate?: string;
  readonly dateAnswered?: string;
  readonly satisfied?: boolean;
  readonly dateEscalated?: string;
  readonly decision?: string;
  readonly dateDecision?: string;
  readonly cancellationReason?: string;
  readonly dateCanceled?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface ComplaintPatch {
  readonly id?: string | null;
  readonly complaintID?: string | null;
  readonly type?: 'claim' | 'complaint' | null;
  readonly status?: 'claim' | 'answered' | 'pending' | 'resolved' | 'cancelled' | null;
  readonly author?: OrganizationPatch | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly relatedLot?: string | null;
  readonly date?: string | null;
  readonly dateSubmitted?: string | null;
  readonly resolution?: string | null;
  readonly resolutionType?: 'invalid' | 'resolved' | 'declined' | null;
  readonly tendererAction?: string | null;
  readonly tendererActionDate?: string | null;
  readonly dateAnswered?: string | null;
  readonly satisfied?: boolean | null;
  readonly dateEscalated?: string | null;
  readonly decision?: string | null;
  readonly dateDecision?: string | null;
  readonly cancellationReason?: string | null;
  readonly dateCanceled?: string | null;
}

export interface ContactPoint {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly email?: string;
  readonly telephone?: string;
  readonly faxNumber?: string;
  readonly url?: string;
}

export interface ContactPointInput {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly email?: string;
  readonly telephone?: string;
  readonly faxNumber?: string;
  readonly url?: string;
}

export interface ContactPointPatch {
  readonly name?: string | null;
  readonly name_en?: string | null;
  readonly name_ru?: string | null;
  readonly email?: string | null;
  readonly telephone?: string | null;
  readonly faxNumber?: string | null;
  readonly url?: string | null;
}

export interface Contract {
  readonly id: string;
  readonly awardID: string;
  readonly contractID: string;
  readonly contractNumber?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  /** Later releases may add values. */
  readonly status: 'pending' | 'terminated' | 'active' | 'cancelled';
  readonly value?: ContractValue;
  readonly period?: Period;
  readonly dateSigned?: string;
  readonly date: string;
  readonly items?: readonly (Item)[];
  readonly suppliers?: readonly (BusinessOrganization)[];
  readonly documents?: readonly (Document)[];
  readonly dateCreated: string;
  readonly implementation?: ContractImplementation;
}

export interface ContractChange {
  readonly id: string;
  readonly date: string;
  /** Later releases may add values. */
  readonly status: 'pending' | 'active';
  readonly rationaleTypes: readonly ('volumeCuts' | 'itemPriceVariation' | 'qualityImprovement' | 'thirdParty' | 'durationExtension' | 'priceReduction' | 'taxRate' | 'fiscalYearExtension' | 'priceClarification')[];
  readonly rationale: string;
  readonly rationale_en?: string;
  readonly rationale_ru?: string;
  readonly contractNumber?: string;
  readonly dateSigned?: string;
}

export interface ContractChangeInput {
  readonly id?: string;
  readonly date?: string;
  readonly status?: 'pending' | 'active';
  readonly rationaleTypes: readonly ('volumeCuts' | 'itemPriceVariation' | 'qualityImprovement' | 'thirdParty' | 'durationExtension' | 'priceReduction' | 'taxRate' | 'fiscalYearExtension' | 'priceClarification')[];
  readonly rationale: string;
  readonly rationale_en?: string;
  readonly rationale_ru?: string;
  readonly contractNumber?: string;
  readonly dateSigned?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface ContractChangePatch {
  readonly id?: string | null;
  readonly date?: string | null;
  readonly status?: 'active' | null;
  readonly rationaleTypes?: readonly ('volumeCuts' | 'itemPriceVariation' | 'qualityImprovement' | 'thirdParty' | 'durationExtension' | 'priceReduction' | 'taxRate' | 'fiscalYearExtension' | 'priceClarification')[] | null;
  readonly rationale?: string | null;
  readonly rationale_en?: string | null;
  readonly rationale_ru?: string | null;
  readonly contractNumber?: string | null;
  readonly dateSigned?: string | null;
}

export interface ContractDocumentInput {
  readonly id?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format: string;
  readonly url: string;
  readonly hash?: string;
  /** SHA-256 of the file in hex, set by the service */
  readonly sha256?: string;
  readonly datePublished?: string;
  readonly dateModified?: string;
  readonly documentType?: 'tenderNotice' | 'awardNotice' | 'contractNotice' | 'notice' | 'biddingDocuments' | 'technicalSpecifications' | 'evaluationCriteria' | 'clarifications' | 'shortlistedFirms' | 'riskProvisions' | 'billOfQuantity' | 'bidders' | 'conflictOfInterest' | 'debarments' | 'evaluationReports' | 'winningBid' | 'complaints' | 'contractSigned' | 'contractArrangements' | 'contractSchedule' | 'contractAnnexe' | 'contractGuarantees' | 'subContract' | 'eligibilityCriteria' | 'contractProforma' | 'commercialProposal' | 'qualificationDocuments' | 'eligibilityDocuments' | 'registerExtract';
  readonly documentOf?: 'contract' | 'tender' | 'item' | 'lot' | 'change';
  readonly relatedItem?: string;
  readonly language?: string;
  readonly author?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface ContractDocumentPatch {
  readonly id?: string | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly format?: string | null;
  readonly url?: string | null;
  readonly hash?: string | null;
  /** SHA-256 of the file in hex, set by the service */
  readonly sha256?: string | null;
  readonly datePublished?: string | null;
  readonly dateModified?: string | null;
  readonly documentType?: 'tenderNotice' | 'awardNotice' | 'contractNotice' | 'notice' | 'biddingDocuments' | 'technicalSpecifications' | 'evaluationCriteria' | 'clarifications' | 'shortlistedFirms' | 'riskProvisions' | 'billOfQuantity' | 'bidders' | 'conflictOfInterest' | 'debarments' | 'evaluationReports' | 'winningBid' | 'complaints' | 'contractSigned' | 'contractArrangements' | 'contractSchedule' | 'contractAnnexe' | 'contractGuarantees' | 'subContract' | 'eligibilityCriteria' | 'contractProforma' | 'commercialProposal' | 'qualificationDocuments' | 'eligibilityDocuments' | 'registerExtract' | null;
  readonly documentOf?: 'contract' | 'tender' | 'item' | 'lot' | 'change' | null;
  readonly relatedItem?: string | null;
  readonly language?: string | null;
  readonly author?: string | null;
}

export interface ContractImplementation {
  /** Later releases may add values. */
  readonly status: 'active' | 'terminated';
  readonly date?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value?: ContractValue;
  readonly period?: Period;
  readonly items?: readonly (Item)[];
  readonly amountPaid?: ContractValue;
  readonly terminationDetails?: string;
  readonly changes?: readonly (ContractChange)[];
  readonly transactions?: readonly (Transaction)[];
}

export interface ContractInput {
  readonly id?: string;
  readonly awardID: string;
  readonly contractID?: string;
  readonly contractNumber?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly status?: 'pending' | 'terminated' | 'active' | 'cancelled';
  readonly value?: ContractValueInput;
  readonly period?: PeriodInput;
  readonly dateSigned?: string;
  readonly date?: string;
  readonly dateCreated?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface ContractPatch {
  readonly id?: string | null;
  readonly awardID?: string | null;
  readonly contractID?: string | null;
  readonly contractNumber?: string | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly status?: 'active' | null;
  readonly value?: ContractValuePatch | null;
  readonly period?: PeriodPatch | null;
  readonly dateSigned?: string | null;
  readonly date?: string | null;
  readonly dateCreated?: string | null;
}

export interface ContractValue {
  readonly amount: number;
  readonly currency: string;
  readonly valueAddedTaxIncluded: boolean;
  readonly amountNet?: number;
}

export interface ContractValueInput {
  readonly amount: number;
  readonly currency?: string;
  readonly valueAddedTaxIncluded?: boolean;
  readonly amountNet?: number;
}

export interface ContractValuePatch {
  readonly amount?: number | null;
  readonly currency?: string | null;
  readonly valueAddedTaxIncluded?: boolean | null;
  readonly amountNet?: number | null;
}

export interface CursorLink {
  readonly cursor: string;
  readonly path: string;
  readonly uri: string;
}

export interface DisclosedSeal {
  readonly seal: string;
  readonly bids: readonly ({
    readonly id: string;
    readonly version: number;
    readonly salt: unknown;
    readonly text: unknown;
  })[];
}

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format: string;
  readonly url: string;
  readonly hash?: string;
  /** SHA-256 of the file in hex, set by the service */
  readonly sha256?: string;
  readonly datePublished: string;
  readonly dateModified: string;
  /** Later releases may add values. */
  readonly documentType?: 'tenderNotice' | 'awardNotice' | 'contractNotice' | 'notice' | 'biddingDocuments' | 'technicalSpecifications' | 'evaluationCriteria' | 'clarifications' | 'shortlistedFirms' | 'riskProvisions' | 'billOfQuantity' | 'bidders' | 'conflictOfInterest' | 'debarments' | 'evaluationReports' | 'winningBid' | 'complaints' | 'contractSigned' | 'contractArrangements' | 'contractSchedule' | 'contractAnnexe' | 'contractGuarantees' | 'subContract' | 'eligibilityCriteria' | 'contractProforma' | 'commercialProposal' | 'qualificationDocuments' | 'eligibilityDocuments' | 'registerExtract';
  /** Later releases may add values. */
  readonly documentOf?: 'contract' | 'tender' | 'item' | 'lot' | 'change';
  readonly relatedItem?: string;
  readonly language?: string;
  readonly author?: string;
  readonly [member: string]: unknown;
}

export interface DocumentInput {
  readonly id?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format: string;
  readonly url: string;
  readonly hash?: string;
  /** SHA-256 of the file in hex, set by the service */
  readonly sha256?: string;
  readonly datePublished?: string;
  readonly dateModified?: string;
  readonly documentType?: 'tenderNotice' | 'awardNotice' | 'contractNotice' | 'notice' | 'biddingDocuments' | 'technicalSpecifications' | 'evaluationCriteria' | 'clarifications' | 'shortlistedFirms' | 'riskProvisions' | 'billOfQuantity' | 'bidders' | 'conflictOfInterest' | 'debarments' | 'evaluationReports' | 'winningBid' | 'complaints' | 'contractSigned' | 'contractArrangements' | 'contractSchedule' | 'contractAnnexe' | 'contractGuarantees' | 'subContract' | 'eligibilityCriteria' | 'contractProforma' | 'commercialProposal' | 'qualificationDocuments' | 'eligibilityDocuments' | 'registerExtract';
  readonly documentOf?: 'tender' | 'item' | 'lot';
  readonly relatedItem?: string;
  readonly language?: string;
  readonly author?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface DocumentPatch {
  readonly id?: string | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly format?: string | null;
  readonly url?: string | null;
  readonly hash?: string | null;
  /** SHA-256 of the file in hex, set by the service */
  readonly sha256?: string | null;
  readonly datePublished?: string | null;
  readonly dateModified?: string | null;
  readonly documentType?: 'tenderNotice' | 'awardNotice' | 'contractNotice' | 'notice' | 'biddingDocuments' | 'technicalSpecifications' | 'evaluationCriteria' | 'clarifications' | 'shortlistedFirms' | 'riskProvisions' | 'billOfQuantity' | 'bidders' | 'conflictOfInterest' | 'debarments' | 'evaluationReports' | 'winningBid' | 'complaints' | 'contractSigned' | 'contractArrangements' | 'contractSchedule' | 'contractAnnexe' | 'contractGuarantees' | 'subContract' | 'eligibilityCriteria' | 'contractProforma' | 'commercialProposal' | 'qualificationDocuments' | 'eligibilityDocuments' | 'registerExtract' | null;
  readonly documentOf?: 'tender' | 'item' | 'lot' | null;
  readonly relatedItem?: string | null;
  readonly language?: string | null;
  readonly author?: string | null;
}

export interface DocumentWithHistory {
  readonly id: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly format: string;
  readonly url: string;
  readonly hash?: string;
  /** SHA-256 of the file in hex, set by the service */
  readonly sha256?: string;
  readonly datePublished: string;
  readonly dateModified: string;
  /** Later releases may add values. */
  readonly documentType?: 'tenderNotice' | 'awardNotice' | 'contractNotice' | 'notice' | 'biddingDocuments' | 'technicalSpecifications' | 'evaluationCriteria' | 'clarifications' | 'shortlistedFirms' | 'riskProvisions' | 'billOfQuantity' | 'bidders' | 'conflictOfInterest' | 'debarments' | 'evaluationReports' | 'winningBid' | 'complaints' | 'contractSigned' | 'contractArrangements' | 'contractSchedule' | 'contractAnnexe' | 'contractGuarantees' | 'subContract' | 'eligibilityCriteria' | 'contractProforma' | 'commercialProposal' | 'qualificationDocuments' | 'eligibilityDocuments' | 'registerExtract';
  /** Later releases may add values. */
  readonly documentOf?: 'contract' | 'tender' | 'item' | 'lot' | 'change';
  readonly relatedItem?: string;
  readonly language?: string;
  readonly author?: string;
  readonly previousVersions: readonly (Document)[];
  readonly [member: string]: unknown;
}

export interface Duration {
  readonly days: number;
  /** Later releases may add values. */
  readonly type: 'working' | 'banking' | 'calendar';
}

export interface DurationInput {
  readonly days: number;
  readonly type: 'working' | 'banking' | 'calendar';
}

export interface DurationPatch {
  readonly days?: number | null;
  readonly type?: 'working' | 'banking' | 'calendar' | null;
}

export interface ExportEntry {
  readonly name: string;
  /** Later releases may add values. */
  readonly kind: 'tenders' | 'revisions' | 'changes' | 'releases' | 'records';
  readonly position: ExportPosition;
  readonly created: string;
  readonly lines: number;
  /** As served */
  readonly bytes: number;
  /** Unpacked */
  readonly rawBytes: number;
  readonly uri: string;
}

export interface ExportFile {
  readonly name: string;
  readonly url: string;
  readonly encoding: 'gzip';
  readonly lines: number;
  /** As served */
  readonly bytes: number;
  /** Unpacked */
  readonly rawBytes: number;
  /** Of the file as served, in hex */
  readonly sha256: string;
  /** Position of the first line */
  readonly first: string;
  /** Position of the last line */
  readonly last: string;
  /** The same lines compressed with Zstandard, where the server can */
  readonly zstd?: {
    readonly name: string;
    readonly url: string;
    /** As served */
    readonly bytes: number;
    /** Of the file as served, in hex */
    readonly sha256: string;
  };
}

export interface ExportManifest {
  /** Later releases may add values. */
  readonly kind: 'tenders' | 'revisions' | 'changes' | 'releases' | 'records';
  readonly name: string;
  readonly version: number;
  readonly format: 'application/x-ndjson';
  /** Whose shape the lines have; not of OCDS */
  readonly segment?: '2.5';
  /** _all_: with test tenders Later releases may add values. */
  readonly mode: 'real' | '_all_';
  readonly created: string;
  readonly license: string;
  readonly position: ExportPosition;
  readonly lines: number;
  /** As served */
  readonly bytes: number;
  /** Unpacked */
  readonly rawBytes: number;
  readonly files: readonly (ExportFile)[];
  /** The stream from the end of this export */
  readonly stream: string;
  /** The feed from the end of this export; of `releases` and `records` the pages of OCDS */
  readonly feed: string;
  /** Of `releases` and `records`: what a package of these lines declares */
  readonly package?: {
    readonly version: string;
    readonly extensions: readonly (string)[];
    readonly publisher: {
      readonly name: string;
      readonly scheme?: string;
      readonly uid?: string;
      readonly uri?: string;
    };
    readonly license: string;
    readonly publicationPolicy?: string;
  };
  /** The export of this kind before */
  readonly previous?: string;
  /** Lines with positions between were lost by the source when it was restored */
  readonly voided?: {
    readonly after: string;
    readonly before: string;
  };
  /** Members of lines were removed by law: files have other names, sizes and checksums than before */
  readonly redacted?: true;
}

export interface ExportPosition {
  /** Exclusive; null: from the beginning */
  readonly from: unknown;
  /** Inclusive. The feed and the stream go on from here */
  readonly to: string;
  /** Restores of the source until then */
  readonly epoch: number;
}

export interface Feature {
  readonly code?: string;
  /** Later releases may add values. */
  readonly featureOf: 'tenderer' | 'lot' | 'item';
  readonly relatedItem?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly enum: readonly (FeatureValue)[];
}

export interface FeatureInput {
  readonly code?: string;
  readonly featureOf?: 'tenderer' | 'lot' | 'item';
  readonly relatedItem?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly enum: readonly (FeatureValueInput)[];
}

export interface FeaturePatch {
  readonly code?: string | null;
  readonly featureOf?: 'tenderer' | 'lot' | 'item' | null;
  readonly relatedItem?: string | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly enum?: readonly (FeatureValuePatch)[] | null;
}

export interface FeatureValue {
  readonly value: number;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
}

export interface FeatureValueInput {
  readonly value: number;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
}

export interface FeatureValuePatch {
  readonly value?: number | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
}

export interface FeedEntry {
  readonly id: string;
  readonly dateModified: string;
  readonly [member: string]: unknown;
}

export interface FeedLink {
  readonly offset: string;
  readonly path: string;
  readonly uri: string;
}

export interface FoundBuyer {
  readonly scheme: string;
  readonly id: string;
  readonly name: string;
  readonly tenders: number;
}

export interface FoundTender {
  readonly id: string;
  readonly tenderID: string;
  readonly dateModified: string;
  readonly status: string;
  readonly mode?: 'test';
  readonly procurementMethodType?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly value?: {
    readonly amount: number;
    readonly currency: string;
  };
  readonly procuringEntity?: {
    readonly name?: string;
    readonly identifier: {
      readonly scheme?: string;
      readonly id?: string;
    };
  };
  /** Codes of the items */
  readonly cpv?: readonly (string)[];
  /** Delivery regions of the items */
  readonly region?: readonly (string)[];
  readonly tenderPeriod?: {
    readonly endDate: string;
  };
  readonly numberOfBids?: number;
  /** Sum of the active contracts */
  readonly contracted?: number;
  /** Sum of `amountPaid` of the contracts that ended */
  readonly paid?: number;
  /** When it was published; absent with `expand` */
  readonly created?: string;
  readonly [member: string]: unknown;
}

export interface GetStatisticsQuery {
  /** What the tenders are counted by */
  readonly by: 'day' | 'month' | 'method' | 'cpv' | 'region' | 'buyer';
  /** With `by=cpv`: digits of the codes. Default 2 */
  readonly cpvDigits?: number;
  /** First day of publication; except for `by=day` its whole month counts. Default: 12 months, 31 days for `day` */
  readonly from?: string;
  /** Last day of publication, or any day of the last month. Default today */
  readonly to?: string;
  /** test: test tenders only; _all_: all tenders */
  readonly mode?: 'test' | '_all_';
  /** Values of `procurementMethodType`. Not with `cpvDigits` above 2, nor by buyer */
  readonly method?: string;
  /** ISO 3166-2:UA codes, or names, of delivery regions. By month, method, region, cpv */
  readonly region?: string;
  /** Prefixes of codes. By month, method, region: 2 digits; by cpv: at most `cpvDigits` */
  readonly cpv?: string;
  /** `<scheme>-<id>` of buyers. By buyer */
  readonly buyer?: string;
  /** By buyer or cpv. Default -tenders */
  readonly sort?: 'tenders' | '-tenders' | 'amount' | '-amount' | 'opened' | '-opened' | 'bids' | '-bids' | 'competition' | '-competition' | 'singleBid' | '-singleBid' | 'complete' | '-complete' | 'unsuccessful' | '-unsuccessful' | 'cancelled' | '-cancelled' | 'active' | '-active' | 'contracted' | '-contracted' | 'expected' | '-expected' | 'savings' | '-savings' | 'savingsRate' | '-savingsRate' | 'signed' | '-signed' | 'amended' | '-amended' | 'terminated' | '-terminated' | 'contractedNow' | '-contractedNow' | 'paid' | '-paid' | 'overrun' | '-overrun' | 'daysToContract' | '-daysToContract';
  /** By buyer or cpv. Default 100 */
  readonly limit?: number;
  /** Of `next_page` */
  readonly cursor?: string;
  /** A position (offset of the feed, `dateModified`): the answer waits up to 2 seconds to contain it, else it is 503 */
  readonly at_least?: string;
}

export interface Guarantee {
  readonly amount: number;
  readonly currency: string;
}

export interface GuaranteeInput {
  readonly amount: number;
  readonly currency?: string;
}

export interface GuaranteePatch {
  readonly amount?: number | null;
  readonly currency?: string | null;
}

export interface Identifier {
  /** Later releases may add values. */
  readonly scheme: 'AE-ACCI' | 'AE-ADCD' | 'AE-AFZ' | 'AE-DCCI' | 'AE-DFSA' | 'AE-DIFC' | 'AE-FFZ' | 'AT-FN' | 'AE-FUJCCI' | 'AE-HFZA' | 'AE-RAKIA' | 'AE-SAIF' | 'AE-SCCI' | 'AE-UAQCCI' | 'AF-CBR' | 'AF-MOE' | 'AU-ABN' | 'AU-ACNC' | 'BD-NAB' | 'BE-BCE_KBO' | 'BE-GTCF' | 'BG-EIK' | 'BY-UNP' | 'CA-CRA_ACR' | 'CH-ZEFIX' | 'CN-SAIC' | 'CO-CCB' | 'CY-DRCOR' | 'CZ-ICO' | 'DE-CRP' | 'DK-CVR' | 'EE-RIK' | 'ES-DIR3' | 'ES-RMS' | 'ET-MFA' | 'FI-PRO' | 'FR-INSEE' | 'FR-RCS' | 'GB-CHC' | 'GB-COH' | 'GB-EDU' | 'GB-GOV' | 'GB-GOVUK' | 'GB-NIC' | 'GB-REV' | 'GB-SC' | 'GB-UKPRN' | 'GG-RCE' | 'GH-DSW' | 'HU-VAT' | 'ID-KDN' | 'ID-KHH' | 'ID-KLN' | 'ID-PRO' | 'IE-CHY' | 'IE-CRO' | 'IL-ROC' | 'IM-CR' | 'IM-GR' | 'IN-MCA' | 'IT-RI' | 'JE-CR' | 'JE-OAC' | 'JP-JCN' | 'KE-NCB' | 'KE-RCO' | 'KE-RSO' | 'KZ-BIN' | 'LS-LCN' | 'LT-PVM' | 'LT-RC' | 'LV-RE' | 'MD-IDNO' | 'MM-MHA' | 'MW-CNM' | 'MW-MRA' | 'MW-NBM' | 'MW-RG' | 'MZ-MOJ' | 'NG-CAC' | 'NL-KVK' | 'NO-BRC' | 'NP-CRO' | 'NP-SWC' | 'PK-PCP' | 'PK-VSWA' | 'PL-REGON' | 'PL-NIP' | 'PL-KRS' | 'RO-CUI' | 'RS-APR' | 'RU-INN' | 'RU-OGRN' | 'SE-BLV' | 'SG-ACRA' | 'SI-PRS' | 'SI-TIN' | 'SK-ZRSR' | 'TR-MERSIS' | 'TR-VAT' | 'TZ-BRLA' | 'UA-EDR' | 'UG-NGB' | 'UG-RSB' | 'US-DOS' | 'US-EIN' | 'US-USAGOV' | 'XI-IATI' | 'XI-PB' | 'XM-DAC' | 'XM-EORI' | 'XM-OCHA' | 'ZA-CIP' | 'ZA-NPO' | 'ZA-PBO' | 'ZM-NRB' | 'ZM-PCR' | 'ZW-PVO' | 'ZW-ROD';
  readonly legalName?: string;
  readonly legalName_en?: string;
  readonly legalName_ru?: string;
  readonly uri?: string;
  readonly id?: string;
}

export interface IdentifierInput {
  readonly scheme: 'AE-ACCI' | 'AE-ADCD' | 'AE-AFZ' | 'AE-DCCI' | 'AE-DFSA' | 'AE-DIFC' | 'AE-FFZ' | 'AT-FN' | 'AE-FUJCCI' | 'AE-HFZA' | 'AE-RAKIA' | 'AE-SAIF' | 'AE-SCCI' | 'AE-UAQCCI' | 'AF-CBR' | 'AF-MOE' | 'AU-ABN' | 'AU-ACNC' | 'BD-NAB' | 'BE-BCE_KBO' | 'BE-GTCF' | 'BG-EIK' | 'BY-UNP' | 'CA-CRA_ACR' | 'CH-ZEFIX' | 'CN-SAIC' | 'CO-CCB' | 'CY-DRCOR' | 'CZ-ICO' | 'DE-CRP' | 'DK-CVR' | 'EE-RIK' | 'ES-DIR3' | 'ES-RMS' | 'ET-MFA' | 'FI-PRO' | 'FR-INSEE' | 'FR-RCS' | 'GB-CHC' | 'GB-COH' | 'GB-EDU' | 'GB-GOV' | 'GB-GOVUK' | 'GB-NIC' | 'GB-REV' | 'GB-SC' | 'GB-UKPRN' | 'GG-RCE' | 'GH-DSW' | 'HU-VAT' | 'ID-KDN' | 'ID-KHH' | 'ID-KLN' | 'ID-PRO' | 'IE-CHY' | 'IE-CRO' | 'IL-ROC' | 'IM-CR' | 'IM-GR' | 'IN-MCA' | 'IT-RI' | 'JE-CR' | 'JE-OAC' | 'JP-JCN' | 'KE-NCB' | 'KE-RCO' | 'KE-RSO' | 'KZ-BIN' | 'LS-LCN' | 'LT-PVM' | 'LT-RC' | 'LV-RE' | 'MD-IDNO' | 'MM-MHA' | 'MW-CNM' | 'MW-MRA' | 'MW-NBM' | 'MW-RG' | 'MZ-MOJ' | 'NG-CAC' | 'NL-KVK' | 'NO-BRC' | 'NP-CRO' | 'NP-SWC' | 'PK-PCP' | 'PK-VSWA' | 'PL-REGON' | 'PL-NIP' | 'PL-KRS' | 'RO-CUI' | 'RS-APR' | 'RU-INN' | 'RU-OGRN' | 'SE-BLV' | 'SG-ACRA' | 'SI-PRS' | 'SI-TIN' | 'SK-ZRSR' | 'TR-MERSIS' | 'TR-VAT' | 'TZ-BRLA' | 'UA-EDR' | 'UG-NGB' | 'UG-RSB' | 'US-DOS' | 'US-EIN' | 'US-USAGOV' | 'XI-IATI' | 'XI-PB' | 'XM-DAC' | 'XM-EORI' | 'XM-OCHA' | 'ZA-CIP' | 'ZA-NPO' | 'ZA-PBO' | 'ZM-NRB' | 'ZM-PCR' | 'ZW-PVO' | 'ZW-ROD';
  readonly legalName?: string;
  readonly legalName_en?: string;
  readonly legalName_ru?: string;
  readonly uri?: string;
  readonly id: string;
}

export interface IdentifierPatch {
  readonly scheme?: 'AE-ACCI' | 'AE-ADCD' | 'AE-AFZ' | 'AE-DCCI' | 'AE-DFSA' | 'AE-DIFC' | 'AE-FFZ' | 'AT-FN' | 'AE-FUJCCI' | 'AE-HFZA' | 'AE-RAKIA' | 'AE-SAIF' | 'AE-SCCI' | 'AE-UAQCCI' | 'AF-CBR' | 'AF-MOE' | 'AU-ABN' | 'AU-ACNC' | 'BD-NAB' | 'BE-BCE_KBO' | 'BE-GTCF' | 'BG-EIK' | 'BY-UNP' | 'CA-CRA_ACR' | 'CH-ZEFIX' | 'CN-SAIC' | 'CO-CCB' | 'CY-DRCOR' | 'CZ-ICO' | 'DE-CRP' | 'DK-CVR' | 'EE-RIK' | 'ES-DIR3' | 'ES-RMS' | 'ET-MFA' | 'FI-PRO' | 'FR-INSEE' | 'FR-RCS' | 'GB-CHC' | 'GB-COH' | 'GB-EDU' | 'GB-GOV' | 'GB-GOVUK' | 'GB-NIC' | 'GB-REV' | 'GB-SC' | 'GB-UKPRN' | 'GG-RCE' | 'GH-DSW' | 'HU-VAT' | 'ID-KDN' | 'ID-KHH' | 'ID-KLN' | 'ID-PRO' | 'IE-CHY' | 'IE-CRO' | 'IL-ROC' | 'IM-CR' | 'IM-GR' | 'IN-MCA' | 'IT-RI' | 'JE-CR' | 'JE-OAC' | 'JP-JCN' | 'KE-NCB' | 'KE-RCO' | 'KE-RSO' | 'KZ-BIN' | 'LS-LCN' | 'LT-PVM' | 'LT-RC' | 'LV-RE' | 'MD-IDNO' | 'MM-MHA' | 'MW-CNM' | 'MW-MRA' | 'MW-NBM' | 'MW-RG' | 'MZ-MOJ' | 'NG-CAC' | 'NL-KVK' | 'NO-BRC' | 'NP-CRO' | 'NP-SWC' | 'PK-PCP' | 'PK-VSWA' | 'PL-REGON' | 'PL-NIP' | 'PL-KRS' | 'RO-CUI' | 'RS-APR' | 'RU-INN' | 'RU-OGRN' | 'SE-BLV' | 'SG-ACRA' | 'SI-PRS' | 'SI-TIN' | 'SK-ZRSR' | 'TR-MERSIS' | 'TR-VAT' | 'TZ-BRLA' | 'UA-EDR' | 'UG-NGB' | 'UG-RSB' | 'US-DOS' | 'US-EIN' | 'US-USAGOV' | 'XI-IATI' | 'XI-PB' | 'XM-DAC' | 'XM-EORI' | 'XM-OCHA' | 'ZA-CIP' | 'ZA-NPO' | 'ZA-PBO' | 'ZM-NRB' | 'ZM-PCR' | 'ZW-PVO' | 'ZW-ROD' | null;
  readonly legalName?: string | null;
  readonly legalName_en?: string | null;
  readonly legalName_ru?: string | null;
  readonly uri?: string | null;
  readonly id?: string | null;
}

export interface Item {
  readonly id?: string;
  readonly description: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly classification: CPVClassification;
  readonly additionalClassifications?: readonly (Classification)[];
  readonly unit?: Unit;
  readonly quantity?: number;
  readonly deliveryDate?: Period;
  readonly deliveryAddress?: Address;
  readonly deliveryLocation?: Location;
  readonly relatedLot?: string;
}

export interface ItemInput {
  readonly id?: string;
  readonly description: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly classification: CPVClassificationInput;
  readonly additionalClassifications?: readonly (ClassificationInput)[];
  readonly unit?: UnitInput;
  readonly quantity?: number;
  readonly deliveryDate?: PeriodInput;
  readonly deliveryAddress?: AddressInput;
  readonly deliveryLocation?: LocationInput;
  readonly relatedLot?: string;
}

export interface ItemPatch {
  readonly id?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly classification?: CPVClassificationPatch | null;
  readonly additionalClassifications?: readonly (ClassificationPatch)[] | null;
  readonly unit?: UnitPatch | null;
  readonly quantity?: number | null;
  readonly deliveryDate?: PeriodPatch | null;
  readonly deliveryAddress?: AddressPatch | null;
  readonly deliveryLocation?: LocationPatch | null;
  readonly relatedLot?: string | null;
}

export interface ListExportsQuery {
  /** Exports of this kind only */
  readonly kind?: 'tenders' | 'revisions' | 'changes' | 'releases' | 'records';
  /** Entries of a page. Default 20 */
  readonly limit?: number;
  /** From `next_page` */
  readonly cursor?: string;
}

export interface ListRevisionsQuery {
  /** Revisions of a page. Default 100; at most 50 with `diff` */
  readonly limit?: number;
  /** From `next_page` */
  readonly cursor?: string;
  /** Newest first */
  readonly descending?: '1';
  /** Each revision has `patch`: how it differs from the one before */
  readonly diff?: '1';
  /** An instant, in the forms of the offsets of the feed: the answer is the tender as it was public then */
  readonly at?: string;
  /** A position (offset of the feed, `dateModified`): the answer waits up to 2 seconds to contain it, else it is 503 */
  readonly at_least?: string;
}

export interface Location {
  readonly latitude: unknown;
  readonly longitude: unknown;
  readonly elevation?: unknown;
}

export interface LocationInput {
  readonly latitude: unknown;
  readonly longitude: unknown;
  readonly elevation?: unknown;
}

export interface LocationPatch {
  readonly latitude?: unknown;
  readonly longitude?: unknown;
  readonly elevation?: unknown;
}

export interface LookupEntry {
  readonly id: string;
  readonly tenderID: string;
  readonly dateModified: string;
  readonly status: string;
  readonly mode?: 'test';
  /** `id` of the contract that was asked for */
  readonly contract?: string;
  readonly [member: string]: unknown;
}

export interface LookupTendersQuery {
  /** 1 to 100, separated by commas: `id` or `tenderID`, or `id` or `contractID` of contracts, which give their tenders */
  readonly ids: string;
  /** Whole tenders, up to 8 MB of them; the others are in `deferred` */
  readonly expand?: '1';
  /** A position (offset of the feed, `dateModified`): the answer waits up to 2 seconds to contain it, else it is 503 */
  readonly at_least?: string;
}

export interface Lot {
  readonly id?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value: Value;
  readonly minimalStep?: Value;
  readonly guarantee?: Guarantee;
  /** Later releases may add values. */
  readonly status?: 'active' | 'cancelled' | 'unsuccessful' | 'complete';
  readonly date?: string;
  readonly auctionPeriod?: AuctionPeriod;
  readonly auctionUrl?: string;
  readonly numberOfBids?: number;
}

export interface LotInput {
  readonly id?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value: ValueInput;
  readonly minimalStep: ValueInput;
  readonly guarantee?: GuaranteeInput;
  readonly status?: 'active' | 'cancelled' | 'unsuccessful' | 'complete';
  readonly date?: string;
  readonly auctionPeriod?: AuctionPeriodInput;
  readonly auctionUrl?: string;
  readonly numberOfBids?: number;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface LotPatch {
  readonly id?: string | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly value?: ValuePatch | null;
  readonly minimalStep?: ValuePatch | null;
  readonly guarantee?: GuaranteePatch | null;
  readonly date?: string | null;
  readonly auctionPeriod?: AuctionPeriodPatch | null;
  readonly auctionUrl?: string | null;
  readonly numberOfBids?: number | null;
}

export interface LotValue {
  readonly value: Value;
  readonly relatedLot: string;
  readonly date?: string;
  readonly participationUrl?: string;
}

export interface LotValueInput {
  readonly value: ValueInput;
  readonly relatedLot: string;
  readonly date?: string;
  readonly participationUrl?: string;
}

export interface LotValuePatch {
  readonly value?: ValuePatch | null;
  readonly relatedLot?: string | null;
  readonly date?: string | null;
  readonly participationUrl?: string | null;
}

export interface LotWithoutAuctionInput {
  readonly id?: string;
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly value: ValueInput;
  readonly minimalStep?: never;
  readonly guarantee?: GuaranteeInput;
  readonly status?: 'active' | 'cancelled' | 'unsuccessful' | 'complete';
  readonly date?: string;
  readonly auctionPeriod?: AuctionPeriodInput;
  readonly auctionUrl?: string;
  readonly numberOfBids?: number;
}

export interface Milestone {
  readonly id?: string;
  /** Later releases may add values. */
  readonly title: 'executionOfWorks' | 'deliveryOfGoods' | 'submittingServices' | 'signingTheContract' | 'submissionDateOfApplications' | 'submittingPayment' | 'dateOfInvoicing' | 'endDateOfTheReportingPeriod' | 'anotherEvent';
  readonly description?: string;
  /** Later releases may add values. */
  readonly type: 'financing' | 'delivery';
  /** Later releases may add values. */
  readonly code: 'prepayment' | 'postpayment' | 'standard' | 'recurring';
  readonly percentage: number;
  readonly duration: Duration;
  readonly sequenceNumber: number;
  readonly relatedLot?: string;
}

export interface MilestoneInput {
  readonly id?: string;
  readonly title: 'executionOfWorks' | 'deliveryOfGoods' | 'submittingServices' | 'signingTheContract' | 'submissionDateOfApplications' | 'submittingPayment' | 'dateOfInvoicing' | 'endDateOfTheReportingPeriod' | 'anotherEvent';
  readonly description?: string;
  readonly type: 'financing' | 'delivery';
  readonly code: 'prepayment' | 'postpayment' | 'standard' | 'recurring';
  readonly percentage: number;
  readonly duration: DurationInput;
  readonly sequenceNumber: number;
  readonly relatedLot?: string;
}

export interface MilestonePatch {
  readonly id?: string | null;
  readonly title?: 'executionOfWorks' | 'deliveryOfGoods' | 'submittingServices' | 'signingTheContract' | 'submissionDateOfApplications' | 'submittingPayment' | 'dateOfInvoicing' | 'endDateOfTheReportingPeriod' | 'anotherEvent' | null;
  readonly description?: string | null;
  readonly type?: 'financing' | 'delivery' | null;
  readonly code?: 'prepayment' | 'postpayment' | 'standard' | 'recurring' | null;
  readonly percentage?: number | null;
  readonly duration?: DurationPatch | null;
  readonly sequenceNumber?: number | null;
  readonly relatedLot?: string | null;
}

export interface OcdsIndex {
  readonly version: '1.1';
  readonly extensions: readonly (string)[];
  readonly publisher: {
    readonly name: string;
    readonly [member: string]: unknown;
  };
  readonly license: string;
  readonly publicationPolicy?: string;
  readonly ocidPrefix: string;
  readonly language: string;
  readonly links: {
    readonly releases: string;
    readonly records: string;
    readonly releasesBulk: string;
    readonly recordsBulk: string;
  };
}

export interface OcdsRecord {
  readonly ocid: string;
  /** Links, or with `embed` whole releases */
  readonly releases: readonly ({
    readonly url?: string;
    readonly date: string;
    readonly tag: readonly (string)[];
    readonly [member: string]: unknown;
  })[];
  readonly compiledRelease: OcdsRelease;
}

export interface OcdsRecordPackage {
  /** Address of this answer */
  readonly uri: string;
  readonly version: '1.1';
  readonly extensions: readonly (string)[];
  readonly publisher: {
    readonly name: string;
    readonly [member: string]: unknown;
  };
  readonly license: string;
  readonly publicationPolicy?: string;
  /** Date of the newest release in the package */
  readonly publishedDate: string;
  /** Of pages. Without `next` the page is the last one: ask for it again */
  readonly links?: {
    readonly next?: string;
    readonly prev?: string;
  };
  readonly records: readonly (OcdsRecord)[];
}

export interface OcdsRelease {
  readonly ocid: string;
  readonly id: string;
  readonly date: string;
  readonly tag: readonly (string)[];
  readonly [member: string]: unknown;
}

export interface OcdsReleasePackage {
  /** Address of this answer */
  readonly uri: string;
  readonly version: '1.1';
  readonly extensions: readonly (string)[];
  readonly publisher: {
    readonly name: string;
    readonly [member: string]: unknown;
  };
  readonly license: string;
  readonly publicationPolicy?: string;
  /** Date of the newest release in the package */
  readonly publishedDate: string;
  /** Of pages. Without `next` the page is the last one: ask for it again */
  readonly links?: {
    readonly next?: string;
    readonly prev?: string;
  };
  readonly releases: readonly (OcdsRelease)[];
}

export interface OpenStreamQuery {
  /** Changes after this offset of the feed; without it, from now */
  readonly offset?: string;
  /** For clients that cannot set the header Last-Event-ID, which wins */
  readonly lastEventId?: string;
  /** Seconds of silence after which a heartbeat is sent. Default 15 */
  readonly heartbeat?: number;
  /** Each change has the whole tender in `tender`. Needs a key */
  readonly expand?: '1';
  /** test: test tenders only; _all_: all tenders */
  readonly mode?: 'test' | '_all_';
  /** Statuses; `active` means every `active.*` */
  readonly status?: string;
  /** Values of `procurementMethodType` */
  readonly method?: string;
  /** Codes, or prefixes of 2 to 8 digits, of items */
  readonly cpv?: string;
  /** `<scheme>-<id>`, or ids, of procuring entities */
  readonly buyer?: string;
  /** Up to 100 ids of tenders */
  readonly ids?: string;
  /** ISO 3166-2:UA codes, or names, of delivery regions */
  readonly region?: string;
  /** Least `value.amount` */
  readonly amountFrom?: number;
  /** Greatest `value.amount` */
  readonly amountTo?: number;
  /** Currency of the amounts. Default UAH */
  readonly currency?: string;
  /** What made the change */
  readonly causes?: string;
}

export interface Organization {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (Identifier)[];
  readonly identifier: Identifier;
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
}

export interface OrganizationInput {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (IdentifierInput)[];
  readonly identifier: IdentifierInput;
  readonly address: AddressInput;
  readonly contactPoint: ContactPointInput;
}

export interface OrganizationPatch {
  readonly name?: string | null;
  readonly name_en?: string | null;
  readonly name_ru?: string | null;
  readonly additionalIdentifiers?: readonly (IdentifierPatch)[] | null;
  readonly identifier?: IdentifierPatch | null;
  readonly address?: AddressPatch | null;
  readonly contactPoint?: ContactPointPatch | null;
}

export interface Ownership {
  readonly id: string;
  readonly owner: string;
}

export interface OwnershipInput {
  readonly id: string;
  readonly transfer: string;
}

export interface Parameter {
  readonly code: string;
  readonly value: number;
}

export interface ParameterInput {
  readonly code: string;
  readonly value: number;
}

export interface ParameterPatch {
  readonly code?: string | null;
  readonly value?: number | null;
}

export interface PatchOperation {
  /** Later releases may add values. */
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

export interface Period {
  readonly startDate?: string;
  readonly endDate?: string;
}

export interface PeriodEndRequired {
  readonly startDate?: string;
  readonly endDate?: string;
}

export interface PeriodEndRequiredInput {
  readonly startDate?: string;
  readonly endDate: string;
}

export interface PeriodEndRequiredPatch {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
}

export interface PeriodInput {
  readonly startDate?: string;
  readonly endDate?: string;
}

export interface PeriodPatch {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
}

export interface ProcuringEntity {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (Identifier)[];
  /** Later releases may add values. */
  readonly kind?: 'general' | 'special' | 'defense' | 'other';
  readonly identifier: Identifier;
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
}

export interface ProcuringEntityInput {
  readonly name: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly additionalIdentifiers?: readonly (IdentifierInput)[];
  readonly kind?: 'general' | 'special' | 'defense' | 'other';
  readonly identifier: IdentifierInput;
  readonly address: AddressInput;
  readonly contactPoint: ContactPointInput;
}

export interface ProcuringEntityPatch {
  readonly name?: string | null;
  readonly name_en?: string | null;
  readonly name_ru?: string | null;
  readonly additionalIdentifiers?: readonly (IdentifierPatch)[] | null;
  readonly kind?: 'general' | 'special' | 'defense' | 'other' | null;
  readonly identifier?: IdentifierPatch | null;
  readonly address?: AddressPatch | null;
  readonly contactPoint?: ContactPointPatch | null;
}

export interface Question {
  readonly id: string;
  readonly author?: Organization;
  readonly title: string;
  readonly description?: string;
  /** Later releases may add values. */
  readonly questionOf: 'tender' | 'item' | 'lot';
  readonly relatedItem?: string;
  readonly date: string;
  readonly answer?: string;
  readonly dateAnswered?: string;
}

export interface QuestionInput {
  readonly id?: string;
  readonly author: OrganizationInput;
  readonly title: string;
  readonly description?: string;
  readonly questionOf?: 'tender' | 'item' | 'lot';
  readonly relatedItem?: string;
  readonly date?: string;
  readonly answer?: string;
  readonly dateAnswered?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface QuestionPatch {
  readonly id?: string | null;
  readonly author?: OrganizationPatch | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly questionOf?: 'tender' | 'item' | 'lot' | null;
  readonly relatedItem?: string | null;
  readonly date?: string | null;
  readonly answer?: string | null;
  readonly dateAnswered?: string | null;
}

export interface Revision {
  /** The number in the ETag of the tender */
  readonly rev: number;
  /** The offset of this change in the feed */
  readonly position: string;
  readonly dateModified: string;
  readonly status: string;
  /** What made the change. The list of causes grows: accept those you do not know */
  readonly causes: readonly (string)[];
  /** Top-level members that differ from the revision before */
  readonly changed?: readonly (string)[];
  /** Length of the answer of GET /tenders/{tender_id} then */
  readonly bytes: number;
  /** Revisions before it are not kept */
  readonly folded?: true;
  /** A member was removed by law */
  readonly redacted?: true;
  readonly uri: string;
  readonly patch?: readonly (PatchOperation)[];
}

export interface SearchBuyersQuery {
  /** At least 3 letters: the begin of a word of the name or of the id, or a similar name */
  readonly q: string;
  /** Whose tenders count. Absent: without test tenders */
  readonly mode?: 'test' | '_all_';
  /** A position (offset of the feed, `dateModified`): the answer waits up to 2 seconds to contain it, else it is 503 */
  readonly at_least?: string;
}

export interface SearchFacets {
  readonly status?: readonly ({
    readonly key: string;
    readonly count: number;
  })[];
  readonly method?: readonly ({
    readonly key: string;
    readonly count: number;
  })[];
  /** Divisions: the first two digits */
  readonly cpv?: readonly ({
    readonly key: string;
    readonly count: number;
  })[];
  readonly region?: readonly ({
    readonly key: string;
    readonly count: number;
  })[];
  /** The 20 largest */
  readonly buyer?: readonly ({
    readonly key: string;
    readonly count: number;
  })[];
  /** Whether all matches were counted */
  readonly exact: boolean;
  /** Matches that were counted */
  readonly of: number;
}

export type SearchSpelling = {
  readonly [member: string]: unknown;
};

export interface SearchTendersQuery {
  /** Up to 10 words: all of them; "a phrase"; -not; OR; a prefix of at least 3 letters with * */
  readonly q?: string;
  /** test: test tenders only; _all_: all tenders */
  readonly mode?: 'test' | '_all_';
  /** Statuses; `active` means every `active.*` */
  readonly status?: string;
  /** Values of `procurementMethodType` */
  readonly method?: string;
  /** Codes, or prefixes of 2 to 8 digits, of items */
  readonly cpv?: string;
  /** `<scheme>-<id>`, or ids, of procuring entities */
  readonly buyer?: string;
  /** The same, of suppliers of awards */
  readonly supplier?: string;
  /** The same, of tenderers of public bids */
  readonly bidder?: string;
  /** ISO 3166-2:UA codes, or names, of delivery regions */
  readonly region?: string;
  /** The same, of procuring entities */
  readonly buyerRegion?: string;
  /** `id` or `contractID` of contracts */
  readonly contract?: string;
  /** Present statuses of contracts; `active` and `terminated` ones are signed */
  readonly contractStatus?: string;
  /** `rationaleTypes` of changes in force of contracts */
  readonly rationale?: string;
  /** Least `value.amount` */
  readonly amountFrom?: number;
  /** Greatest `value.amount` */
  readonly amountTo?: number;
  /** Currency of the amounts, also of an order by amount. Default UAH */
  readonly currency?: string;
  /** Published at this ISO date or time, or later */
  readonly createdFrom?: string;
  /** Published at this ISO time or earlier; a date means its whole day */
  readonly createdTo?: string;
  /** `tenderPeriod.endDate` at this ISO date or time, or later */
  readonly tenderEndFrom?: string;
  /** `tenderPeriod.endDate` at this ISO time or earlier; a date means its whole day */
  readonly tenderEndTo?: string;
  /** `dateModified` at this ISO date or time, or later */
  readonly modifiedFrom?: string;
  /** `dateModified` at this ISO time or earlier; a date means its whole day */
  readonly modifiedTo?: string;
  /** Default relevance with words in `q`, else -created. Relevance ends after 1,000. Tenders without the value are left out */
  readonly sort?: '-created' | 'created' | 'relevance' | 'tenderEnd' | '-amount' | 'amount' | '-modified';
  /** Default 20; at most 50 with `expand` */
  readonly limit?: number;
  /** Of `next_page` */
  readonly cursor?: string;
  /** Counts of values, of status, method, cpv, region, buyer */
  readonly facets?: string;
  /** Counts matches, up to 10,000 */
  readonly total?: '1';
  /** Whole tenders, up to 8 MB on a page */
  readonly expand?: '1';
  /** A position (offset of the feed, `dateModified`): the answer waits up to 2 seconds to contain it, else it is 503 */
  readonly at_least?: string;
}

export interface SearchTotal {
  readonly value: number;
  /** Later releases may add values. */
  readonly relation: 'eq' | 'gte';
}

export interface StandaloneContract {
  readonly id: string;
  readonly awardID: string;
  readonly contractID: string;
  readonly contractNumber?: string;
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  /** Later releases may add values. */
  readonly status: 'pending' | 'terminated' | 'active' | 'cancelled';
  readonly value?: ContractValue;
  readonly period?: Period;
  readonly dateSigned?: string;
  readonly date: string;
  readonly items?: readonly (Item)[];
  readonly suppliers?: readonly (BusinessOrganization)[];
  readonly documents?: readonly (Document)[];
  readonly dateCreated: string;
  readonly implementation?: {
    readonly transactions: readonly (Transaction)[];
  };
  readonly dateModified: string;
  readonly tender_id: string;
  readonly owner: string;
  readonly mode?: 'test';
  readonly procuringEntity?: ProcuringEntity;
  readonly buyer?: Buyer;
  readonly amountPaid?: ContractValue;
  readonly terminationDetails?: string;
  readonly changes?: readonly (ContractChange)[];
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface StandaloneContractPatch {
  readonly id?: string | null;
  readonly awardID?: string | null;
  readonly contractID?: string | null;
  readonly contractNumber?: string | null;
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly status?: 'terminated' | 'active' | null;
  readonly value?: ContractValuePatch | null;
  readonly period?: PeriodPatch | null;
  readonly dateSigned?: string | null;
  readonly date?: string | null;
  readonly items?: readonly (ItemPatch)[] | null;
  readonly dateCreated?: string | null;
  readonly amountPaid?: ContractValuePatch | null;
  readonly terminationDetails?: string | null;
}

export interface StatisticsCell {
  readonly key: string;
  /** Name of the buyer */
  readonly label?: string;
  readonly tenders: number;
  /** Sum of `value.amount` */
  readonly amount: number;
  readonly otherCurrencies?: {
    readonly [member: string]: unknown;
  };
  /** Tenders with public bids */
  readonly opened: number;
  /** Their bids */
  readonly bids: number;
  /** Bids of an opened tender */
  readonly competition?: number;
  /** Share of the opened tenders that have one bid */
  readonly singleBid?: number;
  readonly complete: number;
  readonly unsuccessful: number;
  readonly cancelled: number;
  readonly active: number;
  /** Sum of the active contracts of complete tenders */
  readonly contracted: number;
  /** Sum of the values of the same tenders */
  readonly expected: number;
  /** Their difference */
  readonly savings: number;
  readonly savingsRate?: number;
  /** Signed contracts */
  readonly signed: number;
  /** Those with a change in force */
  readonly amended: number;
  /** Those that ended */
  readonly terminated: number;
  /** Sum of the contracts of `contracted` as they are now */
  readonly contractedNow: number;
  /** Sum of `amountPaid` of the contracts that ended */
  readonly paid: number;
  /** `contractedNow` less `contracted` */
  readonly overrun: number;
  /** From publication to the last signature; percentiles are first days of 24 buckets */
  readonly daysToContract?: {
    readonly mean: number;
    readonly p50: number;
    readonly p90: number;
    readonly count: number;
  };
}

/** Data of the event `behind`: of the changes after `from` and up to `until` only the last one of each tender is sent, and then all changes */
export interface StreamBehind {
  readonly from: string;
  readonly until: string;
}

/** Data of the event `bye`, the last one: why the server ends the stream */
export interface StreamBye {
  /** Later releases may add values. */
  readonly reason: 'age' | 'shutdown' | 'slow' | 'key';
}

/** Data of the event `hello`, the first one */
export interface StreamHello {
  /** Where the reader starts after */
  readonly position: string;
  /** Seconds of silence after which a heartbeat is sent */
  readonly heartbeatSeconds: number;
}

/** Data of the event `reset`: positions after `after` and before `before` are void, since the database was restored. Forget what has one, and read those tenders again */
export interface StreamReset {
  readonly after: string;
  readonly before: string;
}

export interface Tender {
  readonly title?: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly id: string;
  readonly tenderID: string;
  readonly date: string;
  readonly dateCreated: string;
  readonly dateModified: string;
  readonly owner: string;
  readonly next_check?: string;
  readonly auctionPeriod?: AuctionPeriod;
  readonly auctionUrl?: string;
  readonly awardPeriod?: Period;
  readonly numberOfBids?: number;
  readonly bidsSeal?: BidsSeal;
  /** Later releases may add values. */
  readonly status: 'draft' | 'active.enquiries' | 'active.tendering' | 'active.auction' | 'active.qualification' | 'active.awarded' | 'complete' | 'cancelled' | 'unsuccessful';
  readonly mode?: 'test';
  /** Later releases may add values. */
  readonly procurementMethod?: 'open' | 'selective' | 'limited';
  readonly procurementMethodType?: string;
  readonly procurementMethodRationale?: string;
  readonly procurementMethodRationale_en?: string;
  readonly procurementMethodRationale_ru?: string;
  /** Later releases may add values. */
  readonly submissionMethod?: 'electronicAuction' | 'electronicSubmission' | 'written' | 'inPerson';
  readonly submissionMethodDetails?: string;
  readonly submissionMethodDetails_en?: string;
  readonly submissionMethodDetails_ru?: string;
  /** Later releases may add values. */
  readonly awardCriteria?: 'lowestCost' | 'bestProposal' | 'bestValueToGovernment' | 'singleBidOnly';
  readonly awardCriteriaDetails?: string;
  readonly awardCriteriaDetails_en?: string;
  readonly awardCriteriaDetails_ru?: string;
  readonly eligibilityCriteria?: string;
  readonly eligibilityCriteria_en?: string;
  readonly eligibilityCriteria_ru?: string;
  /** Later releases may add values. */
  readonly mainProcurementCategory?: 'goods' | 'services' | 'works';
  readonly milestones?: readonly (Milestone)[];
  readonly hasEnquiries?: boolean;
  readonly numberOfBidders?: number;
  readonly procuringEntity?: ProcuringEntity;
  readonly value?: Value;
  readonly guarantee?: Guarantee;
  readonly minimalStep?: Value;
  readonly enquiryPeriod?: PeriodEndRequired;
  readonly tenderPeriod?: PeriodEndRequired;
  readonly items?: readonly (Item)[];
  readonly features?: readonly (Feature)[];
  readonly lots?: readonly (Lot)[];
  readonly documents?: readonly (Document)[];
  readonly bids?: readonly (Bid)[];
  readonly awards?: readonly (Award)[];
  readonly contracts?: readonly (Contract)[];
  readonly questions?: readonly (Question)[];
  readonly complaints?: readonly (Complaint)[];
  readonly cancellations?: readonly (Cancellation)[];
  readonly procurementMethodDetails?: string;
  readonly [member: string]: unknown;
}

export interface TenderClock {
  /** The time of the tender */
  readonly now: string;
  /** By how much it is ahead of real time, as an ISO 8601 duration */
  readonly ahead: string;
}

/** Absent when the tender has an auction */
export interface TenderConfig {
  readonly hasAuction?: boolean;
  readonly [member: string]: unknown;
}

/** Absent when the tender has an auction */
export interface TenderConfigInput {
  readonly hasAuction?: boolean;
  readonly [member: string]: unknown;
}

export interface TenderInput {
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly id?: string;
  readonly tenderID?: string;
  readonly date?: string;
  readonly dateCreated?: string;
  readonly dateModified?: string;
  readonly owner?: string;
  readonly next_check?: string;
  readonly auctionPeriod?: AuctionPeriodInput;
  readonly auctionUrl?: string;
  readonly awardPeriod?: PeriodInput;
  readonly numberOfBids?: number;
  readonly bidsSeal?: BidsSealInput;
  readonly owner_token?: string;
  readonly status?: 'draft' | 'active.enquiries' | 'active.tendering' | 'active.auction' | 'active.qualification' | 'active.awarded' | 'complete' | 'cancelled' | 'unsuccessful';
  readonly mode?: 'test';
  readonly procurementMethod?: 'open' | 'selective' | 'limited';
  readonly procurementMethodType?: string;
  readonly procurementMethodRationale?: string;
  readonly procurementMethodRationale_en?: string;
  readonly procurementMethodRationale_ru?: string;
  readonly submissionMethod?: 'electronicAuction' | 'electronicSubmission' | 'written' | 'inPerson';
  readonly submissionMethodDetails?: string;
  readonly submissionMethodDetails_en?: string;
  readonly submissionMethodDetails_ru?: string;
  readonly awardCriteria?: 'lowestCost' | 'bestProposal' | 'bestValueToGovernment' | 'singleBidOnly';
  readonly awardCriteriaDetails?: string;
  readonly awardCriteriaDetails_en?: string;
  readonly awardCriteriaDetails_ru?: string;
  readonly eligibilityCriteria?: string;
  readonly eligibilityCriteria_en?: string;
  readonly eligibilityCriteria_ru?: string;
  readonly mainProcurementCategory?: 'goods' | 'services' | 'works';
  readonly milestones?: readonly (MilestoneInput)[];
  readonly hasEnquiries?: boolean;
  readonly numberOfBidders?: number;
  readonly procuringEntity: ProcuringEntityInput;
  readonly value: ValueInput;
  readonly guarantee?: GuaranteeInput;
  readonly minimalStep: ValueInput;
  readonly enquiryPeriod: PeriodEndRequiredInput;
  readonly tenderPeriod: PeriodEndRequiredInput;
  readonly items: readonly (ItemInput)[];
  readonly features?: readonly (FeatureInput)[];
  readonly lots?: readonly (LotInput)[];
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface TenderPatch {
  readonly title?: string | null;
  readonly title_en?: string | null;
  readonly title_ru?: string | null;
  readonly description?: string | null;
  readonly description_en?: string | null;
  readonly description_ru?: string | null;
  readonly id?: string | null;
  readonly tenderID?: string | null;
  readonly date?: string | null;
  readonly dateCreated?: string | null;
  readonly dateModified?: string | null;
  readonly owner?: string | null;
  readonly next_check?: string | null;
  readonly auctionPeriod?: AuctionPeriodPatch | null;
  readonly auctionUrl?: string | null;
  readonly awardPeriod?: PeriodPatch | null;
  readonly numberOfBids?: number | null;
  readonly bidsSeal?: BidsSealPatch | null;
  readonly owner_token?: string | null;
  readonly status?: 'active.enquiries' | null;
  readonly mode?: 'test' | null;
  readonly procurementMethod?: 'open' | 'selective' | 'limited' | null;
  readonly procurementMethodType?: string | null;
  readonly procurementMethodRationale?: string | null;
  readonly procurementMethodRationale_en?: string | null;
  readonly procurementMethodRationale_ru?: string | null;
  readonly submissionMethod?: 'electronicAuction' | 'electronicSubmission' | 'written' | 'inPerson' | null;
  readonly submissionMethodDetails?: string | null;
  readonly submissionMethodDetails_en?: string | null;
  readonly submissionMethodDetails_ru?: string | null;
  readonly awardCriteria?: 'lowestCost' | 'bestProposal' | 'bestValueToGovernment' | 'singleBidOnly' | null;
  readonly awardCriteriaDetails?: string | null;
  readonly awardCriteriaDetails_en?: string | null;
  readonly awardCriteriaDetails_ru?: string | null;
  readonly eligibilityCriteria?: string | null;
  readonly eligibilityCriteria_en?: string | null;
  readonly eligibilityCriteria_ru?: string | null;
  readonly mainProcurementCategory?: 'goods' | 'services' | 'works' | null;
  readonly milestones?: readonly (MilestonePatch)[] | null;
  readonly hasEnquiries?: boolean | null;
  readonly numberOfBidders?: number | null;
  readonly procuringEntity?: ProcuringEntityPatch | null;
  readonly value?: ValuePatch | null;
  readonly guarantee?: GuaranteePatch | null;
  readonly minimalStep?: ValuePatch | null;
  readonly enquiryPeriod?: PeriodEndRequiredPatch | null;
  readonly tenderPeriod?: PeriodEndRequiredPatch | null;
  readonly items?: readonly (ItemPatch)[] | null;
  readonly features?: readonly (FeaturePatch)[] | null;
  readonly lots?: readonly (LotPatch)[] | null;
}

export interface TenderWithoutAuctionInput {
  readonly title: string;
  readonly title_en?: string;
  readonly title_ru?: string;
  readonly description?: string;
  readonly description_en?: string;
  readonly description_ru?: string;
  readonly id?: string;
  readonly tenderID?: string;
  readonly date?: string;
  readonly dateCreated?: string;
  readonly dateModified?: string;
  readonly owner?: string;
  readonly next_check?: string;
  readonly auctionPeriod?: AuctionPeriodInput;
  readonly auctionUrl?: string;
  readonly awardPeriod?: PeriodInput;
  readonly numberOfBids?: number;
  readonly bidsSeal?: BidsSealInput;
  readonly owner_token?: string;
  readonly status?: 'draft' | 'active.enquiries' | 'active.tendering' | 'active.qualification' | 'active.awarded' | 'complete' | 'cancelled' | 'unsuccessful';
  readonly mode?: 'test';
  readonly procurementMethod?: 'open' | 'selective' | 'limited';
  readonly procurementMethodType?: string;
  readonly procurementMethodRationale?: string;
  readonly procurementMethodRationale_en?: string;
  readonly procurementMethodRationale_ru?: string;
  readonly submissionMethod?: never;
  readonly submissionMethodDetails?: never;
  readonly submissionMethodDetails_en?: never;
  readonly submissionMethodDetails_ru?: never;
  readonly awardCriteria?: 'lowestCost' | 'bestProposal' | 'bestValueToGovernment' | 'singleBidOnly';
  readonly awardCriteriaDetails?: string;
  readonly awardCriteriaDetails_en?: string;
  readonly awardCriteriaDetails_ru?: string;
  readonly eligibilityCriteria?: string;
  readonly eligibilityCriteria_en?: string;
  readonly eligibilityCriteria_ru?: string;
  readonly mainProcurementCategory?: 'goods' | 'services' | 'works';
  readonly milestones?: readonly (MilestoneInput)[];
  readonly hasEnquiries?: boolean;
  readonly numberOfBidders?: number;
  readonly procuringEntity: ProcuringEntityInput;
  readonly value: ValueInput;
  readonly guarantee?: GuaranteeInput;
  readonly minimalStep?: never;
  readonly enquiryPeriod: PeriodEndRequiredInput;
  readonly tenderPeriod: PeriodEndRequiredInput;
  readonly items: readonly (ItemInput)[];
  readonly features?: readonly (FeatureInput)[];
  readonly lots?: readonly (LotWithoutAuctionInput)[];
}

export interface Transaction {
  readonly id: string;
  readonly date: string;
  readonly value: TransactionValue;
  readonly payer: TransactionParty;
  readonly payee: TransactionParty;
  readonly status: string;
}

export interface TransactionInput {
  readonly id?: string;
  readonly date: string;
  readonly value: TransactionValueInput;
  readonly payer: TransactionPartyInput;
  readonly payee: TransactionPartyInput;
  readonly status: string;
}

export interface TransactionParty {
  readonly name: string;
  readonly bankAccount: BankAccount;
}

export interface TransactionPartyInput {
  readonly name: string;
  readonly bankAccount: BankAccountInput;
}

export interface TransactionValue {
  readonly amount: number;
  readonly currency: string;
}

export interface TransactionValueInput {
  readonly amount: number;
  readonly currency?: string;
}

export interface Transfer {
  readonly id: string;
  readonly date: string;
  readonly usedFor?: string;
}

export type TransferInput = Readonly<Record<string, never>>;

export interface Unit {
  readonly code?: string;
  readonly name?: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly value?: Value;
}

export interface UnitInput {
  readonly code: string;
  readonly name?: string;
  readonly name_en?: string;
  readonly name_ru?: string;
  readonly value?: ValueInput;
}

export interface UnitPatch {
  readonly code?: string | null;
  readonly name?: string | null;
  readonly name_en?: string | null;
  readonly name_ru?: string | null;
  readonly value?: ValuePatch | null;
}

export interface Value {
  readonly amount: number;
  readonly currency: string;
  readonly valueAddedTaxIncluded: boolean;
}

export interface ValueInput {
  readonly amount: number;
  readonly currency?: string;
  readonly valueAddedTaxIncluded?: boolean;
}

export interface ValuePatch {
  readonly amount?: number | null;
  readonly currency?: string | null;
  readonly valueAddedTaxIncluded?: boolean | null;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Later releases may add values. */
  readonly status: 'pending' | 'active' | 'paused' | 'disabled' | 'suspended';
  /** In the answers of creation and rotation only */
  readonly secret?: string;
  readonly filter: {
    readonly [member: string]: unknown;
  };
  readonly expand: boolean;
  readonly concurrency: number;
  readonly description?: string;
  /** Everything up to it was delivered, is waiting, or is a dead letter */
  readonly position: string;
  /** Changes that were not accepted yet and are sent again */
  readonly waiting: number;
  readonly deadLetters: number;
  readonly failingSince?: string;
  readonly lastError?: string;
  readonly lastSuccess?: string;
  readonly dateCreated: string;
  readonly dateModified: string;
}

export interface WebhookAttempt {
  readonly type: string;
  readonly position?: string;
  readonly at: string;
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds: number;
  readonly attempt: number;
}

export interface WebhookChangeMessage {
  /** Later releases may add values. */
  readonly type: 'tender.created' | 'tender.changed' | 'tender.removed';
  /** The `dateModified` of the change */
  readonly timestamp: string;
  readonly data: {
    /** The offset of this change in the feed */
    readonly position: string;
    readonly id: string;
    readonly tenderID: string;
    readonly dateModified: string;
    readonly rev: number;
    readonly status: string;
    readonly mode?: 'test';
    readonly causes: readonly (string)[];
    readonly changed?: readonly (string)[];
    /** Later releases may add values. */
    readonly match?: 'in' | 'left';
    readonly folded?: true;
    /** With `expand`: the whole tender, as it was public at this revision */
    readonly tender?: Tender;
    /** Address of the tender */
    readonly uri: string;
    /** With `expand`: the tender is left out, since it is too large */
    readonly truncated?: true;
  };
}

export interface WebhookDeadLetter {
  readonly position: string;
  readonly tender: string;
  readonly attempts: number;
  readonly lastError?: string;
  /** When it was given up */
  readonly date: string;
}

export interface WebhookFilterInput {
  readonly mode?: 'test' | '_all_';
  readonly ids?: readonly (string)[];
  readonly status?: readonly (string)[];
  readonly method?: readonly (string)[];
  readonly cpv?: readonly (string)[];
  readonly buyer?: readonly (string)[];
  readonly region?: readonly (string)[];
  readonly amountFrom?: number;
  readonly amountTo?: number;
  readonly currency?: string;
  readonly causes?: readonly (string)[];
}

export interface WebhookFilterPatch {
  readonly mode?: 'test' | '_all_' | null;
  readonly ids?: readonly (string)[] | null;
  readonly status?: readonly (string)[] | null;
  readonly method?: readonly (string)[] | null;
  readonly cpv?: readonly (string)[] | null;
  readonly buyer?: readonly (string)[] | null;
  readonly region?: readonly (string)[] | null;
  readonly amountFrom?: number | null;
  readonly amountTo?: number | null;
  readonly currency?: string | null;
  readonly causes?: readonly (string)[] | null;
}

export interface WebhookInput {
  readonly url: string;
  readonly filter?: WebhookFilterInput;
  readonly expand?: boolean;
  readonly concurrency?: number;
  readonly description?: string;
  readonly from?: string;
}

export interface WebhookRedeliveryInput {
  readonly from: string;
  readonly to?: string;
}

export type WebhookRequestInput = Readonly<Record<string, never>>;

export interface WebhookSecretInput {
  readonly oldValid?: string;
}

/** Only the members to change. Objects merge member by member, lists element by element; null removes a nested member. */
export interface WebhookSettingsPatch {
  readonly url?: string | null;
  readonly filter?: WebhookFilterPatch | null;
  readonly expand?: boolean | null;
  readonly concurrency?: number | null;
  readonly description?: string | null;
  readonly status?: 'active' | 'paused' | null;
}

export interface WebhookTest {
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds: number;
}

export interface WebhookTestMessage {
  readonly type: 'webhook.test';
  readonly timestamp: string;
  readonly data: {
    /** Id of the webhook */
    readonly webhook: string;
  };
}

export interface WebhookVerifyAnswer {
  /** The one of the request */
  readonly challenge: string;
}

export interface WebhookVerifyMessage {
  readonly type: 'webhook.verify';
  readonly timestamp: string;
  readonly data: {
    readonly challenge: string;
  };
}
