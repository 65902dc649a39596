-- The fences that are held: few of all rows, looked for every 20 s (docs/decisions/0060-cancellation-fence.md).
CREATE INDEX "bidding_fence_held" ON "bidding" ("fence_held_at") WHERE "fence_held_at" IS NOT NULL;
