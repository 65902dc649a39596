-- The clean-up looks at files that no document refers to, which are few.
CREATE INDEX "file_unreferenced" ON "file"("created_at") WHERE NOT "referenced";

-- Held fences are few of all rows, and looked for every 20 s (docs/decisions/0060-fences.md).
CREATE INDEX "tender_documents_fence_held" ON "tender_documents" ("fence_held_at") WHERE "fence_held_at" IS NOT NULL;
