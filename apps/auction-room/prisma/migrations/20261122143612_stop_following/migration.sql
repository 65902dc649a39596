-- AlterTable
ALTER TABLE "follow" ADD COLUMN     "stopped_at" TIMESTAMPTZ(6),
ADD COLUMN     "stopped_by" TEXT,
ADD COLUMN     "stopped_reason" TEXT;
