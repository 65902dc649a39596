-- AlterTable
ALTER TABLE "export_run" ADD COLUMN     "seq_from" BIGINT,
ADD COLUMN     "seq_to" BIGINT;

-- AlterTable
ALTER TABLE "ocds_release" ADD COLUMN     "position" BIGINT;

-- CreateIndex
CREATE INDEX "ocds_release_position_seq_idx" ON "ocds_release"("position", "seq");
