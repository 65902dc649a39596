-- The phases are the words of the domain: a wrong one would open or close a tender unseen.
ALTER TABLE "bidding" ADD CONSTRAINT "bidding_phase_known" CHECK ("phase" IN ('open', 'sealed', 'opened', 'erased'));

-- A text is stored once: clear or encrypted.
ALTER TABLE "bid" ADD CONSTRAINT "bid_text_once" CHECK (num_nonnulls("document", "sealed") = 1);

-- Encrypted bytes do not compress.
ALTER TABLE "bid" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
ALTER TABLE "bid" ALTER COLUMN "closed" SET STORAGE EXTERNAL;

-- Held freezes are few of all rows, and looked for every 20 s (docs/decisions/0060-freezes.md).
CREATE INDEX "bidding_frozen" ON "bidding" ("frozen_at") WHERE "frozen_at" IS NOT NULL;
