-- AlterTable
ALTER TABLE "tender" ADD COLUMN     "indexed" BIGINT,
ADD COLUMN     "summary" TEXT;

-- Terms to be made: empty but while tenders of an earlier release are indexed.
CREATE INDEX "tender_unindexed" ON "tender"("id") WHERE "listed" AND "indexed" IS DISTINCT FROM "position";
-- For prefixes of words, whatever the locale.
CREATE INDEX "word_prefix" ON "word"("word" text_pattern_ops);
