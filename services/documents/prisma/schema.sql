-- The clean-up looks at files that no document refers to, which are few.
CREATE INDEX "file_unreferenced" ON "file"("created_at") WHERE NOT "referenced";

-- Held freezes are few of all rows, and looked for every 20 s (docs/decisions/0060-freezes.md).
CREATE INDEX "tender_documents_frozen" ON "tender_documents" ("frozen_at") WHERE "frozen_at" IS NOT NULL;
