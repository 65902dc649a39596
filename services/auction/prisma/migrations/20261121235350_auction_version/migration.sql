-- Number of the last fact published about an auction: of the tender (no lot: an empty id) or of one lot. Counts from 1 for tenders
-- of earlier builds too, whose events had none.
CREATE TABLE "auction_version" (
    "tender_id" TEXT NOT NULL,
    "lot_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "auction_version_pkey" PRIMARY KEY ("tender_id","lot_id")
);
