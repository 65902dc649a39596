-- AlterTable
ALTER TABLE "export_file" ADD COLUMN     "zstd_bytes" BIGINT,
ADD COLUMN     "zstd_sha256" TEXT;
