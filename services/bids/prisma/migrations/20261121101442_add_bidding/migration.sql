-- How far the bidding of a tender has come (architecture.md, handshake 1). Every write of a bid holds the row FOR SHARE until
-- it commits; closing holds it FOR UPDATE. A tender has none before its first bid or its closing: it is made on demand.
CREATE TABLE "bidding" (
    "tender_id" TEXT NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'open',
    "version" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "bidding_pkey" PRIMARY KEY ("tender_id"),
    CONSTRAINT "bidding_phase_known" CHECK ("phase" IN ('open', 'sealed', 'opened', 'erased'))
);
