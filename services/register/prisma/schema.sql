-- Trigrams of the dictionaries (register.md 6.3). Trusted: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One for each order of lists (register.md 10.1), which show listed tenders only.
CREATE INDEX "tender_by_created" ON "tender"("is_test", "created", "id") WHERE "listed";
CREATE INDEX "tender_by_end" ON "tender"("is_test", "tender_end", "id") WHERE "listed";
CREATE INDEX "tender_by_amount" ON "tender"("is_test", "currency", "amount", "id") WHERE "listed";
CREATE INDEX "tender_by_position" ON "tender"("is_test", "position") WHERE "listed";

-- Numbers are looked up whatever the case of their letters (register.md 6.1).
CREATE INDEX "tender_by_number" ON "tender"(lower("number")) WHERE "listed";

CREATE INDEX "tender_words_gin" ON "tender_words" USING gin ("words");
CREATE INDEX "word_trgm" ON "word" USING gin ("word" gin_trgm_ops);
CREATE INDEX "party_trgm" ON "party" USING gin ("folded" gin_trgm_ops);
-- For prefixes of words, whatever the locale.
CREATE INDEX "word_prefix" ON "word"("word" text_pattern_ops);

-- Releases that may be packed.
CREATE INDEX "ocds_release_unpacked" ON "ocds_release" ("inserted_at", "seq") WHERE "body" IS NOT NULL;

-- Room for updates in the page of the row: each revision rewrites both rows.
ALTER TABLE "tender" SET (fillfactor = 80);
ALTER TABLE "tender_body" SET (fillfactor = 80);

-- Packs are compressed already.
ALTER TABLE "revision_pack" ALTER COLUMN "pack" SET STORAGE EXTERNAL;
ALTER TABLE "ocds_pack" ALTER COLUMN "pack" SET STORAGE EXTERNAL;
