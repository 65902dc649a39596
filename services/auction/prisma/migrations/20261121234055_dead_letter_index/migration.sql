-- CreateIndex
CREATE INDEX "dead_letter_replayed_at_durable_event_id_idx" ON "dead_letter"("replayed_at", "durable", "event_id");
