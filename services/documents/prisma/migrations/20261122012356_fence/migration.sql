-- AlterTable
ALTER TABLE "shelf" ADD COLUMN     "fence_held_at" TIMESTAMPTZ(6),
ADD COLUMN     "fence_number" BIGINT,
ADD COLUMN     "fence_version" BIGINT;
