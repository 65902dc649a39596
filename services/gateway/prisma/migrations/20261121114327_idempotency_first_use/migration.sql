-- DropIndex
DROP INDEX "idempotency_started_at_idx";

-- AlterTable
ALTER TABLE "idempotency" ADD COLUMN     "first_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ALTER COLUMN "started_at" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "idempotency_first_used_at_idx" ON "idempotency"("first_used_at");
