-- AlterTable
ALTER TABLE "document_version" ADD COLUMN     "broker" TEXT;
