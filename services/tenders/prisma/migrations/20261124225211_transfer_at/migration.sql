-- An instant instead of its text, so that old transfers are found by an index (http.md 3.6).
TRUNCATE transfer;

ALTER TABLE "transfer" DROP COLUMN "date",
ADD COLUMN     "at" BIGINT NOT NULL;

CREATE INDEX "transfer_at_idx" ON "transfer"("at");
